import { Menu } from '@mantine/core';
import { Link, useRouter } from '@tanstack/react-router';
import { isAtLeastOperator } from '../../../src/operators/role.ts';
import { openOverlay } from '../../palette/shortcuts.ts';
import { AccountMenu } from '../../shell/account-menu.tsx';
import { ColorSchemeSwitch } from '../../shell/color-scheme-switch.tsx';
import { GoTo } from '../../shell/go-to.tsx';
import styles from '../../shell/navigation.module.css';
import { IconKeyboard } from '../../ui/icons.ts';
import { Logo } from '../../ui/logo.tsx';
import { leastRoles, pageGroups } from '../pages.ts';
import { useSession } from '../session.ts';

export function Navigation() {
  const { marketplace, user } = useSession();
  const { routesByPath } = useRouter();
  return (
    <nav aria-label="Operator" className={styles.all}>
      <div className={styles.brand}>
        <Logo size={34} />
        <div className={styles.names}>
          <span className={styles.product}>{marketplace.name}</span>
          <span className={styles.merchant}>Operator</span>
        </div>
      </div>
      <GoTo />
      <div className={styles.pages}>
        {pageGroups.map(({ label, pages }) => (
          <div key={label}>
            <p className={styles.label} aria-hidden="true">
              {label}
            </p>
            <ul className={styles.list} aria-label={label}>
              {pages
                .filter(({ to }) => isAtLeastOperator(user.role, leastRoles[to] ?? 'viewer'))
                .map(({ to, Icon }) => (
                  <li key={to}>
                    <Link to={to} className={styles.link ?? ''} activeOptions={{ includeSearch: false }}>
                      <Icon size={18} stroke={1.7} />
                      {routesByPath[to].options.staticData?.title ?? to}
                    </Link>
                  </li>
                ))}
            </ul>
          </div>
        ))}
      </div>
      <div className={styles.foot}>
        <ColorSchemeSwitch />
        <AccountMenu>
          <Menu.Item leftSection={<IconKeyboard size={16} />} onClick={() => openOverlay.set('shortcuts')}>
            Keyboard shortcuts
          </Menu.Item>
        </AccountMenu>
      </div>
    </nav>
  );
}
