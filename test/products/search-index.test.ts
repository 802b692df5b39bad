import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { statement } from '../../src/database/statement.ts';
import type { Product } from '../../src/products/record/product.ts';
import { indexProducts } from '../../src/products/search-index/index-products.ts';
import { forEachEngine } from '../support/engines.ts';
import { useService } from '../support/service.ts';
import { accepted, postAs } from '../support/writes.ts';

/** Most of the work of a batch of the maximum size, whose titles have as many words as possible. */
const PRODUCTS = 300;
const MAX_TITLE = 1_000;

const countRows = statement<{ merchantId: number }, { rows: number }>(
  'SELECT count(*) AS rows FROM search_words WHERE merchant_id = :merchantId',
);

/** Each character begins a word. Different seeds have hardly any word in common. */
function longTitle(seed: number): string {
  const code = (index: number): number => 0x4e00 + ((index * index * 31 + seed * 7_919 + index) % 20_000);
  return Array.from({ length: MAX_TITLE }, (_, index) => String.fromCodePoint(code(index))).join('');
}

forEachEngine((engine) => {
  const service = useService(engine);
  const rowsOf = async (merchantId: number): Promise<number> =>
    (await service().database.first(countRows, { merchantId }))?.rows ?? 0;

  describe('the search index', () => {
    for (const [kind, title, beginning] of [
      ['a script without spaces', longTitle(1), longTitle(1).slice(60, 70)],
      ['characters that stand for whole words', '㍿'.repeat(MAX_TITLE), '式会社株'],
      ['letters between hyphens', 'ab-cd-'.repeat(MAX_TITLE / 6), 'cd-ab'],
      ['short words', 'ab cd '.repeat(MAX_TITLE / 6), 'cd ab'],
    ] as const) {
      it(`has few rows of a long title in ${kind}, and none once it changes`, async () => {
        const merchant = await service().newMerchant();
        const post = postAs(service, () => merchant);
        accepted(await post('/products', { identifier: 'A', title: title.trim() }));
        const found = await service().get('/products/search', merchant, { query: beginning });
        assert.equal(accepted<Product[]>(found).length, 1);
        assert((await rowsOf(merchant.id)) <= 200);
        accepted(await post('/products/update', { identifier: 'A', title: 'one' }));
        assert.equal(await rowsOf(merchant.id), 1);
      });
    }

    it('lets other work run while many long titles are indexed', async () => {
      const { id: merchantId } = await service().newMerchant();
      const changes = Array.from({ length: PRODUCTS }, (_, index) => ({
        before: undefined,
        after: {
          internal_id: index + 1,
          identifier: `P${index}`,
          status: 'enabled',
          category: null,
          condition: null,
          campaign_name: null,
          buy_now_price: null,
          available_quantity: 0,
          title: longTitle(index),
          created_at: null,
          variations: [],
        },
      }));
      let turns = 0;
      let isOver = false;
      const count = async (): Promise<void> => {
        for (; !isOver; turns += 1) await nextTurn();
      };
      const counting = count();
      await service().database.transaction(
        async (connection) => {
          turns = 0;
          await indexProducts(connection, merchantId, changes);
          isOver = true;
        },
        { merchantId },
      );
      await counting;
      assert(turns >= 5, `${turns} turns of the event loop`);
      assert((await rowsOf(merchantId)) > 10_000);
    });
  });
});
