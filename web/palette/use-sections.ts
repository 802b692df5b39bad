import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { optionsQuery, useSession } from '../session/session.ts';
import type { Command } from './rank.ts';

interface Section {
  label: string;
  to: '/settings' | '/account' | '/team';
  /** The ID of its panel. */
  hash?: string;
  alias?: string;
}

const ofShop: readonly Section[] = [
  { label: 'Shop name', to: '/settings' },
  { label: 'Time zone', to: '/settings' },
  { label: 'Currency', to: '/settings' },
  { label: 'Require two-factor authentication', to: '/team', alias: '2FA everyone' },
];
const ofAccount: readonly Section[] = [
  { label: 'Sessions', to: '/account', hash: 'sessions', alias: 'Devices browsers' },
  { label: 'Single-key shortcuts', to: '/account', hash: 'keyboard', alias: 'Keyboard hotkeys' },
];
const ofPassword: readonly Section[] = [
  { label: 'Passkeys', to: '/account', hash: 'passkeys', alias: 'Fingerprint face security key' },
  { label: 'Password', to: '/account', hash: 'password', alias: 'Change password' },
  {
    label: 'Two-factor authentication',
    to: '/account',
    hash: 'two-factor',
    alias: '2FA recovery codes authenticator',
  },
];
const ofMail: Section = {
  label: 'Email notifications',
  to: '/account',
  hash: 'notifications',
  alias: 'Alerts mail',
};

/** Returns commands that open the settings of the shop and of the user's account, once they are wanted. */
export function useSections(isWanted: boolean): Command[] {
  const navigate = useNavigate();
  const { support_view: supportView, by_provider: byProvider } = useSession();
  const hasMail = useQuery(optionsQuery).data?.mail === true;
  if (!isWanted) return [];
  const sections = [
    ...ofShop,
    ...(supportView === null ? ofAccount : []),
    ...(supportView === null && !byProvider ? ofPassword : []),
    ...(supportView === null && hasMail ? [ofMail] : []),
  ];
  return sections.map(({ label, to, hash, alias }) => ({
    id: `section-${label}`,
    group: 'Settings',
    label,
    ...(alias !== undefined && { alias }),
    run: () => void navigate({ to, ...(hash !== undefined && { hash }) }),
  }));
}
