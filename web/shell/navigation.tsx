import { Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { pageGroups, usePageTitles } from '../palette/pages.ts';
import { openOverlay } from '../palette/shortcuts.ts';
import { marketplaceName } from '../server/application.ts';
import { useSession } from '../session/session.ts';
import { TestDataSwitch } from '../test-data/test-data-switch.tsx';
import { IconKeyboard } from '../ui/icons.ts';
import { Logo } from '../ui/logo.tsx';
import { AccountMenu } from './account-menu.tsx';
import { ColorSchemeSwitch } from './color-scheme-switch.tsx';
import { GoTo } from './go-to.tsx';
import styles from './navigation.module.css';
import { ShopItems } from './shop-items.tsx';

export function Navigation() {
  const { merchant, support_view: supportView } = useSession();
  const titleOf = usePageTitles();
  return (
    <nav aria-label="Console" className={styles.all}>
      <div className={styles.brand}>
        <Logo size={34} />
        <div className={styles.names}>
          <span className={styles.product}>{marketplaceName}</span>
          <span className={styles.merchant}>{merchant.name}</span>
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
              {pages.map(({ to, Icon }) => (
                <li key={to}>
                  <Link
                    to={to}
                    className={styles.link ?? ''}
                    activeOptions={{ exact: to === '/', includeSearch: false }}
                  >
                    <Icon size={18} stroke={1.7} />
                    {titleOf(to)}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
      <div className={styles.foot}>
        <TestDataSwitch />
        <ColorSchemeSwitch />
        {supportView === null && (
          <AccountMenu>
            <ShopItems />
            <Menu.Item leftSection={<IconKeyboard size={16} />} onClick={() => openOverlay.set('shortcuts')}>
              Keyboard shortcuts
            </Menu.Item>
          </AccountMenu>
        )}
      </div>
    </nav>
  );
}
