import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import type { Connection, Database } from '../../src/database/database.ts';
import { mergeWrites } from '../../src/database/postgres/merge-writes.ts';
import { insertInto, statement, updateIn, upsertInto } from '../../src/database/statement.ts';
import { forEachEngine } from '../support/engines.ts';
import { fc } from '../support/seed.ts';
import { TestDatabase } from '../support/test-database.ts';
import { runs } from '../support/thorough.ts';

const insertNumber = insertInto<{ n: number }>('numbers', ['n']);
const double = statement<{ n: number }, never>('UPDATE numbers SET n = 2 * n WHERE n = :n');
const listNumbers = statement<unknown, { n: number }>('SELECT n FROM numbers ORDER BY n');

const numbers = (count: number): { n: number }[] =>
  Array.from({ length: count }, (_, index) => ({ n: index + 1 }));

async function stored(database: Pick<Database, 'all'>): Promise<number[]> {
  return (await database.all(listNumbers)).map(({ n }) => n);
}

interface Item {
  id: number;
  value: string;
}

const tables = ['one', 'two', 'three'] as const;
const statementsOf = (table: string) => ({
  insert: insertInto<Item>(table, ['id', 'value']),
  update: updateIn<Item>(table, ['id'], ['value']),
  append: statement<Item, never>(
    `INSERT INTO ${table} (id, value) VALUES (:id, :value)
     ON CONFLICT (id) DO UPDATE SET value = ${table}.value || excluded.value`,
  ),
  put: upsertInto<Item>(table, ['id'], ['value'], 'DO UPDATE SET value = excluded.value'),
  add: upsertInto<Item>(table, ['id'], ['value'], 'DO NOTHING'),
  remove: statement<Item, never>(`DELETE FROM ${table} WHERE id = :id AND value <> :value`),
  copyFirst: statement<Item, never>(
    `UPDATE ${table} SET value = coalesce((SELECT value FROM one WHERE one.id = 0), '') || :value WHERE id = :id`,
  ),
  list: statement<unknown, Item>(`SELECT id, value FROM ${table} ORDER BY id`),
});
const byTable = { one: statementsOf('one'), two: statementsOf('two'), three: statementsOf('three') };

const anyItem = fc.record({
  id: fc.integer({ min: 0, max: 9 }),
  value: fc.string({ unit: 'grapheme', maxLength: 3 }),
});
const anyTable = fc.constantFrom(...tables);
const someItems = { minLength: 1, maxLength: 8 };
const anyWrite = fc.oneof(
  fc.record({
    table: anyTable,
    kind: fc.constantFrom('update', 'append', 'add', 'remove', 'copyFirst'),
    items: fc.array(anyItem, someItems),
  }),
  fc.record({
    table: anyTable,
    kind: fc.constant('put'),
    items: fc.uniqueArray(anyItem, { ...someItems, selector: ({ id }) => id }),
  }),
);

it('writes are joined unless they write the same table or read', () => {
  const write = (sql: string) => ({ sql, values: [sql] });
  const sqlOf = (...writes: string[]): string[] => mergeWrites(writes.map(write)).map(({ sql }) => sql);
  const [a, b] = ['UPDATE a SET n = ?', 'INSERT INTO b (n) VALUES (?)'];
  assert.deepEqual(sqlOf(a), [a]);
  assert.deepEqual(sqlOf(a, b), [`WITH w0 AS (${a}) ${b}`]);
  assert.deepEqual(sqlOf(a, a, b), [a, `WITH w0 AS (${a}) ${b}`]);
  assert.deepEqual(sqlOf(a, b, 'DELETE FROM a WHERE n = ?'), [
    `WITH w0 AS (${a}) ${b}`,
    'DELETE FROM a WHERE n = ?',
  ]);
  for (const reading of [
    'UPDATE c SET n = (SELECT n FROM a WHERE m = ?)',
    'UPDATE c SET n = a.n FROM a WHERE a.m = ?',
    'DELETE FROM c USING a WHERE a.m = ?',
    'INSERT INTO c (n) SELECT n FROM a WHERE m = ?',
  ])
    assert.deepEqual(sqlOf(a, reading, b), [a, reading, b]);
  assert.deepEqual(mergeWrites([write(a), write(b)])[0]?.values, [a, b]);
  const many = Array.from({ length: 8 }, (_, index) => `UPDATE t${index} SET n = ?`);
  assert.deepEqual(
    mergeWrites(many.map(write)).map(({ values }) => values.length),
    [6, 2],
  );
});

