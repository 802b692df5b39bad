import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { inspect } from 'node:util';
import { ApiError, ConnectionError, type Product, Tradepost } from '../../clients/typescript/src/index.ts';
import { productStatuses } from '../../src/products/record/product.ts';
import { allProducts, draft, importDrafts, importScheduleDrafts } from '../support/catalog.ts';
import { sqlite } from '../support/engines.ts';
import { expectedBody, sortWords } from '../support/listing-model.ts';
import { type TestMerchant, useService } from '../support/service.ts';
import { campaignsOf } from '../support/stored.ts';
import { trustCertificate } from './trust-certificate.ts';

const PRODUCTS = 57;

describe('the TypeScript client', () => {
  const service = useService(sqlite);
  let merchant: TestMerchant;
  let tradepost: Tradepost;

  before(async () => {
    await trustCertificate(service());
    merchant = await service().newMerchant();
    const drafts = Array.from({ length: PRODUCTS }, (_, number) =>
      draft(
        `P-${number}`,
        {
          status: productStatuses[number % 3] ?? null,
          category: number % 2 === 0 ? 'Home | Pots' : 'Garden',
          reserve_price: number % 5 === 0 ? null : number % 7,
        },
        [{ identifier: `P-${number}-S`, size: 'S' }],
      ),
    );
    await importDrafts(service(), merchant, [drafts]);
    await importScheduleDrafts(service(), merchant, [
      [
        {
          merchant: null,
          schedule_id: 'S-1',
          product_identifier: 'P-1',
          scheduled_at: Date.parse('2026-02-10T10:00:00Z'),
          sold: true,
          sale_price: 1999,
          rating: 450,
        },
      ],
    ]);
    tradepost = new Tradepost({ baseUrl: service().baseUrl, token: merchant.token, erpName: 'Northwind' });
  });

  const model = async (query: { status?: string; category?: string[]; sort: string }): Promise<Product[]> => {
    const catalog = await allProducts(service(), merchant);
    const all = { status: undefined, category: undefined, page: 1, perPage: PRODUCTS, summary: false };
    return JSON.parse(expectedBody(catalog, { ...all, ...query }));
  };

  it('returns a page of products, and its position among all products if `pagination` is set', async () => {
    const sort = 'unique_id_descending';
    const expected = await model({ sort });
    assert.deepEqual(await tradepost.listProducts({ sort, per_page: 10, page: 2 }), expected.slice(10, 20));
    const summary = await tradepost.listProducts({ sort, per_page: 10, page: 2, pagination: true });
    assert.deepEqual(summary, {
      results: expected.slice(10, 20),
      from: 11,
      to: 20,
      page: 2,
      per_page: 10,
      total_entries: PRODUCTS,
    });
  });

  it('iterates over changes from the beginning, and then over new ones only', async () => {
    const own = await service().newMerchant();
    const client = new Tradepost({ baseUrl: service().baseUrl, token: own.token });
    await importDrafts(service(), own, [[draft('A'), draft('B'), draft('C')]]);
    const pages = await Array.fromAsync(client.productChanges(undefined, { per_page: 2 }));
    const identifiers = pages.map(({ results }) => results.map(({ identifier }) => identifier));
    assert.deepEqual(identifiers, [['A', 'B'], ['C']]);
    await client.updateProduct({ identifier: 'B', title: 'New' });
    const [changes, ...further] = await Array.fromAsync(client.productChanges(pages.at(-1)?.cursor));
    assert.deepEqual([changes?.results.map(({ title }) => title), further], [['New'], []]);
  });

  it('iterates over every product once, for every sort and page size', async () => {
    const pageSizes = [1, 10, 19, PRODUCTS, 1000];
    for (const [index, sort] of sortWords.entries()) {
      const per_page = pageSizes[index % pageSizes.length] ?? 1;
      const products = await Array.fromAsync(
        tradepost.products({ sort: sort as 'ratings_ascending', per_page }),
      );
      assert.deepEqual(products, await model({ sort }), `${sort}, ${per_page} a page`);
    }
    const oldestFirst = await model({ sort: 'created_at_ascending' });
    assert.deepEqual(await Array.fromAsync(tradepost.products()), oldestFirst);
  });

  it('iterates over the products that match a filter', async () => {
    const filter = { status: 'disabled', category: 'Home|Pots', per_page: 4 } as const;
    const expected = await model({
      status: 'disabled',
      category: ['Home', 'Pots'],
      sort: 'created_at_ascending',
    });
    assert.ok(expected.length > 4);
    assert.deepEqual(await Array.fromAsync(tradepost.products(filter)), expected);
    assert.deepEqual(await Array.fromAsync(tradepost.products({ category: 'Nothing' })), []);
  });

  it('requests a page only when the iteration reaches it, and none after the last', async () => {
    let requests = 0;
    const counting = new Tradepost({
      baseUrl: service().baseUrl,
      token: merchant.token,
      fetch: (url, init) => {
        requests += 1;
        return fetch(url, init);
      },
    });
    for await (const { identifier } of counting.products({ per_page: 5 })) if (identifier === 'P-7') break;
    assert.equal(requests, 2);
    await Array.fromAsync(counting.products({ per_page: 10 }));
    assert.equal(requests, 2 + Math.ceil(PRODUCTS / 10));
  });

  it('returns each existing product once while others are inserted before it', async () => {
    const own = await service().newMerchant();
    const old = (name: string, year: number) => draft(name, { created_at: `${year}-01-01T00:00:00Z` });
    await importDrafts(service(), own, [Array.from({ length: 9 }, (_, n) => old(`OLD-${n}`, 2010 + n))]);
    const client = new Tradepost({ baseUrl: service().baseUrl, token: own.token });
    const seen: string[] = [];
    for await (const { identifier } of client.products({ per_page: 3 })) {
      if (seen.length % 3 === 1) await importDrafts(service(), own, [[old(`NEW-${seen.length}`, 2001)]]);
      seen.push(identifier);
    }
    assert.equal(new Set(seen).size, seen.length);
    const existing = seen.filter((identifier) => identifier.startsWith('OLD'));
    assert.deepEqual(
      existing,
      Array.from({ length: 9 }, (_, n) => `OLD-${n}`),
    );
  });

  it('creates a campaign, only once per idempotency key', async () => {
    const own = await service().newMerchant();
    const client = new Tradepost({ baseUrl: service().baseUrl, token: own.token });
    const parameters = { name: 'Spring & Summer + “more”', type: 'AuctionCampaign', daily_budget: 0.1 };
    const campaign = await client.createCampaign(parameters, { idempotencyKey: 'spring' });
    const { internal_id: id, created_at: createdAt } = campaign;
    assert.deepEqual(campaign, {
      name: 'Spring & Summer + “more”',
      type: 'AuctionCampaign',
      daily_budget: 0.1,
      bid_amount: null,
      status: 'Active',
      daily_budget_per_product: null,
      lifetime_budget: null,
      lifetime_budget_per_product: null,
      internal_id: id,
      created_at: createdAt,
      updated_at: createdAt,
      products: 0,
      spend_today: 0,
      spend: 0,
      placements: 0,
      limited_by: 'no_products',
      hourly_schedule: null,
    });
    assert.deepEqual(await client.createCampaign(parameters, { idempotencyKey: 'spring' }), campaign);
    assert.equal((await campaignsOf(service(), own)).length, 1);
    await client.createCampaign(parameters);
    assert.equal((await campaignsOf(service(), own)).length, 2, 'each call has its own key');
  });

  it('writes with `ifMatch` only if the record is still as it was read', async () => {
    const own = await service().newMerchant();
    const client = new Tradepost({ baseUrl: service().baseUrl, token: own.token });
    const variations = [{ identifier: 'W-S', quantity: 1 }];
    const created = await client.createProduct({ identifier: 'W', title: 'T', variations });
    const read = await client.retrieveProduct({ identifier: 'W' });
    assert.deepEqual(read, created);
    const change = (ifMatch: string | undefined, brand: string) =>
      client.updateProduct({ identifier: 'W', brand }, { ifMatch: ifMatch ?? assert.fail('no ETag') });
    const changed = await change(client.etagOf(read), 'one');
    await assert.rejects(change(client.etagOf(created), 'two'), { name: 'ApiError', status: 412 });
    assert.equal((await change(client.etagOf(changed), 'three')).brand, 'three');
    const variation = await client.retrieveVariation({ identifier: 'W-S' });
    const ifMatch = client.etagOf(variation) ?? assert.fail('no ETag');
    await client.updateVariation({ identifier: 'W-S', quantity: 2 }, { ifMatch });
    const again = client.updateVariation({ identifier: 'W-S', quantity: 3 }, { ifMatch });
    await assert.rejects(again, { status: 412 });
    assert.equal(client.etagOf({ ...read }), undefined);
  });

  it('writes many products in one call', async () => {
    const own = await service().newMerchant();
    const client = new Tradepost({ baseUrl: service().baseUrl, token: own.token });
    const lines = [
      { identifier: 'B1', title: 'T', variations: [{ identifier: 'B1-S', quantity: 1 }] },
      { identifier: 'B1', variation: 'B1-S', quantity_change: 2 },
      { identifier: 'B2' },
    ];
    const { results, ...counts } = await client.writeProducts(lines, { idempotencyKey: 'batch' });
    assert.deepEqual(
      results.map(({ result }) => result),
      ['created', 'updated', 'rejected'],
    );
    assert.deepEqual(counts, { created: 1, updated: 1, unchanged: 0, rejected: 1 });
    assert.deepEqual(await client.writeProducts(lines, { idempotencyKey: 'batch' }), {
      results,
      ...counts,
    });
  });

  it('lists, retrieves and changes campaigns', async () => {
    const own = await service().newMerchant();
    const client = new Tradepost({ baseUrl: service().baseUrl, token: own.token });
    const { internal_id } = await client.createCampaign({ name: 'Spring', type: 'T', bid_amount: 2 });
    const updated = await client.updateCampaign({ internal_id, name: 'Summer' });
    assert.deepEqual([updated.name, updated.bid_amount], ['Summer', 2]);
    assert.equal((await client.pauseCampaign({ internal_id })).status, 'Paused');
    assert.deepEqual(await client.listCampaigns({ status: 'Active' }), []);
    assert.equal((await client.resumeCampaign({ internal_id })).status, 'Active');
    const ended = await client.endCampaign({ internal_id });
    assert.equal(ended.status, 'Expired');
    assert.deepEqual(await client.retrieveCampaign({ internal_id }), ended);
    const page = await client.listCampaigns({ pagination: true });
    assert.deepEqual([page.results, page.total_entries], [[ended], 1]);
  });

  it('reads monthly sales, sales by product, schedules, and a variation', async () => {
    assert.deepEqual(await tradepost.listMonthlySales(), [
      { month: '2026-02', schedules: 1, sell_rate: 1, asp: 19.99, product_rating: 4.5, total_sales: 19.99 },
    ]);
    const duration = 'today';
    service().passTime(Date.parse('2026-02-10T12:00:00Z') - service().now());
    const sold = { identifier: 'P-1', cost_basis: null, schedules: 1, orders: 1, revenue: 19.99 };
    const fees = { fees: null, scheduling_fees: null };
    assert.deepEqual(await tradepost.listProductSales({ duration }), [
      { ...sold, sell_rate: 1, asp: 19.99, ...fees, table: { ...sold, ...fees } },
    ]);
    const changed = await tradepost.listSchedules({ changed_since: 'start' });
    const ofMonth = await tradepost.listSchedules({ month: '2026-02', per_page: 5 });
    assert.deepEqual(ofMonth.results, changed.results);
    assert.deepEqual(
      changed.results.map((schedule) => schedule.schedule_id),
      ['S-1'],
    );
    const after = await tradepost.listSchedules({ changed_since: changed.cursor });
    assert.deepEqual(after, { ...changed, results: [] });
    const variation = await tradepost.retrieveVariation({ identifier: 'P-1-S' });
    assert.deepEqual([variation.product_identifier, variation.size], ['P-1', 'S']);
  });

  it('fails with the status, the message and the request ID of the response', async () => {
    const failure = async (work: Promise<unknown>): Promise<ApiError> => {
      const error = await work.then(() => assert.fail('it succeeded')).catch((error: unknown) => error);
      assert.ok(error instanceof ApiError, inspect(error));
      assert.equal(error.tries, 1);
      assert.match(error.requestId ?? '', /^.+$/);
      return error;
    };
    const missing = await failure(tradepost.retrieveVariation({ identifier: 'P-1-M' }));
    assert.deepEqual(
      [missing.status, missing.message],
      [404, 'There is no variation with the unique ID P-1-M.'],
    );
    const wrong = await failure(tradepost.listProducts({ per_page: 1001, page: Number.NaN }));
    assert.equal(wrong.status, 400);
    assert.match(wrong.message, /^page: .*per_page: /);
    const notANumber = { name: 'N', type: 'T', daily_budget: Number.NaN };
    assert.equal((await failure(tradepost.createCampaign(notANumber))).status, 400);
    const stranger = new Tradepost({ baseUrl: service().baseUrl, token: 'tp_stranger' });
    assert.equal((await failure(stranger.listMonthlySales())).status, 401);
  });

  it('keeps the token out of errors, out of its own inspected form, and out of URLs', async () => {
    const token = 'tp_se cr/et+tökén';
    const urls: string[] = [];
    const sending = { baseUrl: service().baseUrl, token, tries: 1 };
    const failing = (url: string): never => {
      const encoded = encodeURIComponent(token);
      throw new Error(`cannot send ${url}`, { cause: new Error(`${token}, ${encoded}`) });
    };
    const echoing = async (url: string): Promise<Response> =>
      Response.json({ message: url }, { status: 404 });
    const recording = async (url: string, init: RequestInit): Promise<Response> => {
      urls.push(url);
      return await fetch(url, init);
    };
    for (const [send, Kind] of [
      [failing, ConnectionError],
      [echoing, ApiError],
      [recording, ApiError],
    ] as const) {
      const client = new Tradepost({ ...sending, fetch: send });
      const calls = [() => client.listProducts(), () => client.createCampaign({ name: 'N', type: 'T' })];
      for (const call of calls) {
        const error = await call().catch((error: unknown) => error);
        assert.ok(error instanceof Kind, inspect(error));
        for (const shown of [
          inspect(error, { depth: 9, showHidden: true }),
          inspect(client, { showHidden: true }),
        ]) {
          assert.doesNotMatch(shown, /tp_se|et\+t|t%C3%B6k/, shown);
        }
      }
    }
    const paths = ['/products.json', '/campaigns.json'];
    assert.deepEqual(
      urls,
      paths.map((path) => `${service().baseUrl}${path}`),
    );
  });

  it('follows no redirect, and accepts only JSON responses', async () => {
    const elsewhere = [
      [async () => Response.redirect('https://elsewhere.example/', 307), /is a redirect/],
      [async () => new Response('<html>'), /with status 200 that is not the service’s/],
    ] as const;
    for (const [fetch, message] of elsewhere) {
      const client = new Tradepost({ baseUrl: service().baseUrl, token: 'tp_1', fetch });
      await assert.rejects(client.listProducts(), { name: 'ApiError', message, tries: 1 });
    }
    let sent: RequestInit | undefined;
    const fetch = async (_url: string, init: RequestInit): Promise<Response> => {
      sent = init;
      return Response.json([]);
    };
    await new Tradepost({ baseUrl: service().baseUrl, token: 'tp_1', fetch }).listProducts();
    assert.deepEqual([sent?.redirect, sent?.credentials], ['manual', 'omit']);
  });
});

describe('the options of the TypeScript client', () => {
  it('are rejected if the token would not be safe, without repeating them in the error', () => {
    for (const baseUrl of [
      'http://shop.example/v1',
      'shop.example',
      'https://shop.example/v1?access_token=tp_1',
      '',
    ]) {
      assert.throws(
        () => new Tradepost({ baseUrl, token: 'tp_1' }),
        (error) => {
          assert.match(inspect(error), /^TypeError: baseUrl is invalid: expected/);
          return !inspect(error).includes('tp_1');
        },
      );
    }
    assert.throws(() => new Tradepost({ baseUrl: 'https://shop.example/v1', token: ' ' }), /token is blank/);
  });

  it('can end the base URL with a slash', async () => {
    const urls: string[] = [];
    const fetch = async (url: string): Promise<Response> => {
      urls.push(url);
      return Response.json([]);
    };
    for (const baseUrl of ['https://shop.example/v1', 'https://shop.example/v1/']) {
      await new Tradepost({ baseUrl, token: 'tp_1', fetch }).listMonthlySales();
    }
    const expected = 'https://shop.example/v1/performance/sales.json';
    assert.deepEqual(urls, [expected, expected]);
  });
});
