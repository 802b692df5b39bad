import { useRouter } from '@tanstack/react-router';
import {
  IconBook2,
  IconBox,
  IconChartLine,
  IconHistory,
  IconKey,
  IconLayoutDashboard,
  IconListDetails,
  IconSettings,
  IconShoppingBag,
  IconSpeakerphone,
  IconUsers,
  IconWebhook,
} from '../ui/icons.ts';

/** The pages of the navigation, in groups. `G` and then the letter opens a page. */
export const pageGroups = [
  {
    label: 'Shop',
    pages: [
      { to: '/', letter: 'h', Icon: IconLayoutDashboard },
      { to: '/orders', letter: 'o', Icon: IconShoppingBag },
      { to: '/products', letter: 'p', Icon: IconBox },
      { to: '/campaigns', letter: 'c', Icon: IconSpeakerphone },
      { to: '/sales', letter: 's', Icon: IconChartLine },
    ],
  },
  {
    label: 'Integration',
    pages: [
      { to: '/keys', letter: 'k', Icon: IconKey },
      { to: '/requests', letter: 'r', Icon: IconHistory },
      { to: '/webhooks', letter: 'w', Icon: IconWebhook },
      { to: '/reference', letter: 'd', Icon: IconBook2 },
    ],
  },
  {
    label: 'Administration',
    pages: [
      { to: '/activity', letter: 'a', Icon: IconListDetails },
      { to: '/team', letter: 't', Icon: IconUsers },
      { to: '/settings', letter: 'e', Icon: IconSettings },
    ],
  },
] as const;

const ACCOUNT = { to: '/account', letter: 'u' } as const;

/** The pages that the navigation and the account menu lead to. */
export const listedPages = [...pageGroups.flatMap(({ pages }) => [...pages]), ACCOUNT] as const;
export const allPages = listedPages.map(({ to }) => to);

/** Returns the title of each page by its path. */
export function usePageTitles(): (path: (typeof allPages)[number]) => string {
  const { routesByPath } = useRouter();
  return (path) => routesByPath[path].options.staticData?.title ?? path;
}
