import { apiRequest, type Case } from '../case.ts';
import { tokensOf } from '../merchants.ts';
import type { TestRequest } from '../workload.ts';

/** Two hostile merchants, each with as many unread bytes as it is allowed. */
const MAX_RESIDENT_MB = 600;

/** Pages of the largest existing and the largest importable records, with these encodings. */
function largePages(encodings: readonly (string | null)[]): TestRequest[] {
  const merchants = ['large', 'limit'] as const;
  return merchants.flatMap((merchant) =>
    [150, 1_000].flatMap((perPage) =>
      encodings.map((encoding, index) => ({
        ...apiRequest('/products.json', tokensOf(merchant)[index] ?? '', { per_page: perPage }),
        ...(encoding !== null && { headers: { 'accept-encoding': encoding } }),
      })),
    ),
  );
}

export const recordCases: Case[] = [
  {
    name: 'largest-records',
    short: true,
    workloads: () => [{ action: 'request', requests: largePages([null]), connections: 4, rate: 1 }],
  },
  {
    name: 'largest-records-compressed',
    short: false,
    workloads: () => [
      { action: 'request', requests: largePages(['gzip', 'br', 'zstd']), connections: 4, rate: 1 },
    ],
  },
  {
    name: 'largest-records-at-once',
    short: false,
    workloads: () => [{ action: 'request', requests: largePages([null]), connections: 8, rate: null }],
  },
  {
    name: 'slow-readers-12',
    short: true,
    maxResidentMb: MAX_RESIDENT_MB,
    workloads: () => [
      { action: 'read-slowly', requests: largePages([null]), connections: 12, bytesPerSecond: 1_000 },
    ],
  },
  {
    name: 'slow-readers-50',
    short: false,
    maxResidentMb: MAX_RESIDENT_MB,
    workloads: () => [
      { action: 'read-slowly', requests: largePages([null, 'gzip']), connections: 50, bytesPerSecond: 1_000 },
    ],
  },
];
