import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { type RecordFields, recordFields } from '../../src/api-keys/record-fields.ts';
import { statement } from '../../src/database/statement.ts';
import { type Listing, sorts } from '../../src/products/list/listing.ts';
import {
  type From,
  filterValues,
  findStart,
  hasExactIndex,
  type Plan,
  readPage,
} from '../../src/products/list/queries.ts';
import { listInOrder } from '../../src/products/search/queries.ts';
import { anyDraft } from '../support/arbitraries.ts';
import { importDrafts } from '../support/catalog.ts';
import { postgres, sqlite } from '../support/engines.ts';
import { fc } from '../support/seed.ts';
import { useService } from '../support/service.ts';
import { useDatabase } from '../support/test-database.ts';

const filters: Pick<Listing, 'status' | 'category'>[] = [
  { status: undefined, category: undefined },
  { status: 'in_stock', category: undefined },
  { status: undefined, category: ['Home'] },
  { status: undefined, category: ['Home', 'Ä'] },
  { status: 'in_stock', category: ['Home'] },
  { status: 'in_stock', category: ['Home', 'Ä'] },
];
/** Where a listing is read from, and the fields of its records. */
const readings = (['first', 'at', 'after'] as const).flatMap((from) =>
  recordFields.map((fields) => ({ from, fields })),
);

const listings: Listing[] = Object.values(sorts).flatMap((sort) =>
  filters.map((filter) => ({ merchantId: 1, ...filter, sort })),
);

const nameOf = ({ status, category, sort }: Listing): string =>
  `${sort.field} ${sort.direction}, status ${status ?? 'any'}, category ${category?.join(' | ') ?? 'any'}`;

