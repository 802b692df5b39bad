import { tokensOf } from '../merchants.ts';
import type { Ask } from '../work.ts';
import { apiAsk, type Case } from '../world.ts';

/** Two hostile merchants, each with the responses that it may leave unread. */
const MOST_RESIDENT_MB = 600;

/** Pages of the largest records there are, and of the largest that can be imported, with these encodings. */
function largePages(encodings: readonly (string | null)[]): Ask[] {
  const merchants = ['large', 'limit'] as const;
  return merchants.flatMap((merchant) =>
    [150, 1_000].flatMap((perPage) =>
      encodings.map((encoding, index) => ({
        ...apiAsk('/products.json', tokensOf(merchant)[index] ?? '', { per_page: perPage }),
        ...(encoding !== null && { headers: { 'accept-encoding': encoding } }),
      })),
    ),
  );
}

export const recordCases: Case[] = [
  {
    name: 'largest-records',
    short: true,
    works: () => [{ does: 'ask', asks: largePages([null]), connections: 4, rate: 1 }],
  },
  {
    name: 'largest-records-compressed',
    short: false,
    works: () => [{ does: 'ask', asks: largePages(['gzip', 'br', 'zstd']), connections: 4, rate: 1 }],
  },
  {
    name: 'largest-records-at-once',
    short: false,
    works: () => [{ does: 'ask', asks: largePages([null]), connections: 8, rate: null }],
  },
  {
    name: 'slow-readers-12',
    short: true,
    mostResidentMb: MOST_RESIDENT_MB,
    works: () => [{ does: 'read slowly', asks: largePages([null]), connections: 12, bytesPerSecond: 1_000 }],
  },
  {
    name: 'slow-readers-50',
    short: false,
    mostResidentMb: MOST_RESIDENT_MB,
    works: () => [
      { does: 'read slowly', asks: largePages([null, 'gzip']), connections: 50, bytesPerSecond: 1_000 },
    ],
  },
];
