import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import * as copying from '../../src/copy/queries.ts';
import { readColumns, tables } from '../../src/copy/tables.ts';
import { type Database, type Dialect, type Statement, statement } from '../../src/database/database.ts';
import { type Listing, sorts } from '../../src/products/list/listing.ts';
import {
  findRecordBytes,
  findSizes,
  findStart,
  listKeys,
  readPage,
} from '../../src/products/list/queries.ts';
import { findVariation } from '../../src/variations/queries.ts';
import { postgres } from '../support/engines.ts';
import { useDatabase } from '../support/test-database.ts';

const source = join(import.meta.dirname, '../../src');
/**
 * Small tables that a distributed database replicates to every node. They identify the
 * merchant of a request, and are searched by a token or an email before the merchant is known.
 */
const global = [
  'merchants',
  'access_tokens',
  'tradepost_migrations',
  'console_users',
  'console_sessions',
  'console_accounts',
  'console_verifications',
  'console_two_factors',
  'console_rate_limits',
  'console_secrets',
];

/** Returns the columns that a statement compares to a parameter, directly or through other columns. */
function boundColumns(sql: string): Set<string> {
  const bound = new Set(['?']);
  const equalities = [...sql.matchAll(/([\w.]+) = (\?|[\w.]+)/g)].map(([, left = '', right = '']) => [
    left,
    right,
  ]);
  for (let before = 0; before < bound.size; ) {
    before = bound.size;
    for (const [left = '', right = ''] of equalities) {
      if (bound.has(left)) bound.add(right);
      if (bound.has(right)) bound.add(left);
    }
  }
  return bound;
}

/** Returns the tables that a statement names, with their aliases (empty for none). */
function tablesOf(sql: string): { table: string; name: string }[] {
  const mention =
    /\b(?:FROM|JOIN|UPDATE|INTO) (?!SET\b)(\w+)(?: (?:AS )?(?!(?:WHERE|JOIN|LEFT|ON|SET|ORDER|LIMIT)\b)(\w+))?/g;
  return [...sql.matchAll(mention)].map(([, table = '', name = '']) => ({ table, name }));
}

/** Returns the merchant-owned tables in which a statement could affect rows of more than one merchant. */
function unconstrained(sql: string, owned: ReadonlySet<string>): string[] {
  const text = sql.replaceAll(/\s+/g, ' ');
  const inserted = /^INSERT INTO (\w+) \(([^)]*)\)/.exec(text);
  const bound = boundColumns(text);
  return tablesOf(text)
    .filter(({ table, name }) => {
      if (!owned.has(table)) return false;
      if (inserted?.[1] === table) return !inserted[2]?.split(', ').includes('merchant_id');
      return !bound.has(name === '' ? 'merchant_id' : `${name}.merchant_id`);
    })
    .map(({ table }) => table);
}

async function declaredStatements(): Promise<[string, Statement][]> {
  const found: [string, Statement][] = [];
  for (const file of globSync(join(source, '**/*queries.ts'))) {
    const exported: Record<string, unknown> = await import(file);
    for (const [name, value] of Object.entries(exported)) {
      if (typeof value === 'object' && value !== null && 'sql' in value)
        found.push([name, value as Statement]);
    }
  }
  return found;
}

/** Yields all variants of the statements of a listing. */
function* listingStatements(dialect: Dialect): Generator<[string, Statement]> {
  for (const sort of Object.values(sorts)) {
    for (const status of [undefined, 'in_stock'] as const) {
      for (const category of [undefined, ['A'], ['A', 'B']] as Listing['category'][]) {
        for (const plan of ['walk', 'gather'] as const) {
          const listing = { merchantId: 1, status, category, sort };
          for (const from of [false, true]) yield ['findStart', findStart(listing, plan, from, dialect)];
          for (const from of [false, true]) yield ['listKeys', listKeys(listing, plan, from, dialect)];
          for (const begin of ['first', 'known', 'counted'] as const) {
            yield ['readPage', readPage(listing, plan, begin, 64, dialect)];
          }
        }
      }
    }
  }
}

/** Yields the statements that differ by engine or by column. */
function* otherStatements(dialect: Dialect): Generator<[string, Statement]> {
  yield ['findVariation', findVariation(dialect)];
  yield ['findRecordBytes', findRecordBytes(dialect)];
  for (const column of ['internal_id', 'identifier']) yield ['findSizes', findSizes(column)];
}

