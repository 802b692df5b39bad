import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { changeableVariations, generateDrafts } from '../../bench/service/build-database.ts';
import { NO_LIMITS } from '../../bench/service/servers.ts';
import { importDrafts } from '../support/catalog.ts';
import { sqlite } from '../support/engines.ts';
import { useService } from '../support/service.ts';

/** Enough that some are deleted, whose stock no merchant can change. */
const PRODUCTS = 200;
const SEED = 1;

describe('a benchmark', () => {
  const service = useService(sqlite, { environment: NO_LIMITS });

  it('sends only changes of stock that succeed', async () => {
    const drafts = [...generateDrafts(PRODUCTS, SEED)];
    const deleted = drafts.filter(({ fields }) => fields.status === 'deleted');
    assert.ok(deleted.length > 0);
    const merchant = await service().newMerchant();
    await importDrafts(service(), merchant, [drafts]);
    const variations = changeableVariations(PRODUCTS, SEED);
    assert.equal(variations.length, PRODUCTS - deleted.length);
    for (const identifier of variations) {
      const form = { access_token: merchant.token, identifier, quantity: '7' };
      const response = await service().request('POST', '/variations/update.json', { form });
      assert.equal(response.status, 200, `${identifier}: ${response.text}`);
    }
  });
});
