import { Checkbox } from '@mantine/core';
import { Dialog } from '../ui/dialog.tsx';
import styles from './palette.module.css';
import { openOverlay, useSingleKeys } from './shortcuts.ts';

/** What a shortcut does, and its keys. */
export type Shortcut = readonly [label: string, ...keys: string[]];

interface Props {
  shortcuts: readonly Shortcut[];
  /** The shortcuts of a single key. */
  singleKeys: string;
}

/** All keyboard shortcuts, and a switch for single-key shortcuts. */
export function ShortcutsDialog({ shortcuts, singleKeys }: Props) {
  const [hasSingleKeys, setSingleKeys] = useSingleKeys();
  return (
    <Dialog title="Keyboard shortcuts" onClose={() => openOverlay.set(undefined)}>
      <table className={styles.keys}>
        <tbody>
          {shortcuts.map(([label, ...keys]) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>
                {keys.map((key, index) => (
                  <span key={key}>
                    {index > 0 && ' '}
                    <kbd className={styles.key}>{key}</kbd>
                  </span>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Checkbox
        className={styles.switch ?? ''}
        label={`Enable single-key shortcuts (${singleKeys})`}
        checked={hasSingleKeys}
        onChange={(event) => setSingleKeys(event.currentTarget.checked)}
      />
    </Dialog>
  );
}
