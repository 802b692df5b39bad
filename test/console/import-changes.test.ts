import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { draft, importDrafts } from '../support/catalog.ts';
import { type ConsoleClient, signedIn } from '../support/console.ts';
import { checkFile, importFile, productLines } from '../support/console-imports.ts';
import { forEachEngine } from '../support/engines.ts';
import { useService } from '../support/service.ts';

forEachEngine((engine) => {
  describe('the preview of a file', () => {
    const service = useService(engine);

    async function newShop(): Promise<ConsoleClient> {
      const merchant = await service().newMerchant();
      await importDrafts(service(), merchant, [
        [
          draft('POT', { title: 'Pot', buy_now_price: 10, available_quantity: 18, brand: 'Clay & Co' }),
          draft('HAT', { title: 'Hat' }, [
            { identifier: 'HAT-S', quantity: 10, size: 'S' },
            { identifier: 'HAT-M', quantity: 20, size: 'M' },
          ]),
          draft('CUP', { title: 'Cup' }),
        ],
      ]);
      return await signedIn(service(), merchant);
    }

    it('names each field that would change, with both values, in the order of the file', async () => {
      const as = await newShop();
      const lines = [
        {
          identifier: 'HAT',
          variations: [
            { identifier: 'HAT-S', quantity: 9 },
            { identifier: 'HAT-L', quantity: 4 },
          ],
        },
        { identifier: 'NEW', title: 'New lamp', buy_now_price: 3.5 },
        { identifier: 'CUP', title: 'Cup' },
        { identifier: 'POT', title: 'Big pot', buy_now_price: null, available_quantity: 15 },
        { identifier: 'POT', buy_now_price: 'much' },
      ].map((line) => `${JSON.stringify({ keep_variations: true, ...line })}\n`);
      const { changes, summary } = await checkFile(as, 'changes.ndjson', lines.join(''));
      assert.deepEqual(
        [summary?.created, summary?.updated, summary?.unchanged, summary?.rejected],
        [1, 2, 1, 1],
      );
      assert.deepEqual(
        changes?.map(({ identifier, title, is_new }) => [identifier, title, is_new]),
        [
          ['HAT', 'Hat', false],
          ['NEW', 'New lamp', true],
          ['POT', 'Big pot', false],
        ],
      );
      const fields = changes?.map((change) =>
        change.fields.map(({ name, before, after }) => `${name}: ${before} → ${after}`),
      );
      assert.deepEqual(fields?.[0], [
        'variations[HAT-S][quantity]: 10 → 9',
        'variations[HAT-L][quantity]: null → 4',
      ]);
      assert.ok(fields?.[1]?.includes('buy_now_price: null → 3.5'), String(fields?.[1]));
      assert.deepEqual(fields?.[2], [
        'title: Pot → Big pot',
        'available_quantity: 18 → 15',
        'buy_now_price: 10 → null',
      ]);
    });

    it('shows the first 100 products, the first 20 fields of each, and the beginnings of long texts', async () => {
      const as = await newShop();
      const variations = Array.from({ length: 30 }, (_, index) => ({
        identifier: `V-${index}`,
        quantity: 1,
      }));
      const first = { identifier: 'LONG', title: 'Long', description: 'x'.repeat(5_000), variations };
      const { changes } = await checkFile(
        as,
        'many.ndjson',
        `${JSON.stringify(first)}\n${productLines(150)}`,
      );
      assert.equal(changes?.length, 100);
      const [long] = changes ?? [];
      const text = long?.fields.find(({ name }) => name === 'description')?.after;
      assert.equal(text, `${'x'.repeat(119)}…`);
      assert.equal(long?.fields.length, 20);
      assert.ok((long?.more_fields ?? 0) > 10);
    });

    it('stays with the result of the import', async () => {
      const as = await newShop();
      const result = await importFile(as, 'price.ndjson', '{"identifier":"POT","buy_now_price":11}\n');
      assert.deepEqual(
        result.changes?.map(({ fields }) => fields),
        [[{ name: 'buy_now_price', before: '10', after: '11' }]],
      );
    });
  });
});
