import assert from 'node:assert/strict';
import { it } from 'node:test';
import { statement } from '../../src/database/database.ts';
import { fillCampaignNames } from '../../src/database/migrations/fill-campaign-names.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import { forEachEngine } from '../support/engines.ts';
import { useDatabase } from '../support/test-database.ts';

const COUNT = 450;

const forget = statement<unknown, never>('UPDATE products SET campaign_name = NULL');
const listNames = statement<{ merchantId: number }, { identifier: string; campaign_name: string | null }>(
  'SELECT identifier, campaign_name FROM products WHERE merchant_id = :merchantId ORDER BY internal_id',
);

forEachEngine((engine) => {
  const store = useDatabase(engine);

  it('the migration finds the campaigns of existing products as later writes do', async () => {
    const { database } = store();
    const merchants = [await store().newMerchant(), await store().newMerchant()];
    for (const [index, merchant] of merchants.entries()) {
      const drafts = Array.from({ length: COUNT }, (_, number) =>
        draft(`P-${number}`, {
          campaign_name: number % 3 === 0 ? null : `Sale "${number % 3}" of ${index}`,
          title: '"campaign_name":"Not this"',
          ...(number % 5 === 0 && { status: 'deleted', deleted_at: '2026-01-01T00:00:00Z' }),
        }),
      );
      await importDrafts(store(), merchant, [drafts]);
    }
    const names = () =>
      Promise.all(merchants.map(({ id: merchantId }) => database.all(listNames, { merchantId })));
    const before = await names();
    assert.equal(before[0]?.filter(({ campaign_name: name }) => name === 'Sale "1" of 0').length, 120);
    await database.transaction(async (connection) => {
      await connection.run(forget);
      await fillCampaignNames(connection);
    });
    assert.deepEqual(await names(), before);
  });
});
