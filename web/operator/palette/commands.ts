import { useMantineColorScheme } from '@mantine/core';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { type Command, type Ranked, rank } from '../../palette/rank.ts';
import { openOverlay } from '../../palette/shortcuts.ts';
import { useSignOut } from '../../session/sign-out.ts';
import type { ListedMerchant } from '../merchants/queries.ts';
import { leastRoles, listedPages } from '../pages.ts';
import { useAllows } from '../session.ts';
import { openDialog } from './actions.ts';

/** Returns the commands that match a text, after the merchants that the server has found for it. */
export function useCommands(text: string, merchants: readonly ListedMerchant[]): Ranked[] {
  const navigate = useNavigate();
  const { routesByPath } = useRouter();
  const { setColorScheme } = useMantineColorScheme();
  const signOut = useSignOut();
  const maySupport = useAllows('support');
  const isAdmin = useAllows('admin');
  const action = (id: string, label: string, run: () => void): Command => ({
    id,
    group: 'Actions',
    label,
    run,
  });
  const found = merchants.map(
    ({ external_id: merchant, name }): Command => ({
      id: `merchant-${merchant}`,
      group: 'Merchants',
      label: name,
      hint: merchant,
      run: () => void navigate({ to: '/merchants/$merchant', params: { merchant } }),
    }),
  );
  const pages = listedPages
    .filter(({ to }) => maySupport || leastRoles[to] !== 'support')
    .map(
      ({ to, letter }): Command => ({
        id: `page-${to}`,
        group: 'Pages',
        label: routesByPath[to].options.staticData?.title ?? to,
        keys: ['G', letter.toUpperCase()],
        run: () => void navigate({ to }),
      }),
    );
  const show = (search: { state?: string; failing?: string }) => () =>
    void navigate({ to: '/merchants', search });
  const actions = [
    ...(maySupport
      ? [action('create-merchant', 'Create merchant', () => openDialog.set('create-merchant'))]
      : []),
    ...(isAdmin ? [action('invite', 'Invite operator', () => openDialog.set('invite-operator'))] : []),
    action('calls', 'Show merchants whose calls fail', show({ failing: 'calls' })),
    action('webhooks', 'Show merchants whose webhooks fail', show({ failing: 'webhooks' })),
    action('suspended', 'Show suspended merchants', show({ state: 'suspended' })),
    action('light', 'Use light theme', () => setColorScheme('light')),
    action('dark', 'Use dark theme', () => setColorScheme('dark')),
    action('auto', 'Use system theme', () => setColorScheme('auto')),
    {
      ...action('shortcuts', 'Show keyboard shortcuts', () => openOverlay.set('shortcuts')),
      keys: ['?'],
    },
    action('sign-out', 'Sign out', signOut),
  ];
  return rank([...pages, ...actions], found, text);
}
