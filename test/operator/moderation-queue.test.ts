import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { statement } from '../../src/database/statement.ts';
import type { DecisionBatchResult } from '../../src/products/moderation/decision-schema.ts';
import type { QueueEntry } from '../../src/products/moderation/list-queue.ts';
import { listQueue, listQueueOfMerchant } from '../../src/products/moderation/queries.ts';
import type { ModerationQueue } from '../../src/products/moderation/queue-schema.ts';
import { DECISIONS_MS, deleteOldDecisions } from '../../src/products/moderation/retention.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import type { ClientResponse } from '../support/client.ts';
import { forEachEngine, sqlite } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { newRandom } from '../support/seed.ts';
import { startTestService, type TestMerchant, useService } from '../support/service.ts';
import { runs } from '../support/thorough.ts';
import { patiently } from '../support/writes.ts';

/** Random writes and decisions. */
const STEPS = runs(250);
const REASON = { code: 'image_missing', field: null, message: 'Add an image.' };
const listAudit = statement<
  { merchantId: number },
  { who_kind: string; action: string; subject: string | null }
>('SELECT who_kind, action, subject FROM audit_entries WHERE merchant_id = :merchantId ORDER BY id');

forEachEngine((engine) => {
  const service = useService(engine, { environment: { MODERATION_QUEUE: 'on' } });
  let token: string;
  before(async () => {
    token = await service().newOperatorToken();
  });

  const write = async (merchant: TestMerchant, path: string, json: object): Promise<ClientResponse> =>
    await patiently(() =>
      service().request('POST', path, { json, headers: { authorization: `Bearer ${merchant.token}` } }),
    );
  const written = async (merchant: TestMerchant, path: string, json: object): Promise<void> => {
    const { status, text } = await write(merchant, path, json);
    assert.equal(status, 200, text);
    service().passTime(1000);
  };
  const readPage = async (query: Record<string, string> = {}): Promise<ModerationQueue> => {
    const response = await service().operator('GET', `/moderation?${new URLSearchParams(query)}`, token);
    assert.equal(response.status, 200, response.text);
    return response.json<ModerationQueue>();
  };
  const readQueue = async (query: Record<string, string> = {}): Promise<QueueEntry[]> => {
    const entries: QueueEntry[] = [];
    for (let after: string | null | undefined; after !== null; ) {
      const page = await readPage({ ...query, ...(after !== undefined && { after }) });
      assert.ok(page.is_on);
      entries.push(...page.results);
      after = page.next;
    }
    return entries;
  };
  const decide = async (lines: readonly unknown[]): Promise<DecisionBatchResult> => {
    const response = await service().operator('POST', '/moderation', token, { json: lines });
    assert.equal(response.status, 200, response.text);
    service().passTime(1000);
    return response.json<DecisionBatchResult>();
  };
  const names = (entries: readonly QueueEntry[]): string[] =>
    entries.map(({ merchant, identifier }) => `${merchant.external_id} ${identifier}`);

  describe('GET /moderation', () => {
    it('lists what merchants create and change, oldest first, with what changed', async () => {
      const merchant = await service().newMerchant();
      const query = { merchant: String(merchant.id) };
      await written(merchant, '/products', { identifier: 'A', title: 'Vase', category: 'Home | Vases' });
      await written(merchant, '/products', { identifier: 'B', title: 'Pot', category: 'Home' });
      const [first, second] = await readQueue(query);
      assert.deepEqual([first?.identifier, second?.identifier], ['A', 'B']);
      assert.deepEqual(
        [first?.is_new, first?.changed, first?.before, first?.state, first?.history],
        [true, [], {}, 'ok', []],
      );
      assert.equal(first?.product.title, 'Vase');
      assert.equal(first.merchant.external_id, String(merchant.id));

      const { results, updated } = await decide([
        { merchant: String(merchant.id), identifier: 'A', state: 'problematic', reasons: [REASON] },
      ]);
      assert.deepEqual([updated, results[0]?.result], [1, 'updated']);
      assert.deepEqual(names(await readQueue(query)), [`${merchant.id} B`]);
      const [other] = await readQueue(query);
      assert.deepEqual(
        other?.similar.map(({ identifier, state, reasons, who }) => [identifier, state, reasons, who]),
        [['A', 'problematic', [REASON], 'operator']],
      );

      await written(merchant, '/products/update', { identifier: 'A', title: 'Blue vase', retail_price: 5 });
      const entry = (await readQueue(query)).find(({ identifier }) => identifier === 'A');
      assert.deepEqual(
        [entry?.is_new, entry?.changed, entry?.before, entry?.state, entry?.reasons],
        [false, ['title', 'retail_price'], { title: 'Vase', retail_price: null }, 'problematic', [REASON]],
      );
      assert.deepEqual(
        entry?.history.map(({ title, state }) => [title, state]),
        [['Vase', 'problematic']],
      );
      const entries = (await service().database.all(listAudit, { merchantId: merchant.id })).filter(
        ({ action }) => action === 'product.moderated',
      );
      assert.deepEqual(
        entries.map((each) => ({ ...each })),
        [{ who_kind: 'operator_key', action: 'product.moderated', subject: 'A' }],
      );
    });

    it('does not list products whose stock, bids or campaigns changed, nor what the operator or a test key wrote', async () => {
      const merchant = await service().newMerchant();
      const query = { merchant: String(merchant.id) };
      await importDrafts(service(), merchant, [
        [draft('A', { title: 'One', available_quantity: 5 }), draft('B', { title: 'Two' })],
      ]);
      for (const change of [
        { available_quantity: 9 },
        { scheduling_fee_bid: 1 },
        { campaign_name: 'Spring' },
        { cost_basis: 2 },
        { days_to_deliver: 3 },
      ])
        await written(merchant, '/products/update', { identifier: 'A', ...change });
      await written(merchant, '/products/batch', [{ identifier: 'A', available_quantity: 2 }]);
      const { token: testToken } = await service().newTestKey(merchant);
      await written({ ...merchant, token: testToken }, '/products', { identifier: 'T', title: 'Test' });
      assert.deepEqual(await readQueue(query), []);
      await written(merchant, '/products/batch', [{ identifier: 'B', description: 'New' }]);
      assert.deepEqual(names(await readQueue(query)), [`${merchant.id} B`]);
    });

    it('a moderation by any call takes a product off the queue, and repeating one records nothing', async () => {
      const merchant = await service().newMerchant();
      const query = { merchant: String(merchant.id) };
      for (const state of ['ok', 'banned', 'ok']) {
        await written(merchant, '/products', { identifier: `P-${state}`, title: state });
        for (let times = 0; times < 2; times += 1) {
          const path = `/merchants/${merchant.id}/products/P-${state}/moderation`;
          const { status, text } = await service().operator('PUT', path, token, { json: { state } });
          assert.equal(status, 200, text);
          assert.deepEqual(await readQueue(query), []);
        }
        await written(merchant, '/products/update', { identifier: `P-${state}`, title: `${state} again` });
        const [entry] = await readQueue(query);
        assert.equal(entry?.history[0]?.title, state);
        await decide([{ merchant: String(merchant.id), identifier: `P-${state}`, state: 'ok' }]);
        await written(merchant, '/products/delete', { identifier: `P-${state}` });
      }
    });

    it('a status in a file of the operator is a review', async () => {
      const merchant = await service().newMerchant();
      await written(merchant, '/products', { identifier: 'A', title: 'One' });
      await importDrafts(service(), merchant, [[draft('A', { status: 'banned' })]]);
      assert.deepEqual(await readQueue({ merchant: String(merchant.id) }), []);
    });

    it('decisions are kept for a year, and the newest one about a product for as long as the product', async () => {
      const merchant = await service().newMerchant();
      const query = { merchant: String(merchant.id) };
      await written(merchant, '/products', { identifier: 'K', title: 'Vase' });
      for (const state of ['problematic', 'ok', 'banned'])
        await decide([{ merchant: String(merchant.id), identifier: 'K', state, reasons: [] }]);
      await written(merchant, '/products/update', { identifier: 'K', title: 'Jar' });
      const kept = async (afterMs: number): Promise<string[] | undefined> => {
        await deleteOldDecisions(service().database, service().now() + afterMs);
        return (await readQueue(query))[0]?.history.map(({ state }) => state);
      };
      assert.deepEqual(await kept(DECISIONS_MS - 60_000), ['banned', 'ok', 'problematic']);
      assert.deepEqual(await kept(DECISIONS_MS + 60_000), ['banned']);
      assert.deepEqual((await readQueue(query))[0]?.changed, ['title']);
    });

    it('400: names a cursor of another list, and a merchant that does not exist', async () => {
      const merchant = await service().newMerchant();
      for (const identifier of ['A', 'B']) await written(merchant, '/products', { identifier, title: 'x' });
      const { next } = await readPage({ limit: '1', merchant: String(merchant.id) });
      const other = await service().operator('GET', `/moderation?after=${next}`, token);
      expectError(other, 400, /^after: a cursor of another list/);
      const none = await service().operator('GET', '/moderation?merchant=nobody', token);
      expectError(none, 400, /^merchant: there is no merchant with the external ID nobody/);
    });

    it('reads an index, of all merchants and of one', async () => {
      const range = { since: 0, merchantId: 1, productId: 0, limit: 20 };
      const { database } = service();
      for (const [read, index] of [
        [listQueue, /products_to_review\b/],
        [listQueueOfMerchant, /products_to_review_of_merchant/],
      ] as const) {
        const isSqlite = engine.name === 'sqlite';
        const explain = statement<typeof range, object>(
          `${isSqlite ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN'} ${read.source}`,
        );
        const plan = await database.transaction(
          async (connection) => {
            // Few products would be read without an index.
            if (!isSqlite) await connection.run(statement<unknown, never>('SET LOCAL enable_seqscan = off'));
            return await connection.all(explain, range);
          },
          { everyNode: true },
        );
        assert.match(JSON.stringify(plan), index);
        assert.doesNotMatch(JSON.stringify(plan), /TEMP B-TREE|Seq Scan|Sort Key/);
      }
    });
  });

  it('GET /moderation: a page of large products ends early, and the next ones have the rest', async () => {
    const owner = await service().newMerchant();
    const description = 'x'.repeat(99_000);
    const identifiers = Array.from({ length: 62 }, (_, index) => `L${index}`);
    for (const identifier of identifiers)
      await written(owner, '/products', { identifier, title: 'L', description });
    const query = { merchant: String(owner.id), limit: '200' };
    const { results, next } = await readPage(query);
    assert.ok(results.length < 62 && next !== null, `${results.length} products in a page`);
    assert.ok(results.every(({ product }) => product.description?.length === 99_000));
    assert.deepEqual(
      (await readQueue(query)).map(({ identifier }) => identifier),
      identifiers,
    );
  });

  describe('POST /moderation', () => {
    it('answers each decision by itself', async () => {
      const merchant = String((await service().newMerchant()).id);
      const owner = { id: Number(merchant) };
      await importDrafts(service(), owner, [[draft('A', { title: 'One' }), draft('B', { title: 'Two' })]]);
      const { results, ...counts } = await decide([
        { merchant, identifier: 'A', state: 'banned', reasons: [REASON] },
        { merchant, identifier: 'A', state: 'banned', reasons: [REASON] },
        { merchant, identifier: 'C', state: 'ok' },
        { merchant: 'nobody', identifier: 'A', state: 'ok' },
        { merchant, identifier: 'B', state: 'good' },
        { merchant, identifier: 'B', state: 'ok', reasons: [REASON] },
        { merchant, identifier: 'B', state: 'banned', version: 'x' },
        { merchant, state: 'ok', other: 1 },
        7,
      ]);
      assert.deepEqual(counts, { updated: 1, unchanged: 1, rejected: 7 });
      assert.deepEqual(
        results.map(({ line, identifier, errors }) => [line, identifier, errors.map(({ name }) => name)]),
        [
          [1, 'A', []],
          [2, 'A', []],
          [3, 'C', ['identifier']],
          [4, 'A', ['merchant']],
          [5, 'B', ['state']],
          [6, 'B', ['reasons']],
          [7, 'B', ['version']],
          [8, null, ['other', 'identifier']],
          [9, null, ['']],
        ],
      );
    });

    it('leaves a product alone that shows something else than the reviewer saw, but not for its stock', async () => {
      const merchant = await service().newMerchant();
      const query = { merchant: String(merchant.id) };
      await written(merchant, '/products', { identifier: 'A', title: 'One' });
      const version = async (): Promise<string | undefined> => (await readQueue(query))[0]?.version;
      const seen = await version();
      const line = { ...query, identifier: 'A', state: 'ok', version: seen };
      await written(merchant, '/products/update', { identifier: 'A', title: 'Other' });
      assert.deepEqual((await decide([line])).results[0]?.errors[0]?.name, 'version');
      assert.notEqual(await version(), seen);
      await written(merchant, '/products/update', { identifier: 'A', title: 'One', available_quantity: 7 });
      assert.equal((await decide([line])).updated, 1);
      assert.deepEqual(await readQueue(query), []);
    });

    it('keeps the first of two decisions that saw the same, unless they agree', async () => {
      const merchant = await service().newMerchant();
      const query = { merchant: String(merchant.id) };
      await written(merchant, '/products', { identifier: 'A', title: 'One' });
      const { version } = (await readQueue(query))[0] ?? assert.fail();
      const line = { ...query, identifier: 'A', version };
      const reasons = [{ code: 'fake', message: 'It is a fake.' }];
      assert.equal((await decide([{ ...line, state: 'banned', reasons }])).updated, 1);
      const second = (await decide([{ ...line, state: 'ok' }])).results[0];
      assert.deepEqual([second?.result, second?.errors[0]?.name], ['rejected', 'version']);
      const [same] = (await decide([{ ...line, state: 'banned', reasons }])).results;
      assert.equal(same?.result, 'unchanged');
      assert.equal((await decide([{ ...query, identifier: 'A', state: 'ok' }])).updated, 1);
    });

    it('400 for more than 200 decisions', async () => {
      const json = Array.from({ length: 201 }, () => ({ merchant: '1', identifier: 'A', state: 'ok' }));
      expectError(
        await service().operator('POST', '/moderation', token, { json }),
        400,
        /more than 200 lines/,
      );
    });
  });

  it('after random writes and decisions, the queue is what a simple model says', async () => {
    const random = newRandom();
    const below = (count: number): number => Math.floor(random.next() * count);
    const oneOf = <T>(values: readonly T[]): T => values[below(values.length)] as T;
    const merchants = [await service().newMerchant(), await service().newMerchant()];
    const others = names(await readQueue());
    /** What a product shows, whether it is deleted, and since which step it waits, with which fields. */
    interface Known {
      shown: Record<string, unknown>;
      isDeleted: boolean;
      since: number | null;
      changed: Set<string>;
      waits: boolean;
    }
    const model = new Map<string, Known>();
    const keyOf = (merchant: TestMerchant, identifier: string): string => `${merchant.id} ${identifier}`;
    const wait = (known: Known, step: number, changed: Iterable<string>): void => {
      for (const name of changed) known.changed.add(name);
      known.waits ||= known.changed.size > 0;
      known.since = known.waits && !known.isDeleted ? (known.since ?? step) : null;
    };
    for (let step = 0; step < STEPS; step += 1) {
      const merchant = oneOf(merchants);
      const identifier = `P${below(6)}`;
      const key = keyOf(merchant, identifier);
      const known = model.get(key);
      const fields: Record<string, unknown> = {
        ...(below(3) === 0 && { title: oneOf(['One', 'Two']) }),
        ...(below(3) === 0 && { retail_price: oneOf([1, 2.5, null]) }),
        ...(below(3) === 0 && { brand: oneOf(['A', null]) }),
        ...(below(2) === 0 && { available_quantity: below(9) }),
      };
      const action = below(10);
      if (action < 2) {
        const shown = { title: 'One', retail_price: null, brand: null };
        const { status } = await write(merchant, '/products', { identifier, title: 'One' });
        if (known === undefined) {
          assert.equal(status, 200);
          const created = { shown, isDeleted: false, since: null, changed: new Set<string>(), waits: false };
          model.set(key, created);
          wait(created, step, ['new']);
        } else if (status === 200) {
          // A deleted product is created again, without its earlier values.
          const changed = Object.entries(shown).filter(([name, value]) => known.shown[name] !== value);
          Object.assign(known, { isDeleted: false, shown });
          wait(
            known,
            step,
            changed.map(([name]) => name),
          );
        }
      } else if (action < 7) {
        const json = { identifier, ...fields };
        const path = below(2) === 0 ? '/products/update' : '/products/batch';
        if (known === undefined || known.isDeleted || Object.keys(fields).length === 0) continue;
        const { status, text } = await write(merchant, path, path === '/products/batch' ? [json] : json);
        assert.equal(status, 200, text);
        const changed = Object.keys(known.shown).filter(
          (name) => fields[name] !== undefined && fields[name] !== known.shown[name],
        );
        for (const name of changed) known.shown[name] = fields[name];
        wait(known, step, changed);
      } else if (action === 7) {
        if (known === undefined || known.isDeleted) continue;
        assert.equal((await write(merchant, '/products/delete', { identifier })).status, 200);
        known.isDeleted = true;
        wait(known, step, []);
      } else {
        const state = oneOf(['ok', 'problematic', 'banned']);
        const { results } = await decide([{ merchant: String(merchant.id), identifier, state }]);
        assert.equal(results[0]?.result === 'rejected', known === undefined);
        if (known !== undefined) Object.assign(known, { since: null, changed: new Set(), waits: false });
      }
      service().passTime(1000);
      if (step % 5 > 0 && step < STEPS - 5) continue;
      const expected = [...model]
        .filter(([, { since }]) => since !== null)
        .sort(([, one], [, other]) => (one.since ?? 0) - (other.since ?? 0));
      const queue = (await readQueue({ limit: '3' })).filter(
        (each) => !others.includes(names([each])[0] ?? ''),
      );
      assert.deepEqual(
        names(queue),
        expected.map(([name]) => name),
        `step ${step}`,
      );
      for (const [index, entry] of queue.entries()) {
        const [, each] = expected[index] ?? assert.fail();
        const { title, retail_price, brand } = entry.product;
        assert.deepEqual({ title, retail_price, brand }, each.shown);
        assert.equal(entry.is_new, each.changed.has('new'));
        if (!entry.is_new) assert.deepEqual(new Set(entry.changed), each.changed);
      }
      for (const owner of merchants) {
        const own = await readQueue({ merchant: String(owner.id) });
        assert.deepEqual(
          names(own),
          names(queue).filter((name) => name.startsWith(`${owner.id} `)),
        );
      }
    }
  });
});

it('without MODERATION_QUEUE, no product waits', async () => {
  await using service = await startTestService(sqlite);
  const token = await service.newOperatorToken();
  const merchant = await service.newMerchant();
  const json = { identifier: 'A', title: 'One' };
  const headers = { authorization: `Bearer ${merchant.token}` };
  assert.equal((await service.request('POST', '/products', { json, headers })).status, 200);
  const response = await service.operator('GET', '/moderation', token);
  assert.deepEqual(response.json(), { is_on: false, results: [], next: null });
});
