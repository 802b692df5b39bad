import assert from 'node:assert/strict';
import { it } from 'node:test';
import { statement } from '../../src/database/database.ts';
import { moderation } from '../../src/database/migrations/0007-moderation.ts';
import { productStatuses } from '../../src/products/record/product.ts';
import { allProducts, draft, importDrafts } from '../support/catalog.ts';
import { forEachEngine } from '../support/engines.ts';
import { useDatabase } from '../support/test-database.ts';

const COLUMNS = ['moderation', 'stock_tracked', 'status_stated'];

forEachEngine((engine) => {
  const store = useDatabase(engine);

  it('the moderation migration keeps every ban, and every status until the stock changes', async () => {
    const { database } = store();
    const merchant = await store().newMerchant();
    const rows = productStatuses.flatMap((status) =>
      [0, 100].map((available_quantity) =>
        draft(`${status} ${available_quantity}`, { status, available_quantity }),
      ),
    );
    await importDrafts(store(), merchant, [rows]);
    const before = await allProducts(store(), merchant);
    await database.transaction(async (connection) => {
      await connection.run(
        statement<unknown, never>(`INSERT INTO product_counts VALUES (${merchant.id}, '', 'Gone', 0)`),
      );
      for (const column of COLUMNS)
        await connection.run(statement<unknown, never>(`ALTER TABLE products DROP COLUMN ${column}`));
      for (const sql of moderation(database.dialect)) await connection.run(statement<unknown, never>(sql));
    });
    assert.deepEqual(await allProducts(store(), merchant), before);
    const listStatuses = statement<unknown, { status: string; moderation: string }>(
      'SELECT DISTINCT status, moderation FROM products ORDER BY status',
    );
    const found = await database.all(listStatuses);
    for (const row of found) {
      const isModerated = row.status === 'banned' || row.status === 'problematic';
      assert.equal(row.moderation, isModerated ? row.status : 'ok');
    }
    assert.deepEqual(
      await database.all(statement<unknown, unknown>('SELECT * FROM product_counts WHERE products = 0')),
      [],
    );

    const change = async (fields: (identifier: string) => object): Promise<string[]> => {
      const drafts = before.map(({ identifier }) => draft(identifier, fields(identifier)));
      const { rejections } = await importDrafts(store(), merchant, [drafts], {
        writer: { authority: 'merchant', maxCategories: null },
      });
      assert.deepEqual(rejections, []);
      return (await allProducts(store(), merchant)).map(({ status }) => status);
    };
    const statuses = before.map(({ status }) => status);
    assert.deepEqual(await change(() => ({ title: 'T' })), statuses);
    const fixed = ['banned', 'problematic', 'disabled', 'deleted'];
    assert.deepEqual(
      await change(() => ({ available_quantity: 50 })),
      statuses.map((status) => (fixed.includes(status) ? status : 'in_stock')),
    );
  });
});
