import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { importScheduleDrafts } from '../support/catalog.ts';
import type { ClientResponse, RequestOptions } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import { importFileByApi, multipartFile } from '../support/imports.ts';
import { type TestMerchant, useService } from '../support/service.ts';
import { until } from '../support/until.ts';

const DAY = 24 * 60 * 60 * 1000;

type Fields = Record<string, string>;
type Item = Record<string, unknown> & {
  identifier: string;
  variations: { identifier: string; quantity: number | null }[];
};

/**
 * Uses only the original's conventions: paths without `.json`, a form with the token for every method, blank
 * values for what the client does not know, a hash of variations, and success by any status but 400, 401, 404
 * and 500.
 */
class OriginalClient {
  readonly #send: (method: string, path: string, form: Fields) => Promise<{ status: number; text: string }>;
  readonly #token: string;

  constructor(
    send: (method: string, path: string, form: Fields) => Promise<{ status: number; text: string }>,
    token: string,
  ) {
    this.#send = send;
    this.#token = token;
  }

  async get<Body>(path: string, form: Fields = {}): Promise<Body> {
    return await this.#call('GET', path, form);
  }

  async post<Body>(path: string, form: Fields): Promise<Body> {
    return await this.#call('POST', path, form);
  }

  async #call<Body>(method: string, path: string, form: Fields): Promise<Body> {
    const { status, text } = await this.#send(method, path, { access_token: this.#token, ...form });
    assert.ok(![400, 401, 404, 500].includes(status), `${method} ${path}: ${status} ${text}`);
    assert.ok(status < 300, `${method} ${path}: ${status} ${text}`);
    return JSON.parse(text) as Body;
  }
}

/** The original's review and health of products, which have no meaning here. */
const workflowNames = [
  ...['in_review_at', 'approved_at', 'refused_at', 'held_at', 'admin_hold_responded_at'],
  ...['health_status', 'health_reason', 'desirability_score'],
];

/** All fields that the original's clients send, blank unless they are known. */
function productForm(known: Fields): Fields {
  const names = [
    ...['identifier', 'title', 'description', 'category', 'condition', 'cost_basis', 'retail_price'],
    ...['minimum_bid_amount', 'starting_bid', 'scheduling_fee_bid', 'success_fee_bid', 'slug', 'upsells'],
    ...['minimum_alerts_needed', 'max_daily_schedules', 'campaign_name', 'primary_image'],
    ...['success_fee_bid_enabled', 'status', 'available_quantity', 'catalog_only_at', ...workflowNames],
    ...['all_images', 'admin_banned_at', 'admin_hold_at', 'admin_reason', 'blacklisted_at'],
  ];
  return {
    ...Object.fromEntries(names.map((name) => [name, ''])),
    buy_one_get_one_available: 'No',
    ...known,
  };
}

