import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { collectByMerchant, type MerchantPlace } from '../../src/shared/collect-by-merchant.ts';
import { fc } from '../support/seed.ts';

/** By merchant, the IDs of its records. Candidates without records look like others. */
const catalogs = fc.array(fc.uniqueArray(fc.integer({ min: 1, max: 20 }), { maxLength: 6 }), {
  maxLength: 120,
});

describe('collectByMerchant', () => {
  it('returns each record once, in order, and looks into 41 merchants for a page at most', async () => {
    await fc.assert(
      fc.asyncProperty(catalogs, fc.integer({ min: 1, max: 9 }), async (catalog, limit) => {
        const found: MerchantPlace[] = [];
        let next: MerchantPlace | undefined = { merchantId: 0, id: 0 };
        while (next !== undefined) {
          let looked = 0;
          const sources = {
            candidates: async (after: number, most: number) =>
              catalog
                .map((_, index) => index + 1)
                .filter((id) => id > after)
                .slice(0, most),
            find: async (merchantId: number, before: number, most: number) => {
              looked += 1;
              const ids = (catalog[merchantId - 1] ?? []).filter((id) => id < before);
              return ids
                .sort((one, other) => other - one)
                .slice(0, most)
                .map((id) => ({ merchantId, id }));
            },
          };
          const page: Awaited<ReturnType<typeof collectByMerchant<MerchantPlace>>> = await collectByMerchant(
            sources,
            next,
            limit,
          );
          assert.ok(page.found.length <= limit && looked <= 41);
          found.push(...page.found);
          next = page.next;
        }
        const expected = catalog.flatMap((ids, index) =>
          ids.toSorted((one, other) => other - one).map((id) => ({ merchantId: index + 1, id })),
        );
        assert.deepEqual(found, expected);
      }),
    );
  });
});
