import {
  IconBook2,
  IconBox,
  IconChartLine,
  IconHistory,
  IconKey,
  IconLayoutDashboard,
  IconSettings,
  IconSpeakerphone,
  IconUsers,
  IconWebhook,
} from '../ui/icons.ts';

/** The pages of the navigation, in groups. */
export const pageGroups = [
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
      { to: '/requests', name: 'API requests', Icon: IconHistory },
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

/** A page that the navigation or the account menu leads to. */
export type PageLink =
  | Pick<(typeof pageGroups)[number]['pages'][number], 'to' | 'name'>
  | { to: '/account'; name: string };
