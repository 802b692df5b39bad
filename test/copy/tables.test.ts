import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isOwned, tables } from '../../src/copy/tables.ts';
import type { Database } from '../../src/database/database.ts';
import { forEachEngine, sqlite } from '../support/engines.ts';
import { useDatabase } from '../support/test-database.ts';

async function columnsOf(database: Database, table: string): Promise<{ name: string; pk: number }[]> {
  return await database.all({ sql: 'SELECT name, pk FROM pragma_table_info(?) ORDER BY pk, cid' }, [table]);
}

/** The columns of each unique index beside the primary key. */
async function uniqueColumnsOf(database: Database, table: string): Promise<string[]> {
  const rows = await database.all<{ columns: string }>(
    {
      sql: `SELECT (SELECT group_concat(c.name) FROM pragma_index_info(i.name) c) AS columns
            FROM pragma_index_list(?) i WHERE i."unique" = 1 AND i.origin <> 'pk'`,
    },
    [table],
  );
  return rows.map(({ columns }) => columns);
}

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

  // Both engines have the schema from the same text.
  if (engine !== sqlite) return;

  it('every column is copied, by the primary key and the unique columns that the table has', async () => {
    const { database } = opened();
    for (const table of tables) {
      const columns = await columnsOf(database, table.name);
      const key = columns.filter(({ pk }) => pk > 0).map(({ name }) => name);
      const others = columns.filter(({ pk }) => pk === 0).map(({ name }) => name);
      assert.deepEqual(table.primaryKey, key, table.name);
      assert.deepEqual([...table.columns].sort(), others.sort(), table.name);
      const unique =
        table.unique === undefined ? [] : [[...(isOwned(table) ? ['merchant_id'] : []), table.unique].join()];
      assert.deepEqual(await uniqueColumnsOf(database, table.name), unique, table.name);
    }
  });
});
