import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { type Database, insertInto, statement } from '../../src/database/database.ts';
import { forEachEngine } from '../support/engines.ts';
import { TestDatabase } from '../support/test-database.ts';

const insertNumber = insertInto<{ n: number }>('numbers', ['n']);
const double = statement<{ n: number }, never>('UPDATE numbers SET n = 2 * n WHERE n = :n');
const listNumbers = statement<unknown, { n: number }>('SELECT n FROM numbers ORDER BY n');

const numbers = (count: number): { n: number }[] =>
  Array.from({ length: count }, (_, index) => ({ n: index + 1 }));

async function stored(database: Pick<Database, 'all'>): Promise<number[]> {
  return (await database.all(listNumbers)).map(({ n }) => n);
}

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
});
