import assert from 'node:assert/strict';
import { it } from 'node:test';
import { deleteCampaignChanges } from '../../src/campaigns/history-queries.ts';
import { MOST_SEARCHED } from '../../src/console/activity/activity-source.ts';
import type {
  ActivityEntry,
  ActivityList,
  ActivityProducts,
  ChangedProducts,
  ConsoleProductHistory,
} from '../../src/console/activity-api.ts';
import { type CatalogChangeRow, insertCatalogChange } from '../../src/products/record/history-queries.ts';
import { Shop } from '../orders/orders-support.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import { type ConsoleClient, signedIn } from '../support/console.ts';
import { importFile } from '../support/console-imports.ts';
import { forEachEngine } from '../support/engines.ts';
import { importFileByApi } from '../support/imports.ts';
import { importOrderDrafts, orderDraft } from '../support/orders.ts';
import { type TestMerchant, useService } from '../support/service.ts';

forEachEngine((engine) => {
  const service = useService(engine);

  const read = async <Body>(client: ConsoleClient, path: string): Promise<Body> => {
    const response = await client.get(path);
    assert.equal(response.status, 200, response.text);
    return response.json<Body>();
  };

  /** All entries of a list, which is read in parts. */
  const readAll = async (
    client: ConsoleClient,
    filters: Record<string, string> = {},
    limit = 200,
  ): Promise<ActivityEntry[]> => {
    const entries: ActivityEntry[] = [];
    let before = {};
    for (;;) {
      const query = new URLSearchParams({ ...filters, limit: String(limit), ...before });
      const part = await read<ActivityList>(client, `/activity?${query}`);
      assert.ok(part.entries.length <= limit);
      entries.push(...part.entries);
      if (part.next === null) return entries;
      before = { before: part.next };
    }
  };

  const post = async (merchant: TestMerchant, path: string, json: object): Promise<void> => {
    const headers = { authorization: `Bearer ${merchant.token}` };
    const response = await service().request('POST', path, { json, headers });
    assert.equal(response.status, 200, response.text);
  };

  /** A short text for each entry. */
  const inShort = (entry: ActivityEntry): string => {
    switch (entry.about) {
      case 'log':
        return entry.action;
      case 'campaign':
        return `campaign ${entry.action}`;
      case 'orders':
        return `orders ${entry.order_ids.join()}: ${entry.changed} changed, ${entry.created} new`;
      case 'products':
        return `${entry.changed} changed, ${entry.created} new: ${entry.fields.join(' ')}`;
    }
  };

  it('a product’s history names keys, people and imports, newest first, in parts', async () => {
    const merchant = await service().newMerchant();
    const client = await signedIn(service(), merchant);
    await post(merchant, '/products', {
      identifier: 'A',
      title: 'One',
      variations: [{ identifier: 'A-1', quantity: 3 }],
    });
    await post(merchant, '/variations/update', { identifier: 'A-1', quantity: 2 });
    await client.post('/v1/products/update', { identifier: 'A', title: 'Two' });
    const file = await importFile(client, 'stock.csv', 'identifier,brand\nA,Acme\n');
    const token = await service().newOperatorToken();
    await service().operator('PUT', `/merchants/${merchant.id}/products/A/moderation`, token, {
      json: { state: 'banned' },
    });
    const path = '/products/history?identifier=A';
    const { entries, next } = await read<ConsoleProductHistory>(client, path);
    assert.equal(next, null);
    const [moderated, imported, edited, stock, created] = entries;
    assert.equal(entries.length, 5);
    assert.deepEqual([moderated?.who_kind, moderated?.who, moderated?.key_name], ['operator_key', '', null]);
    assert.match(imported?.who ?? '', /^User \d+ <user\d+@example.com>$/);
    const kept = { id: file.id, name: 'stock.csv', is_bulk: false, is_kept: true };
    assert.deepEqual(imported?.import, kept);
    assert.deepEqual(imported?.changes, [{ field: 'brand', variation: null, from: null, to: 'Acme' }]);
    assert.deepEqual([edited?.who_kind, edited?.import], ['merchant_user', null]);
    assert.deepEqual(
      [stock?.who_kind, stock?.who, stock?.key_name],
      ['merchant_key', merchant.keyId, 'default'],
    );
    assert.ok(
      stock?.changes.some(({ variation, from, to }) => variation === 'A-1' && from === 3 && to === 2),
    );
    assert.deepEqual([created?.action, created?.changes], ['created', []]);
    const paged: unknown[] = [];
    for (let page = await read<ConsoleProductHistory>(client, `${path}&limit=2`); ; ) {
      paged.push(...page.entries);
      if (page.next === null) break;
      page = await read<ConsoleProductHistory>(client, `${path}&limit=2&before=${page.next}`);
    }
    assert.deepEqual(paged, entries);
  });

  it('lists changes of products and campaigns with the audit log, each once, however many at a time', async () => {
    const merchant = await service().newMerchant();
    const client = await signedIn(service(), merchant);
    const steps = [
      () => post(merchant, '/products', { identifier: 'A', title: 'One' }),
      () => client.post('/v1/products/update', { identifier: 'A', title: 'Two' }),
      () => client.post('/v1/campaigns', { name: 'Spring', type: 'T' }),
      () => client.post('/keys', { name: 'Sync', expires_at: null }),
      () => client.post('/v1/campaigns/update', { name: 'Spring', bid_amount: 2 }),
      () => importFile(client, 'new.csv', 'identifier,title\nA,Three\nB,One\nC,One\n'),
    ];
    for (const step of steps) {
      service().passTime(1);
      await step();
    }
    const entries = await readAll(client);
    // The log has the time of the clock in its IDs, but is shown by the time of the service.
    assert.deepEqual(entries.map(inShort).toSorted(), [
      '0 changed, 1 new: ',
      '1 changed, 0 new: title',
      '1 changed, 2 new: title',
      'campaign changed',
      'campaign created',
      'key.created',
      'key.created',
      'user.signed_in',
    ]);
    for (const limit of [1, 2, 3]) assert.deepEqual(await readAll(client, {}, limit), entries);
    const times = entries.map(({ at }) => Date.parse(at));
    assert.deepEqual(
      times,
      times.toSorted((one, other) => other - one),
    );
    const changed = entries.find(
      (entry) => entry.about === 'products' && entry.fields[0] === 'title' && entry.created === 0,
    );
    assert.ok(changed?.about === 'products');
    assert.equal(changed.product?.identifier, 'A');
    assert.deepEqual(changed.changes, [{ field: 'title', variation: null, from: 'One', to: 'Two' }]);
    const budget = entries.find((entry) => entry.about === 'campaign' && entry.action === 'changed');
    assert.ok(budget?.about === 'campaign');
    assert.deepEqual(budget.campaign.name, 'Spring');
    assert.deepEqual(budget.changes, [{ field: 'bid_amount', from: null, to: 2 }]);
  });

  it('filters by person, type, day and field, also together', async () => {
    const merchant = await service().newMerchant();
    const client = await signedIn(service(), merchant);
    await post(merchant, '/products', { identifier: 'A', title: 'One' });
    await post(merchant, '/products/update', { identifier: 'A', retail_price: 2 });
    await client.post('/v1/products/update', { identifier: 'A', title: 'Two' });
    await client.post('/v1/campaigns', { name: 'Spring', type: 'T' });
    const token = await service().newOperatorToken();
    await service().operator('PUT', `/merchants/${merchant.id}/products/A/moderation`, token, {
      json: { state: 'banned' },
    });
    const day = (later: number): string =>
      new Date(service().now() + later * 86_400_000).toISOString().slice(0, 10);
    const all = await readAll(client);
    const user = all.find(({ who_kind }) => who_kind === 'merchant_user')?.who ?? '';
    const matches = async (filters: Record<string, string>): Promise<string[]> =>
      (await readAll(client, filters)).map(inShort).toSorted();
    assert.deepEqual(await matches({ who: `key:${merchant.keyId}` }), [
      '0 changed, 1 new: ',
      '1 changed, 0 new: retail_price',
    ]);
    assert.deepEqual(await matches({ who: `user:${user}` }), [
      '1 changed, 0 new: title',
      'campaign created',
      'user.signed_in',
    ]);
    assert.deepEqual(await matches({ who: 'operator', type: 'product' }), [
      '1 changed, 0 new: status moderation',
    ]);
    assert.deepEqual(await matches({ who: 'service' }), []);
    assert.deepEqual(await matches({ type: 'campaign' }), ['campaign created']);
    assert.deepEqual(await matches({ type: 'user' }), ['user.signed_in']);
    assert.deepEqual(await matches({ type: 'key' }), ['key.created']);
    assert.deepEqual(await matches({ field: 'title' }), ['1 changed, 0 new: title']);
    assert.deepEqual(await matches({ field: 'status' }), [
      '1 changed, 0 new: status moderation',
      'campaign created',
    ]);
    assert.deepEqual(await matches({ field: 'status', type: 'campaign' }), ['campaign created']);
    assert.deepEqual(await matches({ day: day(0) }), all.map(inShort).toSorted());
    assert.deepEqual(await matches({ day: day(-2) }), []);
    for (const filter of ['who=nobody', 'type=x', 'day=2026-02-30', 'field=x', 'before=x'])
      assert.equal((await client.get(`/activity?${filter}`)).status, 400, filter);
    const { next } = await read<ActivityList>(client, '/activity?limit=1');
    assert.equal((await client.get(`/activity?limit=1&type=product&before=${next}`)).status, 400);
  });

  it('lists what calls changed in orders, for every role, with the notes and views that only the log has', async () => {
    const shop = await Shop.open(service());
    const { merchant } = shop;
    const viewer = await signedIn(service(), merchant, 'viewer');
    const client = await signedIn(service(), merchant);
    const { order_id } = await shop.push('A1', { product_quantity: 2, customer_name: 'Secret Name' });
    service().passTime(1);
    const drafts = Array.from({ length: 25 }, (_, index) =>
      orderDraft(`S-${index}`, { product_identifier: 'VASE', customer_name: 'Secret Name' }),
    );
    await importOrderDrafts(service(), merchant, [drafts]);
    const ids = Array.from({ length: 25 }, (_, index) => order_id + 1 + index);
    const steps: [path: string, json: object][] = [
      ['fulfill', { carrier: 'UPS', tracking_number: 'Secret1', package_id: 'box', quantity: 1 }],
      ['fulfill', { carrier: 'UPS', tracking_number: 'Secret2', package_id: 'box', quantity: 1 }],
      ['annotate', { annotation: 'Secret note' }],
    ];
    for (const [path, json] of steps) {
      service().passTime(1);
      const changed = await client.post(`/v1/orders/${path}`, { order_id, ...json });
      assert.equal(changed.status, 200, changed.text);
    }
    service().passTime(1);
    await client.post('/orders/reveal', { order_ids: String(order_id) });
    service().passTime(1);
    await shop.post('batch', [
      { order_id: ids[0], action: 'acknowledge' },
      { order_id: ids[1], action: 'acknowledge' },
    ]);
    const entries = await readAll(viewer, { type: 'order' });
    assert.deepEqual(entries.map(inShort), [
      `orders ${ids[0]},${ids[1]}: 2 changed, 0 new`,
      'order.customer_revealed',
      'order.annotated',
      // Only its tracking number has changed.
      'order.fulfilled',
      `orders ${order_id}: 1 changed, 0 new`,
      `orders ${ids.slice(0, 20).join()}: 0 changed, 25 new`,
      `orders ${order_id}: 0 changed, 1 new`,
    ]);
    assert.deepEqual(
      entries.map(({ who_kind }) => who_kind),
      ['merchant_key', ...Array(4).fill('merchant_user'), 'command', 'operator_key'],
    );
    for (const limit of [1, 2]) assert.deepEqual(await readAll(viewer, { type: 'order' }, limit), entries);
    const everything = await readAll(viewer);
    assert.deepEqual(
      everything.filter((entry) => entries.some(({ id }) => id === entry.id)),
      entries,
    );
    const shipped = entries[4];
    assert.ok(shipped?.about === 'orders');
    assert.ok(
      shipped.changes.some(({ field, package: box, to }) => field === 'carrier' && box === 1 && to === 'ups'),
    );
    const matches = async (filters: Record<string, string>): Promise<string[]> =>
      (await readAll(viewer, filters)).map(inShort);
    assert.deepEqual(await matches({ field: 'carrier' }), [inShort(shipped)]);
    assert.deepEqual(await matches({ field: 'acknowledged_at', who: 'operator' }), []);
    assert.equal((await matches({ field: 'acknowledged_at' })).length, 1);
    assert.equal((await matches({ type: 'order', who: 'operator' })).length, 2);
    assert.deepEqual(await matches({ type: 'order', who: `key:${merchant.keyId}` }), []);
    const file = (await viewer.get('/activity.csv?type=order')).text;
    assert.match(file, new RegExp(`,order,User .*,changed,${order_id},1,packages\\[1\\]\\.carrier,,,ups\n`));
    assert.match(file, new RegExp(`,order,command,,created,${ids.slice(0, 20).join(' ')},25,,,,\n`));
    assert.doesNotMatch(JSON.stringify(everything) + file, /secret/i);
  });

  it('an import of many products is one entry, which leads to them', async () => {
    const merchant = await service().newMerchant();
    const client = await signedIn(service(), merchant);
    const first = Array.from({ length: 700 }, (_, index) => draft(`P${index}`, { title: 'One' }));
    await importDrafts(service(), merchant, [first.slice(0, 400), first.slice(400)]);
    const lines = Array.from({ length: 900 }, (_, index) => `P${index},${index < 700 ? 'Two' : 'New'}`);
    const { id } = await importFileByApi(service(), merchant, `identifier,title\n${lines.join('\n')}\n`);
    await post(merchant, '/products/update', { identifier: 'P1', brand: 'Acme' });
    const ofImport = (entries: ActivityEntry[]) => entries.filter((entry) => entry.import?.id === id);
    const [entry, ...others] = ofImport(await readAll(client, {}, 1));
    assert.deepEqual(others, []);
    assert.ok(entry?.about === 'products');
    const { changed, created, fields, product }: ChangedProducts = entry;
    assert.deepEqual(
      { changed, created, fields, product },
      { changed: 700, created: 200, fields: ['title'], product: null },
    );
    assert.equal(ofImport(await readAll(client, { field: 'title' })).length, 1);
    assert.equal(ofImport(await readAll(client, { field: 'brand' })).length, 0);
    const products: ActivityProducts['products'] = [];
    let before = '';
    do {
      const path: string = `/activity/products?id=${entry.id}&limit=150${before}`;
      const part = await read<ActivityProducts>(client, path);
      assert.ok(part.products.length <= 150);
      products.push(...part.products);
      before = part.next === null ? '' : `&before=${part.next}`;
    } while (before !== '');
    const names = Array.from({ length: 900 }, (_, index) => `P${index}`);
    assert.deepEqual(products.map(({ identifier }) => identifier).toSorted(), names.toSorted());
    assert.deepEqual(
      products.map(({ is_new }) => is_new),
      names.map((_, index) => index >= 700),
    );
    const change = { field: 'title', variation: null, from: 'One', to: 'Two' };
    assert.deepEqual(products[0]?.changes, [change]);
    assert.deepEqual(products.at(-1)?.changes, []);
  });

  it('shows what only the log has, from before the history', async () => {
    const merchant = await service().newMerchant();
    const client = await signedIn(service(), merchant);
    await client.post('/v1/campaigns', { name: 'Spring', type: 'T' });
    const short = async (): Promise<string[]> => (await readAll(client)).map(inShort).toSorted();
    assert.deepEqual(await short(), ['campaign created', 'key.created', 'user.signed_in']);
    const upTo = service().now() + 1;
    await service().database.transaction((connection) =>
      connection.run(deleteCampaignChanges, { merchantId: merchant.id, upTo }),
    );
    assert.deepEqual(await short(), ['campaign.created', 'key.created', 'user.signed_in']);
  });

  it('a filtered list searches a limited number of changes for each part, and finds all', async () => {
    const merchant = await service().newMerchant();
    const client = await signedIn(service(), merchant);
    const at = service().now() - 3_600_000;
    const count = 2 * MOST_SEARCHED + 10;
    const rows = Array.from({ length: count }, (_, index): CatalogChangeRow => {
      const isRare = index === 5;
      return {
        merchant_id: merchant.id,
        revision: (at - count + index) * 1000,
        part: 0,
        at: at - count + index,
        actor_kind: isRare ? 'command' : 'merchant_key',
        actor_name: isRare ? '' : merchant.keyId,
        request_id: null,
        import_id: null,
        changed: 1,
        created_from: null,
        created_to: null,
        fields: isRare ? ',brand,' : ',available_quantity,',
      };
    });
    await service().database.transaction(async (connection) => {
      await connection.runEach(insertCatalogChange, rows);
    });
    for (const filters of [{ who: 'operator', type: 'product' }, { field: 'brand' }]) {
      const query = new URLSearchParams(filters);
      const { entries, next } = await read<ActivityList>(client, `/activity?${query}`);
      assert.deepEqual(entries, []);
      assert.notEqual(next, null);
      assert.deepEqual((await readAll(client, filters)).map(inShort), ['1 changed, 0 new: brand']);
    }
    const { entries } = await read<ActivityList>(client, '/activity?limit=200');
    assert.equal(entries.length, 200);
  });

  it('the CSV file has a line for each field that changed, without formulas', async () => {
    const merchant = await service().newMerchant();
    const client = await signedIn(service(), merchant);
    await post(merchant, '/products', { identifier: 'A', title: 'One' });
    await post(merchant, '/products/update', { identifier: 'A', title: '=1+1', retail_price: 2 });
    const response = await client.get('/activity.csv?type=product');
    assert.equal(response.status, 200, response.text);
    assert.equal(response.headers['content-disposition'], 'attachment; filename="activity.csv"');
    const [header, ...lines] = response.text.trimEnd().split('\n');
    assert.equal(header, 'at,type,who,import,action,subject,count,field,variation,from,to');
    const who = `key ${merchant.keyId} default`;
    assert.deepEqual(
      lines.map((line) => line.slice(line.indexOf(',') + 1)),
      [
        `product,${who},,changed,A,1,title,,One,'=1+1`,
        `product,${who},,changed,A,1,retail_price,,,2`,
        `product,${who},,created,A,1,,,,`,
      ],
    );
  });
});
