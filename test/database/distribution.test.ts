import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { recordFields } from '../../src/api-keys/record-fields.ts';
import * as copying from '../../src/copy/queries.ts';
import { readColumns, tables } from '../../src/copy/tables.ts';
import type { Database, Dialect } from '../../src/database/database.ts';
import { type Statement, statement } from '../../src/database/statement.ts';
import { listImportsOfAll } from '../../src/imports/queries.ts';
import { listStatements } from '../../src/orders/list/queries.ts';
import { readChanges } from '../../src/products/changes/queries.ts';
import { listChangedImages } from '../../src/products/images/queries.ts';
import { type Listing, sorts } from '../../src/products/list/listing.ts';
import {
  findRecordBytes,
  findSizes,
  findStart,
  listKeys,
  readPage,
} from '../../src/products/list/queries.ts';
import { findRecord, findRecordByIdentifier } from '../../src/products/record/queries.ts';
import { findSortKeys, listInOrder } from '../../src/products/search/queries.ts';
import { prefixRows, wordRows } from '../../src/products/search-index/queries.ts';
import { listProductSales } from '../../src/sales/product-queries.ts';
import { deleteAllRows, deleteSomeRows } from '../../src/test-side/queries.ts';
import { findVariation } from '../../src/variations/queries.ts';
import { postgres } from '../support/engines.ts';
import { coordinatorTables } from '../support/rows-watch.ts';
import { useDatabase } from '../support/test-database.ts';
import { routingProblems, tablesOf } from './routing.ts';

const source = join(import.meta.dirname, '../../src');
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

function* listingStatements(dialect: Dialect): Generator<[string, Statement]> {
  for (const sort of Object.values(sorts)) {
    for (const status of [undefined, 'in_stock'] as const) {
      for (const category of [undefined, ['A'], ['A', 'B']] as Listing['category'][]) {
        for (const plan of ['walk', 'gather'] as const) {
          const listing = { merchantId: 1, status, category, sort };
          for (const from of ['first', 'at', 'after'] as const) {
            yield ['findStart', findStart(listing, plan, from, dialect)];
            yield ['listKeys', listKeys(listing, plan, from, dialect)];
          }
          for (const begin of ['first', 'at', 'after', 'counted'] as const) {
            for (const fields of recordFields)
              yield ['readPage', readPage(listing, plan, begin, { roundedSize: 64, fields }, dialect)];
          }
        }
      }
    }
  }
}

/** Statements that differ by engine or by column. */
function* otherStatements(dialect: Dialect): Generator<[string, Statement]> {
  for (const group of [undefined, 'waiting', 'running', 'interrupted', 'finished', 'failed'] as const) {
    for (const source of ['any', 'format', 'bulk'] as const)
      yield ['listImportsOfAll', listImportsOfAll(group, source)];
  }
  yield ['findVariation', findVariation(dialect)];
  yield ['listChangedImages', listChangedImages(dialect)];
  for (const fields of recordFields) {
    yield ['findRecordBytes', findRecordBytes(dialect, fields)];
    yield ['readChanges', readChanges({ roundedSize: 64, maxRecordBytes: 1000, fields }, dialect)];
  }
  for (const column of ['internal_id', 'identifier']) yield ['findSizes', findSizes(column)];
  for (const sort of Object.values(sorts)) {
    yield ['findSortKeys', findSortKeys(sort.field)];
    for (const from of ['first', 'after'] as const) yield ['listInOrder', listInOrder(sort, from)];
  }
  for (const statements of listStatements.values())
    yield* Object.entries(statements) as [string, Statement][];
  for (const statements of [wordRows, prefixRows, findRecord, findRecordByIdentifier, listProductSales])
    yield* Object.entries(statements);
}

/** Statements that copy tables, or delete from any of them. */
async function* copyStatements(database: Database): AsyncGenerator<[string, Statement]> {
  for (const each of tables) {
    const table = await readColumns(database, each);
    yield ['countRows', copying.countRows(table)];
    yield ['insertRow', copying.insertRow(table)];
    yield ['deleteSomeRows', deleteSomeRows(table)];
    yield ['deleteAllRows', deleteAllRows(table)];
    for (const after of [false, true]) {
      yield ['listRowsAfter', copying.listRowsAfter(table, after)];
      yield ['listSizesAfter', copying.listSizesAfter(table, 'record', after)];
    }
  }
}

/** Indexes that are not unique and serve reads of the operator over all merchants. */
const OF_ALL_MERCHANTS = [
  'campaigns_newest',
  'campaigns_newest_of_status',
  'moderation_decisions_replaced',
  'audit_entries_of_operator',
  'audit_entries_of_operator_by_kind',
  'audit_entries_of_operator_by_who',
  'audit_entries_of_operator_by_action',
  'audit_entries_of_operator_by_kind_and_action',
  'audit_entries_of_operator_by_who_and_action',
  'failed_requests_by_time',
  'imports_newest',
  'imports_in_progress',
  'imports_failed',
  'imports_by_format',
  'imports_bulk',
  'orders_newest',
  'orders_newest_of_test_sides',
  'products_newest',
  'products_newest_of_test_sides',
  'products_to_review',
  'moderation_decisions_by_category',
];

