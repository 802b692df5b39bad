import assert from 'node:assert/strict';
import { it } from 'node:test';
import { testSideOf } from '../../src/database/sides.ts';
import { statement } from '../../src/database/statement.ts';
import { listHistory } from '../../src/products/history/list-history.ts';
import { deleteOldHistory } from '../../src/products/history/retention.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import { forEachEngine } from '../support/engines.ts';
import { useService } from '../support/service.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const PRODUCTS = 2_500;

const count = statement<{ merchantId: number }, { products: number; calls: number }>(
  `SELECT CAST(count(*) AS bigint) AS products,
     (SELECT CAST(count(*) AS bigint) FROM catalog_changes c WHERE c.merchant_id = :merchantId) AS calls
   FROM product_changes WHERE merchant_id = :merchantId`,
);

forEachEngine((engine) => {
  const service = useService(engine);
  const isStopping = (): boolean => false;
  /** Of changed products, and of calls. */
  const countsOf = async (merchantId: number): Promise<unknown[]> => {
    const found = await service().database.first(count, { merchantId });
    return [found?.products, found?.calls];
  };
  const actionsOf = async (merchantId: number, identifier: string): Promise<(string | null)[]> => {
    const list = { merchantId, identifier };
    const { results } = await listHistory(service().database, list, { perPage: 50, after: undefined });
    return results.map(({ action, changes }) => String(changes[0]?.to ?? action));
  };

  it('the history of all catalogs before a time is deleted, and what is newer is kept and listed', async () => {
    const merchant = await service().newMerchant();
    const { database, now } = service();
    const side = { ...merchant, id: testSideOf(merchant.id) };
    const { token } = await service().newTestKey(merchant);
    const headers = { authorization: `Bearer ${token}` };
    const json = { identifier: 'T', title: 'Test' };
    assert.equal((await service().request('POST', '/products', { json, headers })).status, 200);
    const drafts = (title: string) =>
      Array.from({ length: PRODUCTS }, (_, index) => draft(`P${index}`, { title }));
    await importDrafts(service(), merchant, [drafts('one')]);
    await importDrafts(service(), merchant, [drafts('two').slice(0, 1_200), drafts('two').slice(1_200)]);
    service().passTime(DAY_MS);
    await importDrafts(service(), merchant, [drafts('three').slice(0, 10)]);
    assert.deepEqual(await actionsOf(merchant.id, 'P3'), ['three', 'two', 'created']);
    assert.deepEqual(await actionsOf(side.id, 'T'), ['created']);
    await deleteOldHistory(database, now() - 2 * DAY_MS, isStopping);
    assert.deepEqual(await actionsOf(merchant.id, 'P3'), ['three', 'two', 'created']);
    await deleteOldHistory(database, now() - DAY_MS + 1, isStopping);
    assert.deepEqual(await actionsOf(merchant.id, 'P3'), ['three']);
    assert.deepEqual(await actionsOf(merchant.id, 'P2000'), []);
    assert.deepEqual(await actionsOf(side.id, 'T'), []);
    assert.deepEqual(await countsOf(merchant.id), [10, 1]);
    assert.deepEqual(await countsOf(side.id), [0, 0]);
  });

  it('an import of new products adds one row for each transaction, and a reset of the test side deletes all', async () => {
    const merchant = await service().newMerchant();
    const testSide = { id: testSideOf(merchant.id) };
    const { token } = await service().newTestKey(merchant);
    const headers = { authorization: `Bearer ${token}` };
    const lines = (title: string) =>
      Array.from({ length: 300 }, (_, at) => ({ identifier: `T${at}`, title }));
    const send = async (title: string): Promise<void> => {
      const json = lines(title);
      assert.equal((await service().request('POST', '/products/batch', { json, headers })).status, 200);
    };
    await send('one');
    assert.deepEqual(await countsOf(testSide.id), [0, 1]);
    await send('one');
    assert.deepEqual(await countsOf(testSide.id), [0, 1]);
    await send('two');
    assert.deepEqual(await countsOf(testSide.id), [300, 2]);
    assert.deepEqual(await actionsOf(testSide.id, 'T7'), ['two', 'created']);
    assert.deepEqual(await countsOf(merchant.id), [0, 0]);
    assert.equal((await service().request('POST', '/test/reset', { headers })).status, 200);
    assert.deepEqual(await countsOf(testSide.id), [0, 0]);
  });
});
