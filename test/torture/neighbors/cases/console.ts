import { Random } from '../../../../src/demo/random.ts';
import { type Case, type CaseContext, consoleRequest } from '../case.ts';
import type { TestRequest } from '../workload.ts';

const CONNECTIONS = 8;

/** A session sends these requests continuously. */
function consoleCase(name: string, requests: (context: CaseContext) => TestRequest[], short = true): Case {
  return {
    name: `console-${name}`,
    short,
    workloads: (context) => [
      { action: 'request', requests: requests(context), connections: CONNECTIONS, rate: null },
    ],
  };
}

const crowded = (path: string) => (context: CaseContext) => [consoleRequest(context, 'crowded', path)];

export const consoleCases: Case[] = [
  consoleCase('overview', crowded('/overview')),
  consoleCase('counts', crowded('/products/counts')),
  consoleCase('keys', crowded('/keys')),
  consoleCase('products', (context) => [
    consoleRequest(context, 'limit', '/products?per_page=1000'),
    consoleRequest(context, 'large', '/products?per_page=1000'),
  ]),
  consoleCase('export', (context) => [consoleRequest(context, 'limit', '/products/export.csv')]),
  {
    name: 'console-unread-exports',
    short: true,
    maxResidentMb: 1_000,
    workloads: (context) => [
      {
        action: 'read-slowly',
        requests: [consoleRequest(context, 'limit', '/products/export.csv')],
        connections: 60,
        bytesPerSecond: 1_000,
      },
    ],
  },
  consoleCase('product', crowded('/v1/products/retrieve?internal_id=1'), false),
  consoleCase('activity', crowded('/activity?limit=200'), false),
  consoleCase(
    'campaigns',
    ({ sessions, sizes, seed }) => {
      const random = new Random(seed);
      return Array.from({ length: 500 }, () => {
        const page = random.whole(1, Math.ceil(sizes.crowd / 100));
        return consoleRequest({ sessions }, 'crowded', `/v1/campaigns?per_page=100&page=${page}`);
      });
    },
    false,
  ),
  consoleCase('sales', crowded('/v1/performance/sales'), false),
  consoleCase('session', crowded('/session'), false),
  consoleCase(
    'writes',
    (context) => [
      consoleRequest(context, 'large', '/keys', { name: 'key {n}' }),
      consoleRequest(context, 'large', '/v1/campaigns', { name: 'Winter {n}', type: 'AuctionCampaign' }),
      consoleRequest(context, 'large', '/keys/2-1/rotate', {}),
    ],
    false,
  ),
];
