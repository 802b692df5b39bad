import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import type { Database } from '../../src/database/database.ts';
import { insertInto, SHORT_LIST, statement } from '../../src/database/statement.ts';
import { forEachEngine } from '../support/engines.ts';
import { fc } from '../support/seed.ts';
import { TestDatabase } from '../support/test-database.ts';
import { runs } from '../support/thorough.ts';

interface Item {
  owner: number;
  name: string;
  n: number;
}

const insertItem = insertInto<Item>('items', ['owner', 'name', 'n']);
const listItems = statement<{ owner: number; names: readonly string[]; numbers: readonly number[] }, Item>(
  `SELECT name, owner, n FROM items
   WHERE owner = :owner AND (name IN (:names[${SHORT_LIST}]) OR n IN (:numbers[20])) ORDER BY n, name`,
);
const item = { owner: fc.integer({ min: 1, max: 4 }), name: fc.constantFrom('a', 'B', 'é', "'", '?', ':n') };
const anyItem = fc.record({ ...item, n: fc.integer({ min: 0, max: 9 }) });
const anySet = fc.record({
  owner: item.owner,
  names: fc.array(item.name, { minLength: 1, maxLength: SHORT_LIST }),
  numbers: fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 20 }),
});

const lockItem = statement<{ owner: number; name: string }, Item>(
  'SELECT name, owner, n FROM items WHERE owner = :owner AND name = :name',
  { locks: true },
);
const addTo = statement<{ owner: number; name: string }, never>(
  'UPDATE items SET n = n + 1 WHERE owner = :owner AND name = :name',
);

forEachEngine((engine) => {
  const open = async (t: TestContext): Promise<Database> => {
    const store = await TestDatabase.open(engine);
    const { database } = store;
    t.after(() => store.close());
    const { integer, text } = database.dialect;
    const table = `CREATE TABLE items (owner ${integer}, name ${text}, n ${integer})`;
    await database.transaction((connection) => connection.run(statement<unknown, never>(table)));
    return database;
  };

  it('a statement with several sets of parameters reads what it reads with each', async (t) => {
    const database = await open(t);
    const rounds = fc.asyncProperty(fc.array(anyItem), fc.array(anySet), async (items, sets) => {
      await database.transaction(async (connection) => {
        await connection.run(statement<unknown, never>('DELETE FROM items'));
        await connection.runEach(insertItem, items);
        const each = await Promise.all(sets.map((set) => connection.all(listItems, set)));
        assert.deepEqual(await connection.allEach(listItems, sets), each);
      });
    });
    await fc.assert(rounds, { numRuns: runs(30) });
  });

  it('rows that are locked together change only after the transaction', async (t) => {
    const database = await open(t);
    const keys = ['a', 'b'].map((name) => ({ owner: 1, name }));
    await database.transaction((connection) =>
      connection.runEach(
        insertItem,
        keys.map((key) => ({ ...key, n: 0 })),
      ),
    );
    const add = (): Promise<void> =>
      database.transaction(async (connection) => {
        const rows = (await connection.allEach(lockItem, keys)).flat();
        await connection.runEach(addTo, rows);
        const changed = (await connection.allEach(lockItem, keys)).flat();
        assert.deepEqual(
          changed.map(({ n }) => n),
          rows.map(({ n }) => n + 1),
        );
      });
    await Promise.all(Array.from({ length: 20 }, add));
    const found = await database.transaction((connection) => connection.allEach(lockItem, keys));
    assert.deepEqual(
      found.flat().map(({ n }) => n),
      [20, 20],
    );
  });
});
