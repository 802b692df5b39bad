import { useRouter } from '@tanstack/react-router';
import {
  IconBook2,
  IconBox,
  IconChartLine,
  IconHistory,
  IconKey,
  IconLayoutDashboard,
  IconPackage,
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
      { to: '/', Icon: IconLayoutDashboard },
      { to: '/orders', Icon: IconPackage },
      { to: '/products', Icon: IconBox },
      { to: '/campaigns', Icon: IconSpeakerphone },
      { to: '/sales', Icon: IconChartLine },
    ],
  },
  {
    label: 'Integration',
    pages: [
      { to: '/keys', Icon: IconKey },
      { to: '/requests', Icon: IconHistory },
      { to: '/webhooks', Icon: IconWebhook },
      { to: '/reference', Icon: IconBook2 },
    ],
  },
  {
    label: 'Administration',
    pages: [
      { to: '/team', Icon: IconUsers },
      { to: '/settings', Icon: IconSettings },
    ],
  },
] as const;

/** The pages that the navigation and the account menu lead to. */
export const allPages = [
  ...pageGroups.flatMap(({ pages }) => pages.map(({ to }) => to)),
  '/account',
] as const;

/** Returns the title of each page by its path. */
export function usePageTitles(): (path: (typeof allPages)[number]) => string {
  const { routesByPath } = useRouter();
  return (path) => routesByPath[path].options.staticData?.title ?? path;
}