async function ownedTables(database: Database): Promise<Set<string>> {
  const tables = await database.all(database.dialect.listTables);
  return new Set(tables.map(({ name }) => name).filter((name) => !coordinatorTables.includes(name)));
}

describe('a database that is distributed by merchant', () => {
  const opened = useDatabase(postgres);

  it('has merchant_id as the first column of each primary key, unique constraint and index of one merchant', async () => {
    const listIndexes = statement<unknown, { table: string; index: string; first: string }>(
      `SELECT t.relname AS "table", i.relname AS "index", a.attname AS "first"
       FROM pg_index x
       JOIN pg_class t ON t.oid = x.indrelid AND t.relnamespace = current_schema()::regnamespace
       JOIN pg_class i ON i.oid = x.indexrelid
       JOIN pg_attribute a ON a.attrelid = i.oid AND a.attnum = 1`,
    );
    const indexes = await opened().database.all(listIndexes);
    assert.ok(indexes.length > 20);
    const others = indexes.filter(
      ({ table, index, first }) =>
        !coordinatorTables.includes(table) && first !== 'merchant_id' && !OF_ALL_MERCHANTS.includes(index),
    );
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

  it('routes each statement on a merchant-owned table to the node of one merchant', async () => {
    const { database } = opened();
    const owned = await ownedTables(database);
    const declared = await declaredStatements();
    assert.ok(declared.length > 25);
    const mentioned = new Set<string>();
    for await (const [name, copied] of copyStatements(database)) {
      assert.deepEqual(routingProblems(copied, owned), [], `${name}: ${copied.sql}`);
    }
    const { dialect } = database;
    for (const [name, each] of [...declared, ...listingStatements(dialect), ...otherStatements(dialect)]) {
      const problems = routingProblems(each, owned);
      if (each.everyNode === true) assert.notDeepEqual(problems, [], `${name} reads from one node only`);
      else assert.deepEqual(problems, [], `${name}: ${each.sql}`);
      for (const { table } of tablesOf(each.sql.replaceAll(/\s+/g, ' '))) mentioned.add(table);
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

  describe('these tests reject', () => {
    const owned = new Set(['products', 'product_counts', 'variations', 'api_keys']);
    const rejected: [string, string, RegExp][] = [
      [
        'a statement without the merchant',
        'SELECT record FROM products WHERE identifier = :i',
        /several merchants/,
      ],
      [
        'a join without the merchant',
        `SELECT p.record FROM variations v JOIN products p ON p.internal_id = v.product_id
         WHERE v.merchant_id = :merchantId`,
        /several merchants/,
      ],
      [
        'an insert without the merchant',
        'INSERT INTO products (record) VALUES (:record)',
        /without a merchant/,
      ],
      [
        'an insert with a constant merchant',
        'INSERT INTO products (merchant_id, record) VALUES (1, :record)',
        /without a merchant/,
      ],
      [
        'a subquery that compares the merchant to a column outside',
        `SELECT (SELECT other.record FROM products AS other WHERE other.merchant_id = p.merchant_id)
         FROM products p WHERE p.merchant_id = :merchantId`,
        /to no parameter in a subquery/,
      ],
      [
        'a derived table that compares the merchant to a column outside',
        `SELECT k.id FROM api_keys k JOIN (SELECT p.record FROM products p WHERE p.merchant_id = k.merchant_id) AS s ON true
         WHERE k.merchant_id = :merchantId`,
        /to no parameter in a subquery/,
      ],
      [
        'a list of merchants',
        'SELECT record FROM products WHERE merchant_id IN (:merchants[20])',
        /several merchants/,
      ],
      [
        'two merchants',
        `SELECT v.identifier FROM variations v JOIN products p ON p.internal_id = v.product_id
         WHERE v.merchant_id = :merchantId AND p.merchant_id = :other`,
        /several merchants: merchantId, other/,
      ],
      [
        'a merchant or something else',
        'SELECT record FROM products WHERE merchant_id = :merchantId OR identifier = :i',
        /because of an OR/,
      ],
      [
        'one part of a union without the merchant',
        `SELECT record FROM products WHERE merchant_id = :merchantId UNION ALL SELECT identifier FROM variations`,
        /several merchants/,
      ],
      [
        'a write to a table of the coordinator that reads a distributed one',
        `UPDATE access_tokens SET expires_at = (SELECT k.expires_at FROM api_keys k WHERE k.merchant_id = :merchantId)
         WHERE merchant_id = :merchantId`,
        /of the coordinator together with distributed tables/,
      ],
      [
        'a join of a table of the coordinator with a distributed one',
        'SELECT m.name FROM merchants m JOIN products p ON p.merchant_id = m.id WHERE p.merchant_id = :merchantId',
        /of the coordinator together with distributed tables/,
      ],
    ];
    for (const [what, sql, problem] of rejected) {
      it(what, () => assert.match(routingProblems(statement(sql), owned).join('; '), problem));
    }
  });
});
