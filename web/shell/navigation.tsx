import { Link } from '@tanstack/react-router';
import { useSession } from '../session/session.ts';
import {
  IconBook2,
  IconBox,
  IconChartLine,
  IconKey,
  IconLayoutDashboard,
  IconSettings,
  IconSpeakerphone,
  IconUsers,
  IconWebhook,
} from '../ui/icons.ts';
import { Logo } from '../ui/logo.tsx';
import { AccountMenu } from './account-menu.tsx';
import { ColorSchemeSwitch } from './color-scheme-switch.tsx';
import styles from './navigation.module.css';

const groups = [
  {
    label: 'Shop',
    pages: [
      { to: '/', name: 'Overview', Icon: IconLayoutDashboard },
      { to: '/products', name: 'Products', Icon: IconBox },
      { to: '/campaigns', name: 'Campaigns', Icon: IconSpeakerphone },
      { to: '/sales', name: 'Sales', Icon: IconChartLine },
    ],
  },
  {
    label: 'Integration',
    pages: [
      { to: '/keys', name: 'API keys', Icon: IconKey },
      { to: '/webhooks', name: 'Webhooks', Icon: IconWebhook },
      { to: '/reference', name: 'API reference', Icon: IconBook2 },
    ],
  },
  {
    label: 'Administration',
    pages: [
      { to: '/team', name: 'Team', Icon: IconUsers },
      { to: '/settings', name: 'Shop settings', Icon: IconSettings },
    ],
  },
] as const;

export function Navigation() {
  const { merchant } = useSession();
  return (
    <nav aria-label="Console" className={styles.all}>
      <div className={styles.brand}>
        <Logo size={34} />
        <div className={styles.names}>
          <span className={styles.product}>Tradepost</span>
          <span className={styles.merchant}>{merchant.name}</span>
        </div>
      </div>
      <div className={styles.pages}>
        {groups.map(({ label, pages }) => (
          <div key={label}>
            <p className={styles.label} aria-hidden="true">
              {label}
            </p>
            <ul className={styles.list} aria-label={label}>
              {pages.map(({ to, name, Icon }) => (
                <li key={to}>
                  <Link
                    to={to}
                    className={styles.link ?? ''}
                    activeOptions={{ exact: to === '/', includeSearch: false }}
                  >
                    <Icon size={18} stroke={1.7} aria-hidden="true" />
                    {name}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
      <div className={styles.foot}>
        <ColorSchemeSwitch />
        <AccountMenu />
      </div>
    </nav>
  );
}
