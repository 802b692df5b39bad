import { Random } from '../../../src/demo/random.ts';
import { tokenOf, variationOf } from './merchants.ts';
import type { Ask, Work } from './work.ts';
import { apiAsk, consoleAsk, type World } from './world.ts';

const CONNECTIONS = 32;
const PAGES = 10;

/** What an ERP and a person in the console ask for: mostly pages and variations, now and then a campaign. */
export function quietWork(world: Pick<World, 'sessions' | 'seed'>, rate: number): Work {
  const token = tokenOf('quiet');
  const page = (number: number): Ask => apiAsk('/products.json', token, { page: number });
  const campaign: Ask = {
    ...apiAsk('/campaigns.json', token),
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Autumn {n}', type: 'AuctionCampaign', daily_budget: 10 }),
  };
  const asks = [
    ...Array.from({ length: 3 * PAGES }, (_, index) => page(1 + (index % PAGES))),
    ...['a', 'b'].flatMap((letter) =>
      Array<Ask>(5).fill(apiAsk('/variations/retrieve.json', token, { identifier: variationOf(letter) })),
    ),
    ...Array<Ask>(4).fill(apiAsk('/performance/sales.json', token)),
    campaign,
    campaign,
    consoleAsk(world, 'quiet', '/overview'),
    consoleAsk(world, 'quiet', '/overview'),
    consoleAsk(world, 'quiet', '/products?per_page=25&page=2'),
    consoleAsk(world, 'quiet', '/products?per_page=25&page=3'),
  ];
  return { does: 'ask', asks: shuffled(asks, new Random(world.seed)), connections: CONNECTIONS, rate };
}

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  return items
    .map((item) => ({ item, key: random.next() }))
    .sort((one, other) => one.key - other.key)
    .map(({ item }) => item);
}
