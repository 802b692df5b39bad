import { filters, sorts } from '../../src/orders/list/sorts.ts';
import { orderStatuses } from '../../src/orders/record/order.ts';
import { productStatuses } from '../../src/products/record/product.ts';
import type { RequestOptions } from '../support/client.ts';
import { sortWords } from '../support/listing-model.ts';
import { fc } from '../support/seed.ts';
import { wildAmount, wildIdentifier, wildLevel, wildText } from '../support/wild-data.ts';

/** `path` is under the base path. It has no token. */
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

const search: fc.Arbitrary<AnyRequest> = fc
  .record(
    {
      query: fc.oneof(
        wildText,
        wildIdentifier,
        fc.tuple(wildText, fc.nat(3)).map(([words, length]) => words.slice(0, length)),
      ),
      status: fc.constantFrom('sold_out', 'in_stock', 'deleted', ...productStatuses),
      page: fc.constantFrom(1, 1, 1, 2, 3, 2 ** 31 - 1).map(String),
      per_page: fc.constantFrom(1, 2, 7, 50, 1000).map(String),
      pagination: fc.constantFrom('true', 'false'),
    },
    { requiredKeys: ['query'] },
  )
  .map((query) => ({ method: 'GET', path: '/products/search.json', query: defined(query), sent: {} }));

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

const month = fc.constantFrom('2025-12', '2026-01', '2026-02', '2026-06', '9999-12', '2026-13');
/** Without `changed_since`: its cursors carry the epoch, which differs between databases. */
const schedules: fc.Arbitrary<AnyRequest> = fc
  .tuple(
    fc.oneof(
      month.map((month) => ({ month })),
      wildIdentifier.map((product_identifier) => ({ product_identifier })),
    ),
    fc.constantFrom('1', '7', '50', '1000'),
  )
  .map(([selector, per_page]) => ({
    method: 'GET',
    path: '/schedules.json',
    query: { ...selector, per_page },
    sent: {},
  }));

const productSales: fc.Arbitrary<AnyRequest> = fc
  .record({
    duration: fc.constantFrom('today', 'yesterday', 'last_week', 'last_30_days', 'last_year'),
    per_page: fc.constantFrom('1', '3', '1000'),
    page: fc.constantFrom('1', '2', '9'),
  })
  .map((query) => ({ method: 'GET', path: '/performance/auctions.json', query, sent: {} }));

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

const anyPost = (path: string, form: Record<string, string | undefined>): AnyRequest => ({
  method: 'POST',
  path,
  query: {},
  sent: { form: defined(form) },
});

const stock = fc.constantFrom('0', '3', '7', '2147483647', '-1', '');
const anyVariation = fc.tuple(wildIdentifier, fc.nat(3)).map(([name, number]) => `${name} v${number}`);
const anyEntry = fc
  .tuple(anyVariation, fc.constantFrom('quantity', 'size', 'identifier'), stock)
  .map(([identifier, field, value]): [string, string] => [`variations[${identifier}][${field}]`, value]);

const productWrite: fc.Arbitrary<AnyRequest> = fc
  .tuple(
    fc.constantFrom('', '', '/update', '/update', '/enable', '/enable_catalog_only', '/disable', '/delete'),
    wildIdentifier,
    fc.record(
      {
        title: wildText,
        description: wildText,
        category: fc.array(wildLevel, { minLength: 1, maxLength: 3 }).map((levels) => levels.join('|')),
        retail_price: amountText,
        starting_bid: amountText,
        available_quantity: stock,
        status: fc.constantFrom('', 'enabled', 'sold_out'),
        condition: fc.constantFrom('New', 'Used - Good', 'Broken'),
      },
      { requiredKeys: ['title'] },
    ),
    fc.array(anyEntry, { maxLength: 4 }),
  )
  .map(([action, identifier, fields, entries]) => {
    const hasFields = action === '' || action === '/update';
    const stated = hasFields ? { ...fields, ...Object.fromEntries(entries) } : {};
    return anyPost(`/products${action}.json`, { identifier, ...stated });
  });

