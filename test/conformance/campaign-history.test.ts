import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { CampaignDiff } from '../../src/campaigns/campaign-history.ts';
import { deleteOldCampaignHistory } from '../../src/campaigns/history-retention.ts';
import type { ChangedCampaignValue } from '../../src/campaigns/list-history.ts';
import { statement } from '../../src/database/statement.ts';
import type { ListedChange, ListedChanges } from '../../src/products/history/listed-changes.ts';
import { unitsOf } from '../../src/shared/amounts.ts';
import { draft, importDrafts, importFactDrafts } from '../support/catalog.ts';
import { signedIn } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { newRandom } from '../support/seed.ts';
import { useService } from '../support/service.ts';
import { accepted } from '../support/writes.ts';

const STEPS = 80;
const DAY_MS = 24 * 60 * 60 * 1000;

const readCampaign = statement<{ merchantId: number; id: string }, Record<string, unknown>>(
  `SELECT name, type, status, daily_budget, bid_amount, daily_budget_per_product, lifetime_budget,
     lifetime_budget_per_product, hourly_schedule
   FROM campaigns WHERE merchant_id = :merchantId AND id = :id`,
);
const readChanges = statement<
  { merchantId: number; id: string },
  { actor_kind: string; request_id: string | null; changes: string }
>(
  `SELECT actor_kind, request_id, changes FROM campaign_changes
   WHERE merchant_id = :merchantId AND campaign_id = :id ORDER BY written_at DESC, id DESC`,
);

