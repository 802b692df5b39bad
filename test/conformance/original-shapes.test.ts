import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { importScheduleDrafts } from '../support/catalog.ts';
import type { ClientResponse } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import { multipartFile, untilEnded } from '../support/imports.ts';
import { createKey } from '../support/keys.ts';
import { type TestMerchant, useService } from '../support/service.ts';

type Form = Record<string, string>;
type Row = Record<string, unknown>;

/** What a value has to look like: a predicate, a list of one shape, or exactly these members in order. */
type Shape = ((value: unknown) => boolean) | readonly [Shape] | { readonly [name: string]: Shape };

const text = (value: unknown): boolean => typeof value === 'string';
const number = (value: unknown): boolean => typeof value === 'number';
const flag = (value: unknown): boolean => typeof value === 'boolean';
const time = (value: unknown): boolean => text(value) && !Number.isNaN(Date.parse(String(value)));
const nothing = (value: unknown): boolean => value === null;
const orNull =
  (shape: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === null || shape(value);

const variationFields = {
  identifier: text,
  internal_id: number,
  size: orNull(text),
  color: orNull(text),
  quantity: orNull(number),
  created_at: time,
  disabled_at: orNull(time),
  deleted_at: orNull(time),
};
const variation = { product_identifier: text, product_internal_id: number, ...variationFields };
const product = {
  identifier: text,
  internal_id: number,
  status: text,
  category: orNull(text),
  title: orNull(text),
  description: orNull(text),
  condition: orNull(text),
  brand: orNull(text),
  material: orNull(text),
  available_quantity: number,
  variations: [variationFields],
  cost_basis: orNull(number),
  retail_price: orNull(number),
  buy_now_price: orNull(number),
  minimum_bid_amount: orNull(number),
  reserve_price: orNull(number),
  scheduling_fee_bid: orNull(number),
  max_daily_schedules: orNull(number),
  campaign_name: orNull(text),
  shipping_price: orNull(number),
  shipping_origin: orNull(text),
  expedited_shipping_price: orNull(number),
  days_to_fulfill: orNull(number),
  days_to_deliver: orNull(number),
  expedited_days_to_deliver: orNull(number),
  weight: orNull(number),
  fulfillment_partner: orNull(text),
  buy_one_get_one_price: orNull(number),
  accessory_price: orNull(number),
  accessory_description: orNull(text),
  primary_image: orNull(text),
  extra_images: orNull(text),
  ratings_average: orNull(number),
  ratings_count: number,
  sales_count: number,
  created_at: time,
  updated_at: time,
  disabled_at: orNull(time),
  deleted_at: orNull(time),
  catalog_only_at: orNull(time),
  starting_bid: orNull(number),
  success_fee_bid: orNull(number),
  success_fee_bid_enabled: flag,
  slug: nothing,
  all_images: [{ square: text, thumbnail: text, medium: text, large: text, original: text }],
  upsells: [{ type_description: text, amount: number, description: orNull(text) }],
  admin_banned_at: orNull(time),
  admin_hold_at: orNull(time),
  admin_reason: orNull(text),
} as const;
const summaryOf = (item: Shape): Shape => ({
  results: [item],
  from: number,
  to: number,
  page: number,
  per_page: number,
  total_entries: number,
});
const slots = Object.fromEntries([...'01234567'].map((slot) => [slot, number]));
const campaign = {
  name: text,
  type: text,
  daily_budget: orNull(number),
  bid_amount: orNull(number),
  status: text,
  daily_budget_per_product: orNull(number),
  lifetime_budget: orNull(number),
  lifetime_budget_per_product: orNull(number),
  internal_id: text,
  created_at: time,
  updated_at: time,
  products: number,
  spend_today: number,
  spend: number,
  placements: number,
  limited_by: orNull(text),
  hourly_schedule: slots,
};
const fields = [{ field: text, name: text, required: flag, readonly: flag, description: text }] as const;
const sales = {
  identifier: text,
  cost_basis: orNull(number),
  schedules: number,
  orders: number,
  revenue: number,
};
const fees = { fees: nothing, scheduling_fees: nothing };
const month = {
  month: text,
  schedules: number,
  sell_rate: number,
  asp: orNull(number),
  product_rating: orNull(number),
  total_sales: number,
};

/** @throws if a value has another shape; a list has to have an item */
function assertShape(value: unknown, shape: Shape, place: string): void {
  if (typeof shape === 'function') {
    assert.ok(shape(value), `${place} is ${JSON.stringify(value)}`);
  } else if (isList(shape)) {
    assert.ok(Array.isArray(value) && value.length > 0, `${place} is ${JSON.stringify(value)}`);
    for (const [index, item] of value.entries()) assertShape(item, shape[0], `${place}[${index}]`);
  } else {
    assert.deepEqual(Object.keys(value as Row), Object.keys(shape), place);
    for (const [name, member] of Object.entries(shape))
      assertShape((value as Row)[name], member, `${place}.${name}`);
  }
}

function isList(shape: Exclude<Shape, (value: unknown) => boolean>): shape is readonly [Shape] {
  return Array.isArray(shape);
}

/** Blank for what the client does not know, and flags in words. */
const { variations: _, ...otherFields } = product;
const blanks: Form = Object.fromEntries(
  [
    ...Object.keys(otherFields),
    ...['minimum_alerts_needed', 'blacklisted_at', 'in_review_at', 'approved_at', 'refused_at', 'held_at'],
    ...['admin_hold_responded_at', 'health_status', 'health_reason', 'desirability_score'],
  ].map((name) => [name, '']),
);
const lamp: Form = {
  ...blanks,
  buy_one_get_one_available: 'No',
  identifier: 'LAMP.1',
  title: 'Brass lamp',
  category: 'Home|Lighting',
  condition: 'Used - Good',
  starting_bid: '9',
  success_fee_bid: '0.75',
  buy_one_get_one_price: '49.9',
  accessory_price: '5.5',
  accessory_description: 'Felt pad',
  primary_image: 'https://images.example.com/front.jpg',
  extra_images: 'https://images.example.com/back.jpg|https://images.example.com/side.jpg',
};

forEachEngine((engine) => {
  const service = useService(engine);
  let merchant: TestMerchant;
  let access_token: string;
  before(async () => {
    merchant = await service().newMerchant();
    const key = { merchantId: merchant.id, name: 'original', expiresAt: null, fields: 'original' } as const;
    access_token = (await createKey(service(), key)).token;
  });

  /** Like clients of the original: the parameters in the post data, of a GET too, or in the query. */
  async function send(method: string, path: string, form: Form = {}): Promise<ClientResponse> {
    const all = { access_token, ...form };
    const inBody = await service().request(method, path, { form: all });
    if (method !== 'GET') return inBody;
    const inQuery = await service().request('GET', `${path}?${new URLSearchParams(all)}`);
    assert.deepEqual([inQuery.status, inQuery.text], [inBody.status, inBody.text], path);
    return inBody;
  }

  async function call<Body = Row>(
    [method, path]: readonly [string, string],
    form: Form,
    shape: Shape,
  ): Promise<Body> {
    const response = await send(method, path, form);
    assert.equal(response.status, 200, `${method} ${path}: ${response.text}`);
    assertShape(response.json(), shape, path);
    return response.json<Body>();
  }

  it('200: products, as clients of the original send and read them', async () => {
    const created = await call(
      ['POST', '/products'],
      {
        ...lamp,
        'variations[S.1][quantity]': '3.0',
        'variations[S.1][size]': 'S',
        'variations[S.1][color]': '',
      },
      product,
    );
    const rows: [string, string][] = [
      ...Object.entries({ access_token, ...lamp, identifier: 'LAMP-2' }),
      ['variations[][identifier]', 'A.1'],
      ['variations[][quantity]', '1'],
      ['variations[][identifier]', 'A.2'],
      ['variations[][quantity]', ''],
    ];
    const listed = await service().request('POST', '/products', { multipart: rows });
    assert.equal(listed.status, 200, listed.text);
    assertShape(listed.json(), product, 'a list of variations');
    const identifier = 'LAMP.1';
    assert.deepEqual(await call(['GET', '/products/retrieve'], { identifier }, product), created);
    const page = { status: '', category: '', sort: '', health_status: '', page: '1', per_page: '50' };
    await call(['GET', '/products'], page, [product]);
    await call(['GET', '/products'], { ...page, pagination: 'true' }, summaryOf(product));
    await call(
      ['GET', '/products'],
      { changed_since: 'start' },
      { results: [product], cursor: text, more: flag },
    );
    const query = { query: 'brass', status: '', page: '', per_page: '', pagination: '' };
    await call(['GET', '/products/search'], query, [product]);
    await call(['GET', '/products/search'], { ...query, pagination: '1' }, summaryOf(product));
    await call(['GET', '/products/schema'], {}, fields);
    const asRead = Object.entries(created).flatMap(([name, value]): [string, string][] =>
      typeof value === 'object' ? [[name, '']] : [[name, String(value)]],
    );
    const { variations: _, ...record } = Object.fromEntries(asRead);
    const same = await call(['POST', '/products/update'], record, product);
    assert.deepEqual(same, created, 'a record in a form, as it was read');
    const changed = await call(['POST', '/products/update'], { ...record, starting_bid: '12' }, product);
    assert.equal(changed.minimum_bid_amount, 12);
    for (const verb of ['disable', 'enable', 'enable_catalog_only', 'enable', 'delete'])
      await call(['POST', `/products/${verb}`], { identifier }, product);
    await call(['POST', '/products'], { ...lamp, 'variations[S.1][quantity]': '1' }, product);
  });

  it('200: variations, as clients of the original send and read them', async () => {
    await send('POST', '/products', { ...lamp, identifier: 'CUP' });
    const form = { product_identifier: 'CUP', identifier: 'CUP.1', quantity: '4', size: '', color: 'red' };
    await call(['POST', '/variations'], form, variation);
    const identifier = 'CUP.1';
    await call(['GET', '/variations/retrieve'], { identifier }, variation);
    await call(['GET', '/variations/schema'], {}, fields);
    await call(
      ['POST', '/variations/update'],
      { identifier, quantity: '9.0', quantity_change: '' },
      variation,
    );
    for (const verb of ['disable', 'enable', 'delete'])
      await call(['POST', `/variations/${verb}`], { identifier }, variation);
  });

  it('200: campaigns, as clients of the original send and read them', async () => {
    const budgets = {
      daily_budget: '12.5',
      bid_amount: '',
      lifetime_budget: '',
      lifetime_budget_per_product: '',
    };
    const form = { name: 'Spring', type: 'AuctionCampaign', ...budgets, 'hourly_schedule[0]': '0' };
    const { internal_id } = await call<{ internal_id: string }>(['POST', '/campaigns'], form, campaign);
    await call(['GET', '/campaigns'], { status: '', page: '', per_page: '' }, [campaign]);
    await call(['GET', '/campaigns'], { pagination: 'true' }, summaryOf(campaign));
    await call(['GET', '/campaigns/retrieve'], { internal_id }, campaign);
    const hours = { 'hourly_schedule[0]': '1', 'hourly_schedule[7]': '0', 'hourly_schedule[3]': '' };
    const updated = await call(
      ['POST', '/campaigns/update'],
      { name: 'Spring', type: 'AuctionCampaign', ...budgets, ...hours },
      campaign,
    );
    assert.deepEqual(Object.values(updated.hourly_schedule as object), [1, 1, 1, 1, 1, 1, 1, 0]);
    for (const verb of ['pause', 'resume', 'end'])
      await call(['POST', `/campaigns/${verb}`], { name: 'Spring' }, campaign);
  });

  it('200: sales, schedules, the account and uploads, as clients of the original send and read them', async () => {
    await send('POST', '/products', { ...lamp, identifier: 'SOLD' });
    const schedule = {
      schedule_id: 'S-1',
      merchant: null,
      product_identifier: 'SOLD',
      sold: true,
      rating: null,
    };
    await importScheduleDrafts(service(), merchant, [
      [{ ...schedule, scheduled_at: service().now() - 24 * 60 * 60 * 1000, sale_price: 1000 }],
    ]);
    await call(['GET', '/performance/sales'], {}, [month]);
    const duration = 'last_30_days';
    await call(['GET', '/performance/auctions'], { duration }, [
      { ...sales, sell_rate: number, asp: orNull(number), ...fees, table: { ...sales, ...fees } },
    ]);
    const account = { id: text, name: text, scopes: [text], expires_at: nothing, fields: text } as const;
    await call(
      ['GET', '/account/me'],
      {},
      { name: text, time_zone: text, currency: text, key: account, mode: text },
    );
    const content = 'identifier,title\nUP-1,Upload\n';
    const file = multipartFile([['access_token', access_token]], { name: 'catalog.csv', content });
    const uploaded = await service().request('POST', '/products/upload', file);
    assert.equal(uploaded.status, 202, uploaded.text);
    const { id } = uploaded.json<{ id: string }>();
    // The record changes until the import has ended.
    await untilEnded(service(), { token: access_token }, id);
    await call(
      ['GET', '/products/retrieve'],
      { identifier: 'UP-1' },
      { ...product, variations: none, all_images: none, upsells: none },
    );
  });

  const none = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

  it('400, 401 and 404: errors have only a message', async () => {
    for (const [status, method, path, form] of [
      [400, 'GET', '/products', { foo: '1' }],
      [400, 'POST', '/products', { identifier: 'X' }],
      [400, 'POST', '/campaigns', { name: 'N', type: 'T', 'hourly_schedule[9]': '1' }],
      [401, 'GET', '/account/me', { access_token: 'wrong' }],
      [404, 'GET', '/products/retrieve', { identifier: 'NONE' }],
      [404, 'POST', '/products/enable_catalog_only', { identifier: 'NONE' }],
      [404, 'GET', '/variations/retrieve', { identifier: 'NONE' }],
      [404, 'POST', '/campaigns/pause', { name: 'NONE' }],
    ] as const) {
      const response = await service().request(method, path, { form: { access_token, ...form } });
      assert.equal(response.status, status, `${method} ${path}: ${response.text}`);
      assertShape(response.json(), { message: text }, path);
    }
  });
});
