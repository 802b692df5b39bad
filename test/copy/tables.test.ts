import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readColumns, tables } from '../../src/copy/tables.ts';
import { statement } from '../../src/database/statement.ts';
import { forEachEngine, sqlite } from '../support/engines.ts';
import { useDatabase } from '../support/test-database.ts';

const listColumnsWithKey = statement<{ table: string }, { name: string; pk: number }>(
  'SELECT name, pk FROM pragma_table_info(:table) ORDER BY pk, cid',
);
forEachEngine((engine) => {
  const opened = useDatabase(engine);

  it('every table of the schema is copied', async () => {
    const { database } = opened();
    const names = (await database.all(database.dialect.listTables)).map(({ name }) => name);
    assert.deepEqual(
      names.filter((name) => name !== 'tradepost_migrations').sort(),
      tables.map(({ name }) => name).sort(),
    );
  });

  // The schema is the same on both engines.
  if (engine !== sqlite) return;

  it('every column is copied, and each table’s primary key is known', async () => {
    const { database } = opened();
    for (const table of tables) {
      const columns = await database.all(listColumnsWithKey, { table: table.name });
      const key = columns.filter(({ pk }) => pk > 0).map(({ name }) => name);
      assert.deepEqual(table.primaryKey, key, table.name);
      const copied = (await readColumns(database, table)).columns;
      assert.deepEqual([...copied].sort(), columns.map(({ name }) => name).sort(), table.name);
    }
  });
});
