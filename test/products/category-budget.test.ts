import assert from 'node:assert/strict';
import { it } from 'node:test';
import { statement } from '../../src/database/statement.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import { forEachEngine } from '../support/engines.ts';
import { useDatabase } from '../support/test-database.ts';

const LIMIT = 6;
const findCounters = statement<{ merchantId: number }, { category: string; products: number }>(
  `SELECT * FROM product_counts WHERE merchant_id = :merchantId AND status = '' AND category <> ''`,
);

forEachEngine((engine) => {
  const store = useDatabase(engine);

  async function newCatalog(maxCategories: number | null = LIMIT) {
    const merchant = await store().newMerchant();
    const writer = {
      authority: 'merchant',
      maxCategories,
      onlyListedCategories: false,
      moderationQueue: false,
    } as const;
    const drafts = (categories: Record<string, string | null>) =>
      Object.entries(categories).map(([identifier, category]) => draft(identifier, { category }));
    return {
      byMerchant: (categories: Record<string, string | null>) =>
        importDrafts(store(), merchant, [drafts(categories)], { writer }),
      byOperator: (categories: Record<string, string | null>) =>
        importDrafts(store(), merchant, [drafts(categories)]),
      counters: () => store().database.all(findCounters, { merchantId: merchant.id }),
    };
  }

  it('a row that needs a category beyond the budget is rejected by name, and the others are imported', async () => {
    const { byMerchant, counters } = await newCatalog();
    const { rejections, created } = await byMerchant({
      A: 'Home | Pots | Clay',
      B: 'Home | Pans',
      C: 'Garden | Tools',
      D: 'Garden | Plants',
      E: 'Toys',
      F: 'Home | Pots | Iron',
      G: null,
    });
    assert.equal(created, 6);
    const reason = 'Budget categories exceeded: at most 6 categories in use. Use existing categories.';
    assert.deepEqual(rejections, [{ line: 5, identifier: 'E', column: 'category', value: 'Toys', reason }]);
    assert.equal((await counters()).length, LIMIT);
    assert.equal((await byMerchant({ E: 'Toys' })).rejected, 1);
    assert.equal((await byMerchant({ E: 'Home' })).created, 1);
  });

  it('categories that fall out of use make room, in the same file and in later ones', async () => {
    const { byMerchant, counters } = await newCatalog();
    const named = (round: number) =>
      Object.fromEntries(
        [...Array(LIMIT).keys()].map((number) => [`P${number}`, `Round ${round}-${number}`]),
      );
    for (let round = 0; round < 4; round += 1) {
      assert.equal((await byMerchant(named(round))).rejected, 0);
      // Counters of unused categories are deleted. Otherwise they would accumulate.
      assert.equal((await counters()).length, LIMIT);
    }
    const moved = await byMerchant({ P0: 'Round 3-1', P6: 'New', P7: 'Newer' });
    assert.deepEqual([moved.updated, moved.created, moved.rejected], [1, 1, 1]);
  });

  it('the budget does not bind the operator or a merchant without one, and above it existing categories stay usable', async () => {
    const many = Object.fromEntries([...Array(20).keys()].map((number) => [`P${number}`, `C${number}`]));
    const { byOperator, byMerchant } = await newCatalog();
    assert.equal((await byOperator(many)).created, 20);
    assert.equal((await byMerchant({ ...many, P3: 'C4' })).updated, 1);
    assert.equal((await byMerchant({ P5: 'Renamed' })).updated, 1);
    assert.equal((await byMerchant({ New: 'C5 | Inner' })).rejected, 1);
    const unlimited = await newCatalog(null);
    assert.equal((await unlimited.byMerchant(many)).created, 20);
  });
});
