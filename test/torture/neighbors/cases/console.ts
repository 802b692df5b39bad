import { Random } from '../../../../src/demo/random.ts';
import type { Ask } from '../work.ts';
import { type Case, consoleAsk, type World } from '../world.ts';

const CONNECTIONS = 8;

/** A case in which a session asks for these as fast as it is answered. */
function consoleCase(name: string, asks: (world: World) => Ask[], short = true): Case {
  return {
    name: `console-${name}`,
    short,
    works: (world) => [{ does: 'ask', asks: asks(world), connections: CONNECTIONS, rate: null }],
  };
}

const crowded = (path: string) => (world: World) => [consoleAsk(world, 'crowded', path)];

export const consoleCases: Case[] = [
  consoleCase('overview', crowded('/overview')),
  consoleCase('counts', crowded('/products/counts')),
  consoleCase('keys', crowded('/keys')),
  consoleCase('products', (world) => [
    consoleAsk(world, 'limit', '/products?per_page=1000'),
    consoleAsk(world, 'large', '/products?per_page=1000'),
  ]),
  consoleCase('product', crowded('/products/1'), false),
  consoleCase('audit', crowded('/audit?limit=200'), false),
  consoleCase(
    'campaigns',
    ({ sessions, sizes, seed }) => {
      const random = new Random(seed);
      return Array.from({ length: 500 }, () => {
        const page = random.whole(1, Math.ceil(sizes.crowd / 100));
        return consoleAsk({ sessions }, 'crowded', `/campaigns?per_page=100&page=${page}`);
      });
    },
    false,
  ),
  consoleCase('sales', crowded('/sales'), false),
  consoleCase('session', crowded('/session'), false),
  consoleCase(
    'writes',
    (world) => [
      consoleAsk(world, 'large', '/keys', { name: 'key {n}' }),
      consoleAsk(world, 'large', '/campaigns', { name: 'Winter {n}', type: 'AuctionCampaign' }),
      consoleAsk(world, 'large', '/keys/2-1/rotate', {}),
    ],
    false,
  ),
];
