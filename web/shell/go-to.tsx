import { ActionIcon } from '@mantine/core';
import { modifier, openOverlay } from '../palette/shortcuts.ts';
import { IconSearch } from '../ui/icons.ts';
import styles from './navigation.module.css';

/** Opens the palette, from the navigation. */
export function GoTo() {
  return (
    <button type="button" className={styles.goTo} onClick={() => openOverlay.set('palette')}>
      <IconSearch size={16} stroke={1.7} />
      Go to…
      <span className={styles.keys} aria-hidden="true">
        {modifier} K
      </span>
    </button>
  );
}

/** Opens the palette, from the bar of narrow windows. */
export function GoToIcon({ label }: { label: string }) {
  return (
    <ActionIcon
      variant="transparent"
      color="white"
      ml="auto"
      aria-label={label}
      onClick={() => openOverlay.set('palette')}
    >
      <IconSearch size={20} />
    </ActionIcon>
  );
}
