import { Menu, UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { openOverlay } from '../palette/shortcuts.ts';
import { useSession } from '../session/session.ts';
import { useSignOut } from '../session/sign-out.ts';
import { IconKeyboard, IconLogout, IconUser } from '../ui/icons.ts';
import styles from './navigation.module.css';

export function AccountMenu() {
  const { user } = useSession();
  const signOut = useSignOut();
  return (
    <Menu position="top-start" width="target" withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <UnstyledButton className={styles.account}>
          <span className={styles.initials} aria-hidden="true">
            {initialsOf(user.name)}
          </span>
          <span className={styles.names}>
            <span>{user.name}</span>
            <span className={styles.merchant}>{user.email}</span>
          </span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} to="/account" leftSection={<IconUser size={16} />}>
          Account
        </Menu.Item>
        <Menu.Item leftSection={<IconKeyboard size={16} />} onClick={() => openOverlay.set('shortcuts')}>
          Keyboard shortcuts
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={signOut}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Returns the first letters of the first and the last word. */
function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter(Boolean);
  return [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => word?.[0] ?? '')
    .join('')
    .toUpperCase();
}
