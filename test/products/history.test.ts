import assert from 'node:assert/strict';
import { it } from 'node:test';
import { statement } from '../../src/database/statement.ts';
import type { ProductHistory } from '../../src/products/history/list-history.ts';
import { listProductChanges } from '../../src/products/history/queries.ts';
import type { CatalogEntry } from '../../src/products/record/merge-product.ts';
import { parseProduct } from '../../src/products/record/product.ts';
import { type ProductDiff, undo } from '../../src/products/record/product-diff.ts';
import type { StatusBasis } from '../../src/products/record/product-status.ts';
import { Shop } from '../orders/orders-support.ts';
import { asMerchant, draft, importDrafts } from '../support/catalog.ts';
import type { ClientResponse } from '../support/client.ts';
import { signedIn } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { importFileByApi } from '../support/imports.ts';
import { newRandom } from '../support/seed.ts';
import { useService } from '../support/service.ts';
import { streamLines } from '../support/streams.ts';
import { runs } from '../support/thorough.ts';
import { patiently } from '../support/writes.ts';

const STEPS = runs(150);
const MAX_BYTES = 1024 * 1024;

const readStates = statement<
  { merchantId: number },
  StatusBasis & { internal_id: number; identifier: string; history_revision: number; record: string }
>(
  `SELECT internal_id, identifier, history_revision, record, moderation, moderation_reasons, moderated_at,
     stock_tracked, status_sent
   FROM products WHERE merchant_id = :merchantId`,
);

const listKinds = statement<{ merchantId: number }, { actor_kind: string }>(
  'SELECT DISTINCT actor_kind FROM catalog_changes WHERE merchant_id = :merchantId',
);

interface State extends CatalogEntry {
  internalId: number;
  revision: number;
}

