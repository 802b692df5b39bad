import type { OperatorRole } from '../../src/operators/role.ts';
import {
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

/** The pages of the navigation, in groups. */
export const pageGroups = [
  {
    label: 'Marketplace',
    pages: [
      { to: '/', Icon: IconLayoutDashboard },
      { to: '/merchants', Icon: IconShoppingBag },
      { to: '/moderation', Icon: IconShieldCheck },
      { to: '/products', Icon: IconBox },
      { to: '/orders', Icon: IconTruckDelivery },
      { to: '/campaigns', Icon: IconSpeakerphone },
    ],
  },
  {
    label: 'Integrations',
    pages: [
      { to: '/calls', Icon: IconChartLine },
      { to: '/imports', Icon: IconFileUpload },
      { to: '/events', Icon: IconBroadcast },
      { to: '/webhooks', Icon: IconWebhook },
    ],
  },
  {
    label: 'Administration',
    pages: [
      { to: '/lists', Icon: IconListDetails },
      { to: '/operators', Icon: IconUsers },
      { to: '/audit', Icon: IconHistory },
      { to: '/marketplace', Icon: IconSettings },
      { to: '/system', Icon: IconServer },
    ],
  },
] as const;

/** Who may open pages that not every operator may open. */
export const leastRoles: Readonly<Partial<Record<string, OperatorRole>>> = { '/orders': 'support' };
