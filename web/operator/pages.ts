import { IconHistory, IconListDetails, IconUsers } from '../ui/icons.ts';

/** The pages of the navigation, in groups. */
export const pageGroups = [
  {
    label: 'Administration',
    pages: [
      { to: '/lists', Icon: IconListDetails },
      { to: '/operators', Icon: IconUsers },
      { to: '/audit', Icon: IconHistory },
    ],
  },
] as const;