/** Yields all statements that copy tables. */
async function* copyStatements(database: Database): AsyncGenerator<[string, Statement]> {
  for (const each of tables) {
    const table = await readColumns(database, each);
    yield ['countRows', copying.countRows(table)];
    yield ['insertRow', copying.insertRow(table)];
    yield ['deleteRowsByValue', copying.deleteRowsByValue(table, 'name')];
    for (const after of [false, true]) {
      yield ['listRowsAfter', copying.listRowsAfter(table, after)];
      yield ['listSizesAfter', copying.listSizesAfter(table, 'record', after)];
      for (const upTo of [false, true]) yield ['deleteRows', copying.deleteRows(table, { after, upTo })];
    }
  }
}

describe('a database that is distributed by merchant', () => {
  const opened = useDatabase(postgres);

  it('has merchant_id as the first column of each primary key, unique constraint and index', async () => {
    const listIndexes = statement<unknown, { table: string; index: string; first: string }>(
      `SELECT t.relname AS "table", i.relname AS "index", a.attname AS "first"
       FROM pg_index x
       JOIN pg_class t ON t.oid = x.indrelid AND t.relnamespace = current_schema()::regnamespace
       JOIN pg_class i ON i.oid = x.indexrelid
       JOIN pg_attribute a ON a.attrelid = i.oid AND a.attnum = 1`,
    );
    const indexes = await opened().database.all(listIndexes);
    assert.ok(indexes.length > 20);
    const others = indexes.filter(({ table, first }) => !global.includes(table) && first !== 'merchant_id');
    assert.deepEqual(others, []);
    const tables = await opened().database.all(opened().database.dialect.listTables);
    const withKey = new Set(indexes.map(({ table }) => table));
    assert.deepEqual(
      tables.filter(({ name }) => !withKey.has(name)),
      [],
    );
  });

  it('has no sequences, which all merchants would share', async () => {
    const listSequences = statement<unknown, unknown>('SELECT sequencename FROM pg_sequences');
    assert.deepEqual(await opened().database.all(listSequences), []);
  });

  it('names the merchant in each statement on a merchant-owned table', async () => {
    const { database } = opened();
    const tables = (await database.all(database.dialect.listTables)).map(({ name }) => name);
    const owned = new Set(tables.filter((name) => !global.includes(name)));
    const declared = await declaredStatements();
    assert.ok(declared.length > 25);
    const mentioned = new Set<string>();
    for await (const [name, { sql }] of copyStatements(database)) {
      assert.deepEqual(unconstrained(sql, owned), [], `${name}: ${sql}`);
    }
    const { dialect } = database;
    for (const [name, { sql }] of [...declared, ...listingStatements(dialect), ...otherStatements(dialect)]) {
      assert.deepEqual(unconstrained(sql, owned), [], `${name}: ${sql}`);
      for (const { table } of tablesOf(sql.replaceAll(/\s+/g, ' '))) mentioned.add(table);
    }
    // Every owned table is mentioned. Otherwise `tablesOf` has missed a statement.
    assert.deepEqual(
      [...owned].filter((name) => !mentioned.has(name)),
      [],
    );
  });

  it('has its statements only in queries.ts files and in src/database', () => {
    for (const file of globSync(join(source, '**/*.ts'))) {
      if (basename(file).endsWith('queries.ts') || file.startsWith(join(source, 'database/'))) continue;
      const sql = /\b(SELECT\s+\S+\s+FROM|INSERT INTO|UPDATE \w+\s+SET|DELETE FROM)\b/.exec(
        readFileSync(file, 'utf8'),
      );
      assert.equal(sql, null, `${file}: ${sql?.[0]}`);
    }
  });

  it('these tests detect a statement that omits the merchant', () => {
    const owned = new Set(['products', 'variations']);
    assert.deepEqual(unconstrained('SELECT record FROM products WHERE identifier = ?', owned), ['products']);
    assert.deepEqual(
      unconstrained(
        'SELECT p.record FROM variations v JOIN products p ON p.internal_id = v.product_id WHERE v.merchant_id = ?',
        owned,
      ),
      ['products'],
    );
    assert.deepEqual(unconstrained('INSERT INTO products (record) VALUES (?)', owned), ['products']);
  });
});