forEachEngine((engine) => {
  const open = async (t: TestContext): Promise<Database> => {
    const store = await TestDatabase.open(engine);
    const { database } = store;
    t.after(() => store.close());
    const create = statement<unknown, never>('CREATE TABLE numbers (n integer PRIMARY KEY)');
    await database.transaction((connection) => connection.run(create));
    return database;
  };

  for (const count of [1, 3, 50]) {
    it(`statements after ${count} rows that were sent see them`, async (t) => {
      const database = await open(t);
      const seen = await database.transaction(async (connection) => {
        connection.send(insertNumber, numbers(count));
        connection.send(double, [{ n: count }]);
        return await stored(connection);
      });
      const expected = [
        ...Array(count - 1)
          .keys()
          .map((index) => index + 1),
        2 * count,
      ];
      assert.deepEqual(seen, expected);
      assert.deepEqual(await stored(database), expected);
    });

    it(`if the last of ${count} sent rows fails, the transaction fails, and nothing is stored`, async (t) => {
      const database = await open(t);
      const failing = database.transaction(async (connection) => {
        connection.send(insertNumber, numbers(count));
        connection.send(insertNumber, [...numbers(count - 1), { n: count }]);
        return 'done';
      });
      await assert.rejects(failing, /UNIQUE|duplicate key/);
      assert.deepEqual(await stored(database), []);
    });
  }

  it('if a sent statement fails, so do the statements after it, and the transaction reports the first', async (t) => {
    const database = await open(t);
    const failing = database.transaction(async (connection) => {
      connection.send(insertNumber, [{ n: 1 }, { n: 1 }]);
      await connection.run(insertNumber, { n: 2 });
    });
    await assert.rejects(failing, /UNIQUE|duplicate key/);
    assert.deepEqual(await stored(database), []);
  });

  it('work that fails while rows are sent is undone, with its own error, and leaves its connection usable', async (t) => {
    const database = await open(t);
    // More often than a pool has connections.
    for (let round = 0; round < 12; round += 1) {
      const failing = database.transaction(async (connection) => {
        connection.send(insertNumber, numbers(1_000));
        if (round % 2 === 1) await Promise.resolve();
        throw new Error('a mistake in the work');
      });
      await assert.rejects(failing, /a mistake in the work/);
    }
    assert.deepEqual(await stored(database), []);
  });

  it('a failure of many sent rows is reported, and not the failures after it', async (t) => {
    const database = await open(t);
    const failing = database.transaction(async (connection) => {
      connection.send(insertNumber, [...numbers(50), { n: 1 }]);
      await connection.run(insertNumber, { n: 51 });
    });
    await assert.rejects(failing, /UNIQUE|duplicate key/);
    assert.deepEqual(await stored(database), []);
  });

  it('what was sent after a failed statement does not run in the next transaction of the group', async (t) => {
    const database = await open(t);
    const options = { merchantId: 1, locksMerchant: true };
    const results = await Promise.allSettled([
      database.transaction((connection) => connection.run(insertNumber, { n: 1 }), options),
      database.transaction(async (connection) => {
        connection.send(insertNumber, [{ n: 1 }]);
        connection.send(
          insertNumber,
          numbers(50).map(({ n }) => ({ n: 100 + n })),
        );
        connection.send(insertNumber, [{ n: 500 }]);
      }, options),
      database.transaction(async (connection) => {
        connection.send(
          insertNumber,
          numbers(50).map(({ n }) => ({ n: 200 + n })),
        );
        throw new Error('a mistake in the work');
      }, options),
      database.transaction((connection) => connection.run(insertNumber, { n: 2 }), options),
    ]);
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'rejected', 'fulfilled'],
    );
    assert.deepEqual(await stored(database), [1, 2]);
  });

  it('a failure of what one of several transactions in a group sent undoes only this one', async (t) => {
    const database = await open(t);
    const insert = (rows: { n: number }[]): Promise<void> =>
      database.transaction(async (connection) => connection.send(insertNumber, rows), {
        merchantId: 1,
        locksMerchant: true,
      });
    const results = await Promise.allSettled([
      insert([{ n: 1 }]),
      insert([{ n: 2 }, { n: 1 }]),
      insert(numbers(20).map(({ n }) => ({ n: n + 100 }))),
      insert([{ n: 3 }]),
    ]);
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
    );
    assert.deepEqual(await stored(database), [1, 3, ...numbers(20).map(({ n }) => n + 100)]);
  });

  it('of several updates of a row that are sent together, the last one counts', async (t) => {
    const database = await open(t);
    await database.transaction((connection) =>
      connection.run(statement<unknown, never>('CREATE TABLE one (id integer PRIMARY KEY, value text)')),
    );
    await database.transaction(async (connection) => {
      connection.send(byTable.one.insert, [{ id: 1, value: '' }]);
      const values = ['b', 'd', 'a', 'c'];
      connection.send(
        byTable.one.update,
        values.map((value) => ({ id: 1, value })),
      );
    });
    const [row] = await database.all(byTable.one.list);
    assert.equal(row?.value, 'c');
  });

  it('bytes are stored as they are, in one row or many', async (t) => {
    const database = await open(t);
    const { bytes } = database.dialect;
    await database.transaction((connection) =>
      connection.run(statement<unknown, never>(`CREATE TABLE files (id integer PRIMARY KEY, data ${bytes})`)),
    );
    type File = { id: number; data: Uint8Array };
    const put = upsertInto<File>('files', ['id'], ['data'], 'DO UPDATE SET data = excluded.data');
    const update = updateIn<File>('files', ['id'], ['data']);
    const files = Array.from({ length: 256 }, (_, id) => ({ id, data: Buffer.from([id, 0, 92, 120]) }));
    const reversed = files.map(({ id, data }) => ({ id, data: Buffer.from(data).reverse() }));
    for (const count of [1, files.length]) {
      for (const [write, rows] of [
        [put, files],
        [put, reversed],
        [update, files],
      ] as const) {
        await database.transaction(async (connection) => connection.send(write, rows.slice(0, count)));
        const list = statement<unknown, File>('SELECT id, data FROM files ORDER BY id');
        const read = (await database.all(list)).map(({ id, data }) => ({ id, data: Buffer.from(data) }));
        assert.deepEqual(read, rows.slice(0, count));
      }
    }
  });

  it('writes that are sent store the same as writes that are awaited one by one', async (t) => {
    const database = await open(t);
    await database.transaction(async (connection) => {
      for (const table of tables) {
        const create = `CREATE TABLE ${table} (id integer PRIMARY KEY, value text NOT NULL)`;
        await connection.run(statement<unknown, never>(create));
      }
    });
    const contents = async (): Promise<Item[][]> =>
      Promise.all(tables.map((table) => database.all(byTable[table].list)));
    const begin = async (connection: Connection): Promise<void> => {
      for (const table of tables) {
        await connection.run(statement<unknown, never>(`DELETE FROM ${table}`));
        await connection.runEach(byTable[table].insert, [
          { id: 0, value: 'first' },
          { id: 1, value: table },
        ]);
      }
    };
    await fc.assert(
      fc.asyncProperty(fc.array(anyWrite, { maxLength: 20 }), async (writes) => {
        await database.transaction(async (connection) => {
          await begin(connection);
          for (const { table, kind, items } of writes)
            for (const item of items) await connection.run(byTable[table][kind], item);
        });
        const expected = await contents();
        await database.transaction(async (connection) => {
          await begin(connection);
          for (const { table, kind, items } of writes) connection.send(byTable[table][kind], items);
        });
        assert.deepEqual(await contents(), expected);
      }),
      { numRuns: runs(50) },
    );
  });
});
