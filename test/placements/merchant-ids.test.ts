import assert from 'node:assert/strict';
import { it } from 'node:test';
import { intercept } from '../../src/database/intercept.ts';
import { MerchantIds, type SentReference } from '../../src/placements/reserve/merchant-ids.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import { forEachEngine } from '../support/engines.ts';
import { useService } from '../support/service.ts';

forEachEngine((engine) => {
  const service = useService(engine);

  it('looks up what the requests of a call name together, a few merchants at a time', async () => {
    const { database, now } = service();
    let [running, most, lookups] = [0, 0, 0];
    const counted = intercept(database, {
      all: async (...call) => {
        lookups += 1;
        most = Math.max(most, ++running);
        try {
          return await database.all(...call);
        } finally {
          running -= 1;
        }
      },
    });
    const merchants = await Promise.all(Array.from({ length: 25 }, () => service().newMerchant()));
    for (const merchant of merchants) await importDrafts(service(), merchant, [[draft('A'), draft('B')]]);
    const names = merchants.map(({ id }) => String(id));
    const of = (merchant: string, identifier: string | null): SentReference => ({ merchant, identifier });
    const requests = Array.from({ length: 40 }, () =>
      names.flatMap((name) => [of(name, 'A'), of(name, 'B')]),
    );
    const found = await new MerchantIds({ database: counted, now }).find([
      ...requests.flat(),
      of('nobody', 'A'),
    ]);
    assert.deepEqual([lookups, most <= 10], [1 + merchants.length, true]);
    const [one, other] = merchants;
    assert.ok(one !== undefined && other !== undefined);
    const [first, second] = [String(one.id), String(other.id)];
    assert.deepEqual(
      found.of([of(first, 'B'), of(first, 'B'), of(second, null), of(first, 'none'), of('nobody', 'A')]),
      [
        { merchantId: one.id, productId: 2 },
        { merchantId: other.id, productId: null },
      ],
    );
    assert.deepEqual(found.products([of(second, null), of(second, 'A')]), [
      { merchantId: other.id, productId: 1 },
    ]);
  });
});
