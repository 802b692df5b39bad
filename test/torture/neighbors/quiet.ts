import { Random } from '../../../src/demo/random.ts';
import { apiRequest, type CaseContext, consoleRequest } from './case.ts';
import { tokenOf, variationOf } from './merchants.ts';
import type { TestRequest, Workload } from './workload.ts';

const CONNECTIONS = 32;
const PAGES = 10;

/** An ERP and a console user: mostly pages and variations, and sometimes a campaign. */
export function quietWork(context: Pick<CaseContext, 'sessions' | 'seed'>, rate: number): Workload {
  const token = tokenOf('quiet');
  const page = (number: number): TestRequest => apiRequest('/products.json', token, { page: number });
  const campaign: TestRequest = {
    ...apiRequest('/campaigns.json', token),
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Autumn {n}', type: 'AuctionCampaign', daily_budget: 10 }),
  };
  const requests = [
    ...Array.from({ length: 3 * PAGES }, (_, index) => page(1 + (index % PAGES))),
    ...['a', 'b'].flatMap((letter) =>
      Array<TestRequest>(5).fill(
        apiRequest('/variations/retrieve.json', token, { identifier: variationOf(letter) }),
      ),
    ),
    ...Array<TestRequest>(4).fill(apiRequest('/performance/sales.json', token)),
    campaign,
    campaign,
    consoleRequest(context, 'quiet', '/overview'),
    consoleRequest(context, 'quiet', '/overview'),
    consoleRequest(context, 'quiet', '/products?per_page=25&page=2'),
    consoleRequest(context, 'quiet', '/products?per_page=25&page=3'),
  ];
  return {
    action: 'request',
    requests: shuffled(requests, new Random(context.seed)),
    connections: CONNECTIONS,
    rate,
  };
}

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  return items
    .map((item) => ({ item, key: random.next() }))
    .sort((one, other) => one.key - other.key)
    .map(({ item }) => item);
}