forEachEngine((engine) => {
  const service = useService(engine);

  /** All entries, newest first, in pages. */
  async function historyOf(
    merchant: { token: string },
    id: string,
  ): Promise<ListedChange<ChangedCampaignValue>[]> {
    const entries: ListedChange<ChangedCampaignValue>[] = [];
    for (let query: Record<string, string> = {}; ; ) {
      const parameters = { internal_id: id, per_page: '7', ...query };
      const response = await service().get('/campaigns/history', merchant, parameters);
      assert.equal(response.status, 200, response.text);
      const { results, cursor, more } = response.json<ListedChanges<ChangedCampaignValue>>();
      assert.ok(results.length <= 7);
      entries.push(...results);
      if (!more) return entries;
      query = { after: cursor };
    }
  }

  it(`after ${STEPS} changes by merchant, operator and placements, the history undoes a campaign to each earlier state`, async () => {
    const random = newRandom();
    const below = (count: number): number => Math.floor(random.next() * count);
    const oneOf = <T>(values: readonly T[]): T => values[below(values.length)] as T;
    const { id: merchantId, token } = await service().newMerchant();
    const operatorToken = await service().newOperatorToken();
    const console = await signedIn(service(), { id: merchantId });
    await importDrafts(service(), { id: merchantId }, [[draft('P', { campaign_name: 'One' })]]);
    const headers = { authorization: `Bearer ${token}` };
    const post = (path: string, json: unknown) => service().request('POST', path, { json, headers });
    const created = { name: 'One', type: 'AuctionCampaign', bid_amount: 0.5, lifetime_budget: 40 };
    const { internal_id: id } = accepted<{ internal_id: string }>(await post('/campaigns', created));
    const readState = async (): Promise<string> =>
      JSON.stringify(await service().database.first(readCampaign, { merchantId, id }));
    const amounts = () => ({
      name: oneOf(['One', 'Two']),
      daily_budget: oneOf([null, 5, 7.5]),
      lifetime_budget: oneOf([20, 60, 90]),
      hourly_schedule: oneOf([null, { '0': 0 }]),
    });
    const states = [await readState()];
    let facts = 0;
    const deliver = async (): Promise<void> => {
      facts += 1;
      const fact = { merchant: null, placement_id: `F-${facts}`, campaign_id: id, price: unitsOf(4) };
      const delivered = { product_identifier: 'P', delivered_at: service().now() };
      const { rejections } = await importFactDrafts(service(), { id: merchantId }, [
        [{ ...fact, ...delivered }],
      ]);
      assert.deepEqual(rejections, []);
    };
    const doors: (() => Promise<unknown>)[] = [
      () => post('/campaigns/update', { internal_id: id, ...amounts() }),
      () => post(`/campaigns/${oneOf(['pause', 'resume'])}`, { internal_id: id }),
      () => console.request('POST', '/v1/campaigns/update', { json: { internal_id: id, ...amounts() } }),
      () =>
        service().operator('PUT', `/merchants/${merchantId}/campaigns/${id}/state`, operatorToken, {
          json: { state: oneOf(['Active', 'Paused', 'Lifetime Budget Exhausted']) },
        }),
      deliver,
    ];
    for (let step = 0; step < STEPS; step += 1) {
      // At first, until the lifetime budget is spent.
      await (step < 10 ? deliver : oneOf(doors))();
      const state = await readState();
      if (state !== states.at(-1)) states.push(state);
    }
    const rows = await service().database.all(readChanges, { merchantId, id });
    assert.equal(rows.length, states.length, 'one row for the creation and for each change');
    let state: Record<string, unknown> = JSON.parse(states.at(-1) ?? '');
    for (const [index, { changes, actor_kind, request_id }] of rows.entries()) {
      assert.deepEqual(state, JSON.parse(states.at(-1 - index) ?? ''));
      assert.equal(request_id === null, actor_kind === 'service', actor_kind);
      for (const [name, [from, to]] of Object.entries(JSON.parse(changes) as CampaignDiff)) {
        assert.deepEqual(state[name], to);
        state = { ...state, [name]: from };
      }
    }
    assert.ok(
      Object.values(state).every((value) => value === null),
      'before its creation, it has no values',
    );
    const kinds = new Set(rows.map(({ actor_kind }) => actor_kind));
    assert.deepEqual([...kinds].sort(), ['merchant_key', 'merchant_user', 'operator_key', 'service']);

    const listed = await historyOf({ token }, id);
    assert.deepEqual(
      listed.map(({ changes }) =>
        Object.fromEntries(changes.map(({ field, from, to }) => [field, [from, to]])),
      ),
      rows.map(({ changes }) => JSON.parse(changes)),
    );
    assert.deepEqual(
      listed.map(({ action, request_id, import_id }) => [action, request_id, import_id]),
      rows.map(({ request_id }, index) => [
        index === rows.length - 1 ? 'created' : 'changed',
        request_id,
        null,
      ]),
    );
    const authors = new Set(listed.map(({ who }) => who.replace(/\d+/g, '1')));
    const expected = ['Tradepost', 'User 1 <user1@example.com>', 'key 1-1', 'operator'];
    assert.deepEqual([...authors].sort(), expected);

    const { database, now } = service();
    service().passTime(DAY_MS);
    accepted(await post('/campaigns/end', { internal_id: id }));
    await deleteOldCampaignHistory(database, now() - 2 * DAY_MS, () => false);
    assert.equal((await database.all(readChanges, { merchantId, id })).length, rows.length + 1);
    await deleteOldCampaignHistory(database, now() - 1, () => false);
    const [last, ...others] = await database.all(readChanges, { merchantId, id });
    assert.equal(others.length, 0);
    assert.match(last?.changes ?? '', /"Expired"/);
    const [ended, ...earlier] = await historyOf({ token }, id);
    assert.deepEqual([ended?.action, earlier], ['changed', []]);
  });

  it('GET campaigns/history has only the campaigns of its merchant and side, and a cursor continues only its own list', async () => {
    const merchant = await service().newMerchant();
    const other = await service().newMerchant();
    const create = async (name: string): Promise<string> => {
      const headers = { authorization: `Bearer ${merchant.token}` };
      const json = { name, type: 'AuctionCampaign', bid_amount: 0.5 };
      const response = await service().request('POST', '/campaigns', { json, headers });
      return accepted<{ internal_id: string }>(response).internal_id;
    };
    const [one, two] = [await create('One'), await create('Two')];
    const [created, ...others] = await historyOf(merchant, one);
    assert.deepEqual([created?.action, others], ['created', []]);
    assert.deepEqual(created?.changes, [
      { field: 'name', from: null, to: 'One' },
      { field: 'type', from: null, to: 'AuctionCampaign' },
      { field: 'status', from: null, to: 'Active' },
      { field: 'bid_amount', from: null, to: 0.5 },
    ]);
    const get = (of: { token: string }, query: Record<string, string>) =>
      service().get('/campaigns/history', of, query);
    const testKey = await service().newTestKey(merchant);
    for (const caller of [other, testKey])
      expectError(await get(caller, { internal_id: one }), 404, new RegExp(one));
    const { cursor } = (await get(merchant, { internal_id: one })).json<{ cursor: string }>();
    const continued = await get(merchant, { internal_id: two, after: cursor });
    expectError(continued, 400, /a cursor of another list/);
    const last = await get(merchant, { internal_id: one, after: cursor });
    assert.deepEqual(last.json(), { results: [], cursor, more: false });
  });
});
