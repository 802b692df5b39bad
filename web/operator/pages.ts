import { IconHistory, IconUsers } from '../ui/icons.ts';

/** The pages of the navigation, in groups. */
export const pageGroups = [
  {
    label: 'Administration',
    pages: [
      { to: '/operators', Icon: IconUsers },
      { to: '/audit', Icon: IconHistory },
    ],
  },
] as const;
