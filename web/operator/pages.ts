import type { OperatorRole } from '../../src/operators/role.ts';
import {
  IconBook2,
  IconBox,
  IconBroadcast,
  IconChartLine,
  IconFileUpload,
  IconHistory,
  IconLayoutDashboard,
  IconListDetails,
  IconServer,
  IconSettings,
  IconShieldCheck,
  IconShoppingBag,
  IconSpeakerphone,
  IconTruckDelivery,
  IconUsers,
  IconWebhook,
} from '../ui/icons.ts';

/** The pages of the navigation, in groups. `G` and then the letter opens a page. */
export const pageGroups = [
  {
    label: 'Marketplace',
    pages: [
      { to: '/', letter: 'h', Icon: IconLayoutDashboard },
      { to: '/merchants', letter: 'm', Icon: IconShoppingBag },
      { to: '/moderation', letter: 'r', Icon: IconShieldCheck },
      { to: '/products', letter: 'p', Icon: IconBox },
      { to: '/orders', letter: 'o', Icon: IconTruckDelivery },
      { to: '/campaigns', letter: 'c', Icon: IconSpeakerphone },
    ],
  },
  {
    label: 'Integrations',
    pages: [
      { to: '/calls', letter: 'k', Icon: IconChartLine },
      { to: '/imports', letter: 'i', Icon: IconFileUpload },
      { to: '/events', letter: 'e', Icon: IconBroadcast },
      { to: '/webhooks', letter: 'w', Icon: IconWebhook },
      { to: '/reference', letter: 'd', Icon: IconBook2 },
    ],
  },
  {
    label: 'Administration',
    pages: [
      { to: '/lists', letter: 'l', Icon: IconListDetails },
      { to: '/operators', letter: 't', Icon: IconUsers },
      { to: '/audit', letter: 'a', Icon: IconHistory },
      { to: '/marketplace', letter: 's', Icon: IconSettings },
      { to: '/system', letter: 'y', Icon: IconServer },
    ],
  },
] as const;

const ACCOUNT = { to: '/account', letter: 'u' } as const;
/** The pages that the navigation and the account menu lead to. */
export const listedPages = [...pageGroups.flatMap(({ pages }) => [...pages]), ACCOUNT] as const;
export const allPages = listedPages.map(({ to }) => to);

/** Who may open pages that not every operator may open. */
export const leastRoles: Readonly<Partial<Record<string, OperatorRole>>> = { '/orders': 'support' };
