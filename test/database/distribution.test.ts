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
 * Small tables that a distributed database keeps whole on every node: what tells whose request it is, found
 * by a token or an e-mail address before any merchant is known.
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

/** The columns of a statement that can only have a value that it was given, directly or over others. */
function givenColumns(sql: string): Set<string> {
  const given = new Set(['?']);
  const equalities = [...sql.matchAll(/([\w.]+) = (\?|[\w.]+)/g)].map(([, left = '', right = '']) => [
    left,
    right,
  ]);
  for (let before = 0; before < given.size; ) {
    before = given.size;
    for (const [left = '', right = ''] of equalities) {
      if (given.has(left)) given.add(right);
      if (given.has(right)) given.add(left);
    }
  }
  return given;
}

/** What a statement says of tables, with the name that it calls each by. */
function tablesOf(sql: string): { table: string; name: string }[] {
  const mention =
    /\b(?:FROM|JOIN|UPDATE|INTO) (?!SET\b)(\w+)(?: (?:AS )?(?!(?:WHERE|JOIN|LEFT|ON|SET|ORDER|LIMIT)\b)(\w+))?/g;
  return [...sql.matchAll(mention)].map(([, table = '', name = '']) => ({ table, name }));
}

/** The merchant-owned tables of which a statement could touch more than one merchant's rows. */
function unconstrained(sql: string, owned: ReadonlySet<string>): string[] {
  const text = sql.replaceAll(/\s+/g, ' ');
  const inserted = /^INSERT INTO (\w+) \(([^)]*)\)/.exec(text);
  const given = givenColumns(text);
  return tablesOf(text)
    .filter(({ table, name }) => {
      if (!owned.has(table)) return false;
      if (inserted?.[1] === table) return !inserted[2]?.split(', ').includes('merchant_id');
      return !given.has(name === '' ? 'merchant_id' : `${name}.merchant_id`);
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

/** Every shape that a listing's statements can have. */
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

/** Statements that differ by engine or by column. */
function* otherStatements(dialect: Dialect): Generator<[string, Statement]> {
  yield ['findVariation', findVariation(dialect)];
  yield ['findRecordBytes', findRecordBytes(dialect)];
  for (const column of ['internal_id', 'identifier']) yield ['findSizes', findSizes(column)];
}

/** Every statement that copies a table. */
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

describe('a database spread over machines by merchant', () => {
  const opened = useDatabase(postgres);

  it('has merchant_id first in each primary key, each unique constraint and each index', async () => {
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

  it('has no sequence that all merchants would wait for', async () => {
    const listSequences = statement<unknown, unknown>('SELECT sequencename FROM pg_sequences');
    assert.deepEqual(await opened().database.all(listSequences), []);
  });

  it('names the merchant in each statement on a table that is merchants’ own', async () => {
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
    // Else the reading of statements would have missed something.
    assert.deepEqual(
      [...owned].filter((name) => !mentioned.has(name)),
      [],
    );
  });

  it('issues no statement from anywhere else', () => {
    for (const file of globSync(join(source, '**/*.ts'))) {
      if (basename(file).endsWith('queries.ts') || file.startsWith(join(source, 'database/'))) continue;
      const sql = /\b(SELECT\s+\S+\s+FROM|INSERT INTO|UPDATE \w+\s+SET|DELETE FROM)\b/.exec(
        readFileSync(file, 'utf8'),
      );
      assert.equal(sql, null, `${file}: ${sql?.[0]}`);
    }
  });

  it('would notice a statement that forgets the merchant', () => {
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
