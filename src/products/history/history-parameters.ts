import { cursor, int32 } from '../../http/parameters/types.ts';

export const DEFAULT_CHANGES = 50;
const MAX_CHANGES = 200;

/** The parameters that page a list of changes. */
export const historyPage = {
  per_page: {
    type: int32(1, MAX_CHANGES),
    description: 'The maximum number of entries to return.',
    default: DEFAULT_CHANGES,
    example: 100,
  },
  after: { type: cursor, description: 'The `cursor` of the previous response.' },
} as const;