forEachEngine((engine) => {
  const service = useService(engine);

  async function statesOf(merchantId: number): Promise<Map<string, State>> {
    const rows = await service().database.all(readStates, { merchantId });
    return new Map(
      rows.map(({ internal_id: internalId, identifier, history_revision: revision, record, ...basis }) => [
        identifier,
        { internalId, revision, product: parseProduct(record), basis },
      ]),
    );
  }

  /** What has to be the same in both: the time of the last change is not recorded. */
  function comparable({ product, basis }: CatalogEntry): unknown {
    return { ...product, updated_at: '', basis };
  }

  it(`after ${STEPS} random changes through every door, the history undoes each product to each earlier state`, async () => {
    const random = newRandom();
    const shop = await Shop.open(service());
    const { merchant, operatorToken } = shop;
    const { id } = merchant;
    const console = await signedIn(service(), merchant);
    const below = (count: number): number => Math.floor(random.next() * count);
    const oneOf = <T>(values: readonly T[]): T => values[below(values.length)] as T;
    const product = (): string => `P${below(6)}`;
    const variation = (of: string): string => `${of}-${below(4)}`;
    const fields = () => ({
      title: oneOf(['One', 'Two', 'Three']),
      ...(below(2) > 0 && { brand: oneOf(['A', 'B', null]) }),
      ...(below(3) === 0 && { buy_now_price: oneOf([1, 2.5, null]) }),
      ...(below(4) === 0 && { campaign_name: oneOf(['Spring', null]) }),
    });
    const variations = (of: string) =>
      [...new Set([variation(of), variation(of)])].map((identifier) => ({ identifier, quantity: below(9) }));
    const upsert = () => {
      const identifier = product();
      return { identifier, ...fields(), ...(below(2) > 0 && { variations: variations(identifier) }) };
    };
    const post = (path: string, json: unknown): Promise<ClientResponse> => {
      const headers = { authorization: `Bearer ${merchant.token}` };
      return patiently(() => service().request('POST', path, { json, headers }));
    };
    const created = await post('/campaigns', { name: 'Spring', type: 'AuctionCampaign' });
    const campaign = created.json<{ internal_id: string }>().internal_id;
    let names = 0;
    let orders = 0;
    const call = (): Promise<ClientResponse> => {
      const of = product();
      return oneOf([
        () => post('/products', { identifier: of, ...fields() }),
        () => post('/products/update', { identifier: of, ...fields() }),
        () => post(`/products/${oneOf(['enable', 'enable_catalog_only', 'disable'])}`, { identifier: of }),
        () => post('/products/delete', { identifier: of }),
        () => post('/variations', { product_identifier: of, identifier: variation(of), quantity: below(9) }),
        () => post('/variations/update', { identifier: variation(of), quantity_change: below(11) - 5 }),
        () => post(`/variations/${oneOf(['disable', 'delete'])}`, { identifier: variation(of) }),
      ])();
    };
    const doors: (() => Promise<unknown>)[] = [
      call,
      // Calls that arrive together share transactions.
      () => Promise.all(Array.from({ length: 8 }, call)),
      () => post('/products/batch', Array.from({ length: 1 + below(6) }, upsert)),
      () => console.request('POST', '/v1/products/update', { json: { identifier: product(), ...fields() } }),
      () => {
        const drafts = Array.from({ length: 1 + below(6) }, () => {
          const { identifier, ...of } = upsert();
          const { variations: some, ...rest } = of;
          return draft(identifier, rest, some || undefined);
        });
        return importDrafts(service(), merchant, [drafts], below(2) > 0 ? { writer: asMerchant } : {});
      },
      () => {
        const stated = { status: oneOf(['in_stock', 'enabled', 'banned', 'disabled'] as const) };
        return importDrafts(service(), merchant, [[draft(product(), stated)]]);
      },
      () => streamLines(service(), merchant, 'products', [upsert()]),
      () => {
        const reasons = [{ code: 'image', field: null, message: oneOf(['Blurred.', 'Missing.']) }];
        const json = below(2) > 0 ? { state: 'ok' } : { state: oneOf(['banned', 'problematic']), reasons };
        const path = `/merchants/${id}/products/${product()}/moderation`;
        return service().operator('PUT', path, operatorToken, { json });
      },
      () => {
        names += 1;
        return post('/campaigns/update', { internal_id: campaign, name: `Spring ${names % 2}` });
      },
      () => {
        orders += 1;
        const sold = { product_identifier: 'VASE', variation_identifier: 'VASE-S', product_quantity: 1 };
        return shop.push(`O-${orders}`, { ...sold, stock: 'reserve' });
      },
      async () => {
        const [paid] = await shop.list({ status: 'paid' });
        if (paid !== undefined)
          await shop.change('cancel', { order_id: paid.order_id, reason: 'out_of_stock' });
      },
    ];
    const seen = new Map<string, State[]>();
    const look = async (): Promise<void> => {
      for (const [identifier, state] of await statesOf(id)) {
        const states = seen.get(identifier) ?? [];
        seen.set(identifier, states);
        const last = states.at(-1);
        if (last?.revision === state.revision) {
          assert.deepEqual(comparable(state), comparable(last), `${identifier} changed without a record`);
        } else states.push(state);
      }
    };
    await look();
    for (let step = 0; step < STEPS; step += 1) {
      service().passTime(below(3));
      await (doors[step] ?? oneOf(doors))();
      await look();
    }
    let undone = 0;
    for (const [identifier, states] of seen) {
      const present = (await statesOf(id)).get(identifier);
      assert.ok(present);
      const { internalId: productId, revision } = present;
      const all = { merchantId: id, productId, revision, limit: 10_000, maxBytes: MAX_BYTES };
      const chain = await service().database.all(listProductChanges, all);
      let state: CatalogEntry = present;
      const former = new Map(states.map((each) => [each.revision, each]));
      for (const { former_revision, changes } of chain) {
        for (const [, diff] of (JSON.parse(changes) as [number, ProductDiff][]).reverse())
          state = undo(state, diff);
        const expected = former.get(former_revision);
        // Several transactions may have run in one step.
        if (expected === undefined) continue;
        assert.deepEqual(comparable(state), comparable(expected), `${identifier} at ${former_revision}`);
        undone += 1;
      }
      assert.equal(chain.at(-1)?.former_revision ?? 0, 0, 'the chain is complete');
    }
    assert.ok(undone > STEPS / 3, `${undone} states were undone`);
    const kinds = await service().database.all(listKinds, { merchantId: id });
    const expected = ['command', 'merchant_key', 'merchant_user', 'operator_key'];
    assert.deepEqual(kinds.map(({ actor_kind }) => actor_kind).sort(), expected);
  });

  it('GET products/history names who changed what, by which call or import, in pages', async () => {
    const merchant = await service().newMerchant();
    const other = await service().newMerchant();
    const token = await service().newOperatorToken();
    const console = await signedIn(service(), merchant);
    const headers = { authorization: `Bearer ${merchant.token}`, 'x-request-id': 'call-1' };
    const json = { identifier: 'A', title: 'One', variations: [{ identifier: 'A-1', quantity: 3 }] };
    await service().request('POST', '/products', { json, headers });
    const sold = { identifier: 'A-1', quantity_change: -1 };
    await service().request('POST', '/variations/update', {
      json: sold,
      headers: { ...headers, 'x-request-id': 'call-2' },
    });
    await console.request('POST', '/v1/products/update', {
      json: { identifier: 'A', title: 'Two', variations: [{ identifier: 'A-2', quantity: 1 }] },
      headers: { 'x-request-id': 'call-3' },
    });
    const imported = await importFileByApi(service(), merchant, 'identifier,brand\nA,Acme\n');
    await service().operator('PUT', `/merchants/${merchant.id}/products/A/moderation`, token, {
      json: { state: 'banned', reasons: [{ code: 'x', field: null, message: 'Not yours.' }] },
      headers: { 'x-request-id': 'call-4' },
    });
    const history = async (query: Record<string, string> = {}): Promise<ProductHistory> => {
      const response = await service().get('/products/history', merchant, { identifier: 'A', ...query });
      assert.equal(response.status, 200, response.text);
      return response.json<ProductHistory>();
    };
    const key = `key ${merchant.keyId}`;
    const { results, more } = await history();
    assert.equal(more, false);
    const [moderated, file, edited, stock, created] = results;
    assert.equal(results.length, 5);
    assert.deepEqual(
      [moderated?.who, moderated?.request_id, moderated?.changes.map(({ field, to }) => [field, to])],
      [
        'operator',
        'call-4',
        [
          ['status', 'banned'],
          ['moderation', 'banned'],
          ['moderation_reasons', 'Not yours.'],
        ],
      ],
    );
    assert.deepEqual([file?.who, file?.import_id], [key, imported.id]);
    assert.deepEqual(file?.changes, [{ field: 'brand', variation: null, from: null, to: 'Acme' }]);
    assert.match(edited?.who ?? '', /^User \d+ <user\d+@example.com>$/);
    assert.equal(edited?.request_id, 'call-3');
    assert.deepEqual(edited?.changes, [
      { field: 'title', variation: null, from: 'One', to: 'Two' },
      { field: 'available_quantity', variation: null, from: 2, to: 3 },
      { field: 'identifier', variation: 'A-2', from: null, to: 'A-2' },
    ]);
    assert.deepEqual([stock?.who, stock?.request_id], [key, 'call-2']);
    assert.deepEqual(stock?.changes, [
      { field: 'available_quantity', variation: null, from: 3, to: 2 },
      { field: 'quantity', variation: 'A-1', from: 3, to: 2 },
    ]);
    assert.deepEqual(
      [created?.action, created?.who, created?.request_id, created?.changes],
      ['created', key, 'call-1', []],
    );
    const paged: unknown[] = [];
    for (let page = await history({ per_page: '2' }); ; ) {
      assert.ok(page.results.length <= 2);
      paged.push(...page.results);
      if (!page.more) break;
      page = await history({ per_page: '2', after: page.cursor });
    }
    assert.deepEqual(paged, results);
    const foreign = await service().get('/products/history', other, { identifier: 'A' });
    assert.equal(foreign.status, 404);
    const testKey = await service().newTestKey(merchant);
    assert.equal((await service().get('/products/history', testKey, { identifier: 'A' })).status, 404);
  });
});
