import { productStatuses } from '../../src/products/record/product.ts';
import type { RequestOptions } from './client.ts';
import { sortWords } from './listing-model.ts';
import { fc } from './seed.ts';
import { wildAmount, wildIdentifier, wildLevel, wildText } from './wild-data.ts';

/** A request to a path under the base path, without a token. */
export interface AnyRequest {
  method: string;
  path: string;
  query: Record<string, string>;
  sent: RequestOptions;
}

const listing: fc.Arbitrary<AnyRequest> = fc
  .record(
    {
      status: fc.constantFrom('sold_out', 'sold_out', 'in_stock', ...productStatuses),
      category: fc.array(wildLevel, { minLength: 1, maxLength: 2 }).map((levels) => levels.join('|')),
      sort: fc.constantFrom(...sortWords),
      page: fc.constantFrom(1, 1, 1, 2, 2, 3, 4, 2 ** 31 - 1).map(String),
      per_page: fc.constantFrom(1, 2, 3, 7, 50, 1000).map(String),
      pagination: fc.constantFrom('true', 'false'),
    },
    { requiredKeys: [] },
  )
  .map((query) => ({ method: 'GET', path: '/products.json', query: defined(query), sent: {} }));

const variation: fc.Arbitrary<AnyRequest> = fc
  .oneof(
    {
      weight: 3,
      arbitrary: fc.tuple(wildIdentifier, fc.nat(3)).map(([name, number]) => `${name} v${number}`),
    },
    fc.constantFrom('a\0b', '\0'),
    wildText,
  )
  .map((identifier) => ({
    method: 'GET',
    path: '/variations/retrieve.json',
    query: { identifier },
    sent: {},
  }));

const sales: fc.Arbitrary<AnyRequest> = fc.constant({
  method: 'GET',
  path: '/performance/sales.json',
  query: {},
  sent: {},
});

const amountText = fc.oneof(
  { weight: 8, arbitrary: wildAmount.map(String) },
  fc.constantFrom('1e400', '-1', '1,5', 'NaN', '0x10', ''),
);
const campaign: fc.Arbitrary<AnyRequest> = fc
  .tuple(
    fc.record(
      {
        name: fc.oneof({ weight: 8, arbitrary: wildText }, fc.constantFrom('a\0b', 'x'.repeat(256))),
        type: fc.oneof(fc.constant('AuctionCampaign'), wildText),
        daily_budget: amountText,
        bid_amount: amountText,
        daily_budget_per_product: amountText,
        lifetime_budget: amountText,
        lifetime_budget_per_product: amountText,
      },
      { requiredKeys: ['name', 'type'] },
    ),
    fc.constantFrom('form', 'json', 'multipart'),
    fc.constantFrom(undefined, undefined, 'key-1', 'key-2', 'not a key \t'),
  )
  .map(([values, kind, key]) => {
    const data = defined(values);
    const sent: RequestOptions = key === undefined ? {} : { headers: { 'idempotency-key': key } };
    if (kind === 'form') sent.form = data;
    else if (kind === 'json') sent.json = data;
    else sent.multipart = Object.entries(data);
    return { method: 'POST', path: '/campaigns.json', query: {}, sent };
  });

const mistake: fc.Arbitrary<AnyRequest> = fc.constantFrom<AnyRequest>(
  { method: 'GET', path: '/nowhere.json', query: {}, sent: {} },
  { method: 'DELETE', path: '/products.json', query: {}, sent: {} },
  { method: 'GET', path: '/campaigns.json', query: {}, sent: {} },
  {
    method: 'POST',
    path: '/campaigns.json',
    query: {},
    sent: { body: '{', headers: { 'content-type': 'application/json' } },
  },
  {
    method: 'POST',
    path: '/campaigns.json',
    query: {},
    sent: { body: 'x', headers: { 'content-type': 'text/plain' } },
  },
  { method: 'POST', path: '/campaigns.json', query: {}, sent: { form: { name: 'x'.repeat(70_000) } } },
  { method: 'GET', path: '/products.json', query: { colour: 'red', Page: '1' }, sent: {} },
  {
    method: 'GET',
    path: '/products.json',
    query: { page: '0', per_page: '1001', sort: 'id', status: 'x' },
    sent: {},
  },
  { method: 'GET', path: '/products.json', query: { category: 'a|b|c' }, sent: {} },
  { method: 'GET', path: '/products.json', query: { category: 'a\0' }, sent: {} },
  { method: 'GET', path: '/variations/retrieve.json', query: {}, sent: {} },
  { method: 'GET', path: '/products.json', query: { access_token: '' }, sent: {} },
  { method: 'GET', path: '/products.json', query: { access_token: 'unknown-token-1234' }, sent: {} },
  { method: 'GET', path: '/performance/sales.json', query: { access_token: 'a\0b' }, sent: {} },
);

/** Requests of every kind, most of them valid. */
export const anyRequest: fc.Arbitrary<AnyRequest> = fc.oneof(
  { weight: 8, arbitrary: listing },
  { weight: 2, arbitrary: variation },
  { weight: 2, arbitrary: campaign },
  { weight: 1, arbitrary: sales },
  { weight: 1, arbitrary: mistake },
);

function defined(values: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