const variationWrite: fc.Arbitrary<AnyRequest> = fc
  .tuple(
    fc.constantFrom('', '/update', '/update', '/enable', '/disable', '/delete'),
    anyVariation,
    wildIdentifier,
    fc.record(
      {
        quantity: stock,
        quantity_change: fc.constantFrom('1', '-3', '0'),
        quantity_was: stock,
        size: wildText,
      },
      { requiredKeys: [] },
    ),
  )
  .map(([action, identifier, product, { quantity, quantity_change, quantity_was, size }]) => {
    const parameters: Record<string, Record<string, string | undefined>> = {
      '': { product_identifier: product, quantity, size },
      '/update': { quantity, quantity_change, quantity_was },
    };
    const stated = parameters[action] ?? {};
    return anyPost(`/variations${action}.json`, { identifier, ...stated });
  });

const anyOrderId = fc.constantFrom('1', '1', '2', '2', '3', '4', '5', '7', '10', '30', '0');
const missing = fc.constant<string | undefined>(undefined);

const orderList: fc.Arbitrary<AnyRequest> = fc
  .record(
    {
      filter: fc.constantFrom(...Object.keys(filters)),
      status: fc.constantFrom(...orderStatuses),
      sort: fc.constantFrom(...Object.keys(sorts)),
      order_ids: fc.array(anyOrderId, { minLength: 1, maxLength: 4 }).map((ids) => ids.join(',')),
      created_after: fc.constantFrom('0001-01-01T00:00:00Z', '2026-01-01T00:00:00.001Z'),
      page: fc.constantFrom('1', '1', '2', '3', '9'),
      per_page: fc.constantFrom('1', '2', '7', '1000'),
      pagination: fc.constantFrom('true', 'false'),
    },
    { requiredKeys: [] },
  )
  .map((query) => ({ method: 'GET', path: '/orders.json', query: defined(query), sent: {} }));

const order: fc.Arbitrary<AnyRequest> = anyOrderId.map((order_id) => ({
  method: 'GET',
  path: '/orders/retrieve.json',
  query: { order_id },
  sent: {},
}));

const orderWrite: fc.Arbitrary<AnyRequest> = fc
  .tuple(
    fc.constantFrom('acknowledge', 'annotate', 'fulfill', 'fulfill', 'unfulfill', 'refund', 'cancel'),
    anyOrderId,
    fc.record({
      text: wildText,
      carrier: fc.constantFrom('UPS', 'ups', 'pigeon'),
      package_id: fc.constantFrom('box', 'bag'),
      quantity: fc.oneof(missing, fc.constantFrom('1', '2', '9')),
      reason: fc.constantFrom('other', 'out_of_stock', 'boredom'),
      fee: fc.constantFrom('buyer_fee', 'shipping_fee'),
      refund_id: fc.oneof(missing, fc.constantFrom('r1', 'r2')),
      restock: fc.constantFrom('true', 'false'),
      isFull: fc.boolean(),
    }),
  )
  .map(([action, order_id, values]) => {
    const { text, carrier, package_id, quantity, reason, fee, refund_id, restock, isFull } = values;
    const refund = { type: isFull ? 'full' : 'partial', 'fees[]': isFull ? undefined : fee };
    const parameters: Record<string, Record<string, string | undefined>> = {
      acknowledge: { merchant_order_id: text },
      annotate: { annotation: text },
      fulfill: { carrier, tracking_number: text, package_id, quantity },
      unfulfill: { package_id },
      refund: { ...refund, reason, refund_id, restock },
      cancel: { reason, restock },
    };
    return anyPost(`/orders/${action}.json`, { order_id, ...parameters[action] });
  });

const mistake: fc.Arbitrary<AnyRequest> = fc.constantFrom<AnyRequest>(
  { method: 'GET', path: '/nowhere.json', query: {}, sent: {} },
  { method: 'DELETE', path: '/products.json', query: {}, sent: {} },
  { method: 'GET', path: '/campaigns/end.json', query: {}, sent: {} },
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

export const anyRequest: fc.Arbitrary<AnyRequest> = fc.oneof(
  { weight: 8, arbitrary: listing },
  { weight: 6, arbitrary: search },
  { weight: 2, arbitrary: variation },
  { weight: 2, arbitrary: campaign },
  { weight: 3, arbitrary: productWrite },
  { weight: 3, arbitrary: variationWrite },
  { weight: 3, arbitrary: orderList },
  { weight: 1, arbitrary: order },
  { weight: 4, arbitrary: orderWrite },
  { weight: 1, arbitrary: sales },
  { weight: 2, arbitrary: schedules },
  { weight: 1, arbitrary: productSales },
  { weight: 1, arbitrary: mistake },
);

function defined(values: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