forEachEngine((engine) => {
  const service = useService(engine);
  let merchant: TestMerchant;
  let client: OriginalClient;
  before(async () => {
    merchant = await service().newMerchant();
    client = new OriginalClient(
      (method, path, form) => service().request(method, path, { form }),
      merchant.token,
    );
  });

  it('a client of the original creates, reads, changes and deletes products and variations', async () => {
    const created = await client.post<Item>(
      '/products',
      productForm({
        identifier: 'LAMP',
        title: 'Brass lamp',
        category: 'Home|Lighting|Lamps',
        condition: 'Used - Good',
        retail_price: '49.90',
        minimum_bid_amount: '9',
        starting_bid: '9',
        'variations[LAMP-S][quantity]': '3',
        'variations[LAMP-S][size]': 'S',
        'variations[LAMP-L][quantity]': '5',
        'variations[LAMP-L][color]': '',
      }),
    );
    assert.equal(created.category, 'Home | Lighting | Lamps');
    assert.deepEqual(created.variations.map(({ identifier, quantity }) => [identifier, quantity]).sort(), [
      ['LAMP-L', 5],
      ['LAMP-S', 3],
    ]);
    assert.deepEqual(await client.get('/products/retrieve', { identifier: 'LAMP' }), created);
    const found = await client.get<Item[]>('/products/search', {
      query: 'brass',
      status: '',
      page: '',
      per_page: '',
    });
    assert.deepEqual(found, [created]);
    const updated = await client.post<Item>(
      '/products/update',
      productForm({ identifier: 'LAMP', title: 'Tall brass lamp', 'variations[LAMP-M][quantity]': '1' }),
    );
    assert.equal(updated.title, 'Tall brass lamp');
    assert.equal(updated.retail_price, created.retail_price);
    assert.equal(updated.variations.length, 3);
    for (const [path, field] of [
      ['/products/disable', 'disabled_at'],
      ['/products/enable', null],
      ['/products/enable_catalog_only', null],
      ['/products/delete', 'deleted_at'],
    ] as const) {
      const changed = await client.post<Item>(path, { identifier: 'LAMP' });
      assert.equal(changed.disabled_at !== null, field !== null, path);
      assert.equal(changed.deleted_at !== null, field === 'deleted_at', path);
      assert.equal(changed.catalog_only_at !== null, /catalog_only|delete/.test(path), path);
    }
    const back = await client.post<Item>(
      '/products',
      productForm({ identifier: 'LAMP', title: 'Lamp again' }),
    );
    assert.deepEqual([back.title, back.deleted_at], ['Lamp again', null]);
    assert.ok(
      (await client.get<{ field: string }[]>('/products/schema')).some(({ field }) => field === 'title'),
    );
  });

  it('400: names of the original that have no meaning here are ignored blank or null, and refused with a value', async () => {
    const product = { access_token: merchant.token, identifier: 'FLAG', title: 'Flag' };
    await client.post('/products', productForm(product));
    const post = (json: object): Promise<ClientResponse> =>
      service().request('POST', '/products/update', { json: { ...product, ...json } });
    for (const name of workflowNames) {
      assert.equal((await post({ [name]: null })).status, 200);
      assert.equal((await post({ [name]: '' })).status, 200);
      const refused = await post({ [name]: '2026-01-01T00:00:00Z' });
      assert.deepEqual([refused.status, refused.message], [400, `${name}: not supported.`]);
    }
    for (const buy_one_get_one_available of ['No', 'false', '0', false, 0, '', null])
      assert.equal((await post({ buy_one_get_one_available })).status, 200);
    for (const buy_one_get_one_available of ['Yes', 'true', '1', true, 1])
      assert.equal(
        (await post({ buy_one_get_one_available })).message,
        'buy_one_get_one_available: not supported.',
      );
  });

  it('a client of the original reads the messages and the names that it knows', async () => {
    const get = (path: string, query = {}): Promise<ClientResponse> => service().get(path, merchant, query);
    const names = async (path: string): Promise<Record<string, string>> => {
      const fields = (await get(path)).json<{ field: string; name: string }[]>();
      return Object.fromEntries(fields.map(({ field, name }) => [field, name]));
    };
    assert.equal(
      (await get('/products', { foo: '1', bar: '2' })).message,
      'The following parameters were provided but are not recognized: foo, bar.',
    );
    assert.equal(
      (await get('/variations/retrieve', { identifier: '6631A' })).message,
      'There is no variation with the unique ID 6631A.',
    );
    assert.equal((await names('/products/schema')).identifier, 'Unique ID');
    const { identifier, product_identifier } = await names('/variations/schema');
    assert.deepEqual([identifier, product_identifier], ['Variation Unique ID (SKU)', 'Product Unique ID']);
  });

  it('a client of the original has identifiers with periods, and sends quantities as decimals', async () => {
    const { token: access_token } = merchant;
    const created = await client.post<Item>(
      '/products',
      productForm({
        identifier: '6631.A',
        title: 'Jar',
        'variations[6631.A-1.5][quantity]': '999.0',
        'variations[0][identifier]': '6631.A-2.5',
        'variations[0][quantity]': '1.00',
      }),
    );
    assert.deepEqual(created.variations.map(({ identifier, quantity }) => [identifier, quantity]).sort(), [
      ['6631.A-1.5', 999],
      ['6631.A-2.5', 1],
    ]);
    assert.deepEqual(await client.get('/products/retrieve', { identifier: '6631.A' }), created);
    await client.post('/variations/update', { identifier: '6631.A-1.5', quantity: '7.0' });
    const changed = { identifier: '6631.A-1.5', quantity_change: '-2.0', quantity_was: '7.0' };
    assert.equal((await client.post<Item>('/variations/update', changed)).quantity, 5);
    const lid = productForm({ identifier: '6631.B', title: 'Lid', available_quantity: '999.0' });
    assert.equal((await client.post<Item>('/products', lid)).available_quantity, 999);
    const json = [
      { identifier: '6631.A', variation: '6631.A-1.5', quantity: '8.0' },
      { identifier: '6631.C', title: 'Cap' },
    ];
    const batch = await service().request('POST', `/products/batch?access_token=${access_token}`, { json });
    assert.deepEqual(
      batch.json<{ results: { result: string }[] }>().results.map(({ result }) => result),
      ['updated', 'created'],
    );
    const content = 'identifier,title,available_quantity\n6631.D,Dish,3.0\n.,Dot,1\n..,Dots,1\n';
    const { created: imported, rejected } = await importFileByApi(service(), merchant, content);
    assert.deepEqual([imported, rejected], [1, 2]);
    for (const identifier of ['.', '..']) {
      const refused = await service().request('POST', '/products', {
        form: { access_token, identifier, title: 'Dot' },
      });
      assert.deepEqual(
        [refused.status, refused.message],
        [400, 'identifier: expected an identifier other than "." and "..".'],
      );
    }
    const paged = await service().get('/products', merchant, { page: '1.0' });
    assert.match(paged.message, /^page: expected a whole number/);
  });

  it('a client of the original sends variations as a list without keys, in a form and in multipart', async () => {
    const rows: [name: string, value: string][] = [
      ['access_token', merchant.token],
      ['title', 'Bowl'],
      ['variations[][identifier]', 'BOWL-B'],
      ['variations[][quantity]', '1'],
      ['variations[][size]', ''],
      ['variations[][identifier]', 'BOWL-A'],
      ['variations[][quantity]', '1'],
      ['variations[][size]', 'L'],
      // A missing field does not move the fields of later entries.
      ['variations[][identifier]', 'BOWL-C'],
      ['variations[][identifier]', 'BOWL-D'],
      ['variations[][quantity]', '4'],
      // Blank rows of the client's table.
      ['variations[][identifier]', ''],
      ['variations[][quantity]', ''],
    ];
    const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    for (const [identifier, send] of [
      ['FORM', (fields) => ({ ...form, body: new URLSearchParams(fields).toString() })],
      ['MULTIPART', (fields) => ({ multipart: fields })],
    ] as const satisfies [string, (fields: typeof rows) => RequestOptions][]) {
      const named = rows.map(([name, value]): [string, string] => [
        name,
        name === 'variations[][identifier]' && value !== '' ? `${identifier}-${value}` : value,
      ]);
      const sent = send([['identifier', identifier], ...named]);
      const response = await service().request('POST', '/products', sent);
      assert.equal(response.status, 200, response.text);
      assert.deepEqual(
        response
          .json<{ variations: { identifier: string; quantity: number; size: string }[] }>()
          .variations.map((each) => [each.identifier, each.quantity, each.size]),
        [
          [`${identifier}-BOWL-B`, 1, null],
          [`${identifier}-BOWL-A`, 1, 'L'],
          [`${identifier}-BOWL-C`, null, null],
          [`${identifier}-BOWL-D`, 4, null],
        ],
      );
    }
  });

  it('a client of the original copies a product with its internal id and its quantity', async () => {
    const first = await client.post<Item>(
      '/products',
      productForm({ identifier: 'ONE', title: 'One', available_quantity: '2' }),
    );
    for (const [internal_id, available_quantity] of [
      [String(first.internal_id), '999'],
      ['unreadable', 'many'],
      ['none', '0'],
    ] as const) {
      const known = { identifier: `COPY-${internal_id}`, title: 'Copy', internal_id, available_quantity };
      const variations = {
        [`variations[${internal_id}-S][quantity]`]: '3',
        [`variations[${internal_id}-M][quantity]`]: '4',
      };
      const copy = await client.post<Item>(
        '/products',
        productForm({ ...known, ...(internal_id !== 'none' && variations) }),
      );
      assert.notEqual(copy.internal_id, first.internal_id);
      assert.equal(copy.available_quantity, internal_id === 'none' ? 0 : 7);
    }
    for (const [name, value, problem] of [
      ['sales_count', '1', 'sales_count: read-only'],
      ['available_quantity', 'many', 'available_quantity: expected a whole number'],
    ] as const) {
      const { status, message } = await service().request('POST', '/products', {
        form: { access_token: merchant.token, identifier: 'X', title: 'X', [name]: value },
      });
      assert.deepEqual([status, message.startsWith(problem)], [400, true], message);
    }
  });

  it('a client of the original keeps the stock of variations', async () => {
    await client.post('/products', productForm({ identifier: 'CUP', title: 'Cup' }));
    const form = { product_identifier: 'CUP', identifier: 'CUP-1', quantity: '4', size: '', color: 'red' };
    assert.equal((await client.post<Item>('/variations', form)).identifier, 'CUP-1');
    await client.post('/variations/update', { identifier: 'CUP-1', quantity: '9' });
    await client.post('/variations/update', { identifier: 'CUP-1', quantity_change: '-2', quantity: '' });
    assert.equal(
      (await client.get<{ quantity: number }>('/variations/retrieve', { identifier: 'CUP-1' })).quantity,
      7,
    );
    for (const verb of ['disable', 'enable', 'delete'])
      await client.post(`/variations/${verb}`, { identifier: 'CUP-1' });
    assert.ok((await client.get<unknown[]>('/variations/schema')).length > 0);
  });

  it('a client of the original lists products page by page and all that has changed', async () => {
    for (let number = 0; number < 5; number += 1)
      await client.post('/products', productForm({ identifier: `P${number}`, title: `Plate ${number}` }));
    const page = await client.get<{ results: Item[]; total_entries: number }>('/products', {
      status: '',
      category: '',
      sort: '',
      health_status: '',
      page: '2',
      per_page: '2',
      pagination: 'true',
    });
    assert.equal(page.results.length, 2);
    const seen = new Set<string>();
    for (let cursor = 'start', more = true; more; ) {
      const changes = await client.get<{ results: Item[]; cursor: string; more: boolean }>('/products', {
        changed_since: cursor,
        per_page: '3',
      });
      for (const { identifier } of changes.results) seen.add(identifier);
      ({ cursor, more } = changes);
    }
    assert.ok(['P0', 'P1', 'P2', 'P3', 'P4'].every((identifier) => seen.has(identifier)));
    assert.ok(seen.size >= page.total_entries);
  });

  it('a client of the original runs campaigns and reads sales', async () => {
    const form = {
      name: 'Spring',
      type: 'AuctionCampaign',
      daily_budget: '12.5',
      bid_amount: '',
      lifetime_budget: '',
    };
    const { internal_id } = await client.post<{ internal_id: string }>('/campaigns', form);
    const named = { internal_id };
    assert.equal((await client.get<{ name: string }>('/campaigns/retrieve', named)).name, 'Spring');
    await client.post('/campaigns/update', { ...named, name: '', daily_budget: '20' });
    for (const [verb, status] of [
      ['pause', 'Paused'],
      ['resume', 'Active'],
      ['end', 'Expired'],
    ] as const) {
      assert.equal((await client.post<{ status: string }>(`/campaigns/${verb}`, named)).status, status);
    }
    const expired = await client.get<{ name: string; daily_budget: number }[]>('/campaigns', {
      status: 'Expired',
      page: '',
    });
    assert.deepEqual(
      expired.map(({ name, daily_budget }) => [name, daily_budget]),
      [['Spring', 20]],
    );
    await client.post('/products', productForm({ identifier: 'SOLD', title: 'Sold' }));
    await importScheduleDrafts(service(), merchant, [
      [
        {
          schedule_id: 'S-1',
          merchant: null,
          product_identifier: 'SOLD',
          scheduled_at: service().now() - 2 * DAY,
          sold: true,
          sale_price: 10,
          rating: null,
        },
      ],
    ]);
    assert.equal((await client.get<unknown[]>('/performance/sales')).length, 1);
    const [sold, ...others] = await client.get<Record<string, unknown>[]>('/performance/auctions', {
      duration: 'last_30_days',
    });
    const figures = { identifier: 'SOLD', cost_basis: null, schedules: 1, orders: 1, revenue: 0.1 };
    assert.deepEqual([sold?.table, others], [{ ...figures, fees: null, scheduling_fees: null }, []]);
    const { results } = await client.get<{ results: { schedule_id: string }[] }>('/schedules', {
      changed_since: 'start',
    });
    assert.deepEqual(
      results.map(({ schedule_id }) => schedule_id),
      ['S-1'],
    );
    const account = await client.get<{ merchant: unknown }>('/account/me');
    assert.ok(account);
  });

  it('a client of the original changes campaigns by name', async () => {
    const form = { name: 'Autumn', type: 'AuctionCampaign' };
    type Campaign = { internal_id: string; name: string; status: string; daily_budget: number | null };
    const create = (): Promise<Campaign> => client.post<Campaign>('/campaigns', { ...form, bid_amount: '' });
    const call = (path: string, fields: Fields): Promise<ClientResponse> =>
      service().request('POST', path, { form: { access_token: merchant.token, ...fields } });
    const { internal_id } = await create();
    const budgets = { daily_budget: '7.5', lifetime_budget: '', bid_amount: '' };
    const updated = await client.post<Campaign>('/campaigns/update', { ...form, ...budgets });
    assert.deepEqual([updated.internal_id, updated.name, updated.daily_budget], [internal_id, 'Autumn', 7.5]);
    for (const [verb, status] of [
      ['pause', 'Paused'],
      ['resume', 'Active'],
      ['end', 'Expired'],
      ['end', 'Expired'],
    ] as const) {
      const changed = await client.post<Campaign>(`/campaigns/${verb}`, { name: 'Autumn', internal_id: '' });
      assert.deepEqual([changed.internal_id, changed.status], [internal_id, status]);
    }
    const expired = await call('/campaigns/pause', { name: 'Autumn' });
    assert.deepEqual([expired.status, /is expired and cannot be changed/.test(expired.message)], [400, true]);
    const second = await create();
    const other = await client.post<Campaign>('/campaigns/update', { ...form, daily_budget: '8' });
    assert.equal(other.internal_id, second.internal_id);
    const third = await create();
    const several =
      'name: several campaigns that have not expired have this name; send one internal_id of ' +
      `${third.internal_id}, ${second.internal_id}.`;
    for (const [verb, fields] of [
      ['update', { ...form, daily_budget: '9' }],
      ['pause', { name: 'Autumn' }],
      ['resume', { name: 'Autumn' }],
      ['end', { name: 'Autumn' }],
    ] as const) {
      const refused = await call(`/campaigns/${verb}`, fields);
      assert.deepEqual([refused.status, refused.message], [400, several]);
      const unknown = await call(`/campaigns/${verb}`, { ...fields, name: 'None' });
      assert.deepEqual([unknown.status, unknown.message], [404, 'There is no campaign with the name None.']);
      const missing = await call(`/campaigns/${verb}`, { name: '', internal_id: '' });
      assert.match(missing.message, /^internal_id: missing, expected the internal_id or the name/);
    }
    const renamed = await client.post<Campaign>('/campaigns/update', {
      internal_id: third.internal_id,
      name: 'Winter',
    });
    assert.deepEqual([renamed.internal_id, renamed.name], [third.internal_id, 'Winter']);
    const paused = await client.post<Campaign>('/campaigns/pause', { name: 'Autumn' });
    assert.deepEqual([paused.internal_id, paused.status], [second.internal_id, 'Paused']);
    const both = await call('/campaigns/pause', { name: 'Winter', internal_id: second.internal_id });
    assert.deepEqual([both.status, both.message], [400, 'name: send exactly one of internal_id and name.']);
  });

  it('a client of the original uploads a file of products and follows its import', async () => {
    const content = 'identifier,title\nUP-1,Upload\n';
    const file = multipartFile([], { name: 'catalog.csv', content }, [
      ['access_token', merchant.token],
      ['template', 'products'],
    ]);
    const response = await service().request('POST', '/products/upload', file);
    assert.equal(response.status, 202, response.text);
    const { id } = response.json<{ id: string }>();
    await until(
      async () => (await client.get<{ status: string }>('/imports/retrieve', { id })).status === 'done',
    );
    assert.equal((await client.get<Item>('/products/retrieve', { identifier: 'UP-1' })).title, 'Upload');
  });
});