describe('on sqlite', () => {
  const service = useService(sqlite);
  let database: DatabaseSync;
  before(async () => {
    const merchant = await service().newMerchant();
    await importDrafts(service(), merchant, [fc.sample(anyDraft, 200)]);
    database = new DatabaseSync(join(service().config.dataDirectory, 'tradepost.db'), { readOnly: true });
  });
  after(() => database.close());

  /** SQLite's plan for a listing, one step per element. */
  function planOf(listing: Listing, plan: Plan, from: From, fields: RecordFields): string[] {
    const { dialect } = service().database;
    const explain = (sql: string): string[] => {
      const parameters = Array((sql.match(/\?/g) ?? []).length).fill(null);
      return database
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all(...parameters)
        .map(({ detail }) => String(detail));
    };
    return [
      ...explain(findStart(listing, plan, from, dialect).sql),
      ...explain(readPage(listing, plan, from, { roundedSize: 64, fields }, dialect).sql),
    ];
  }
  const ofProducts = (steps: string[]): string[] => steps.filter((step) => /^(SEARCH|SCAN) p\b/.test(step));

  it('a walk reads an index in the requested order, without sorting or scanning', () => {
    for (const listing of listings) {
      for (const { from, fields } of readings) {
        const steps = planOf(listing, 'walk', from, fields);
        assert.deepEqual(
          steps.filter((step) => step.includes('TEMP B-TREE')),
          [],
          nameOf(listing),
        );
        assert.equal(ofProducts(steps).length, 2, steps.join('\n'));
        for (const step of ofProducts(steps))
          assert.match(step, /^SEARCH p USING (COVERING )?INDEX \w+ \(merchant_id=\?/, nameOf(listing));
      }
    }
  });

  it('a search reads the index of its order, without sorting or scanning', () => {
    for (const sort of Object.values(sorts)) {
      for (const from of ['first', 'after'] as const) {
        const { sql } = listInOrder(sort, from);
        const steps = database
          .prepare(`EXPLAIN QUERY PLAN ${sql}`)
          .all(...Array((sql.match(/\?/g) ?? []).length).fill(null))
          .map(({ detail }) => String(detail));
        const plan = steps.join('\n');
        assert.doesNotMatch(plan, /TEMP B-TREE/, `${sort.field} ${sort.direction}`);
        assert.match(plan, /SEARCH products USING (COVERING )?INDEX \w+ \(merchant_id=\?/, plan);
      }
    }
  });

  it('a listing with an exact index looks up its filter and its start in it', () => {
    const exact = listings.filter(hasExactIndex);
    assert.ok(exact.length >= 16 + 4 + 4);
    for (const listing of exact) {
      const filtered = Object.keys(filterValues(listing)).length - 1;
      for (const step of ofProducts(planOf(listing, 'walk', 'first', 'standard'))) {
        assert.equal(
          (step.match(/(status|category_\d)=\?/g) ?? []).length,
          filtered,
          `${nameOf(listing)}: ${step}`,
        );
      }
      for (const step of ofProducts(planOf(listing, 'walk', 'at', 'standard'))) {
        assert.equal(
          (step.match(/(status|category_\d)=\?/g) ?? []).length,
          filtered,
          `${nameOf(listing)}: ${step}`,
        );
        assert.match(step, /AND \(?\w+(,internal_id\))?[<>]/, `${nameOf(listing)}: ${step}`);
      }
    }
  });

  it('a gather finds the matching products in an index, and sorts only those', () => {
    for (const listing of listings.filter((one) => !hasExactIndex(one))) {
      for (const { from, fields } of readings) {
        const steps = ofProducts(planOf(listing, 'gather', from, fields));
        assert.equal(steps.length, 2);
        for (const step of steps) {
          assert.match(
            step,
            /^SEARCH p USING (COVERING )?INDEX \w+ \(merchant_id=\? AND (status|category_1)=\?/,
            nameOf(listing),
          );
          if (listing.category?.length === 2) assert.match(step, /category_2=\?/, nameOf(listing));
        }
      }
    }
  });
});

describe('on postgres', () => {
  const opened = useDatabase(postgres);
  before(async () => {
    // Only two merchants: with half of the table each, the planner considers a scan cheap.
    const fill = `
      INSERT INTO products
      SELECT 1 + i % 2, i, 'P' || md5(CAST(i AS text)),
        CASE WHEN i % 5 = 0 THEN 'banned' ELSE 'in_stock' END, 'Home' || i % 3, 'Ä' || i % 4,
        i, i + i % 7, i % 11, i % 13, i % 17, i % 19, i % 23, 0, 0, 0, NULL, -1, repeat('x', 1000)
      FROM generate_series(1, 20000) AS i`;
    await opened().database.transaction((connection) => connection.run(statement<unknown, never>(fill)));
    await opened().database.updateStatistics();
  });

  async function planOf(sql: string): Promise<string> {
    const explain = statement<unknown, Record<string, string>>(`EXPLAIN (GENERIC_PLAN, COSTS OFF) ${sql}`);
    const rows = await opened().database.all(explain);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  }

  it('a walk reads an index in the requested order, without sorting or scanning', async () => {
    const { dialect } = opened().database;
    for (const listing of listings) {
      for (const from of ['first', 'at', 'after'] as const) {
        for (const { sql } of [
          findStart(listing, 'walk', from, dialect),
          readPage(listing, 'walk', from, { roundedSize: 64, fields: 'standard' }, dialect),
          readPage(listing, 'walk', from, { roundedSize: 64, fields: 'original' }, dialect),
        ]) {
          const plan = await planOf(sql);
          const message = `${nameOf(listing)}\n${plan}`;
          assert.doesNotMatch(plan, /Sort/, message);
          const condition = / on products p\n *Index Cond: \((.*)\)/.exec(plan)?.[1] ?? '';
          assert.match(condition, /merchant_id = /, message);
          const filtered = hasExactIndex(listing) ? Object.keys(filterValues(listing)).length - 1 : 0;
          assert.ok((condition.match(/(status|category_\d) = /g) ?? []).length >= filtered, message);
        }
      }
    }
  });

  it('a search reads the index of its order, without sorting or scanning', async () => {
    for (const sort of Object.values(sorts)) {
      for (const from of ['first', 'after'] as const) {
        const plan = await planOf(listInOrder(sort, from).sql);
        assert.doesNotMatch(plan, /Sort|Seq Scan/, plan);
        assert.match(plan, / on products\n *Index Cond: \(\(?merchant_id = /, plan);
      }
    }
  });
});
