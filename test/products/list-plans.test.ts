import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import {
  filterValues,
  findStart,
  hasExactIndex,
  type Plan,
  readPage,
} from '../../src/products/list-queries.ts';
import { type Listing, sorts } from '../../src/products/listing.ts';
import { anyDraft } from '../support/arbitraries.ts';
import { importDrafts } from '../support/catalog.ts';
import { sqlite } from '../support/engines.ts';
import { useService } from '../support/service.ts';

const filters: Pick<Listing, 'status' | 'category'>[] = [
  { status: undefined, category: undefined },
  { status: 'in_stock', category: undefined },
  { status: undefined, category: ['Home'] },
  { status: undefined, category: ['Home', 'Ä'] },
  { status: 'in_stock', category: ['Home'] },
  { status: 'in_stock', category: ['Home', 'Ä'] },
];
const listings: Listing[] = Object.values(sorts).flatMap((sort) =>
  filters.map((filter) => ({ merchantId: 1, ...filter, sort })),
);

describe('on sqlite', () => {
  const service = useService(sqlite);
  let database: DatabaseSync;
  before(async () => {
    const merchant = await service().newMerchant();
    await importDrafts(service(), merchant, [fc.sample(anyDraft, 200)]);
    database = new DatabaseSync(join(service().config.dataDirectory, 'tradepost.db'), { readOnly: true });
  });
  after(() => database.close());

  /** What SQLite does for the statements of a listing, a line a step. */
  function planOf(listing: Listing, plan: Plan, from: boolean): string[] {
    const { dialect } = service().database;
    const explain = (sql: string): string[] => {
      const parameters = Array((sql.match(/\?/g) ?? []).length).fill(null);
      return database
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all(...parameters)
        .map(({ detail }) => String(detail));
    };
    return [
      ...explain(findStart(listing, plan, from).sql),
      ...explain(readPage(listing, plan, from ? 'known' : 'first', 64, dialect).sql),
    ];
  }
  const nameOf = ({ status, category, sort }: Listing): string =>
    `${sort.field} ${sort.direction}, status ${status ?? 'any'}, category ${category?.join(' | ') ?? 'any'}`;
  const ofProducts = (steps: string[]): string[] => steps.filter((step) => /^(SEARCH|SCAN) p\b/.test(step));

  it('a walk goes along an index in the order asked for: nothing is sorted, nothing scanned', () => {
    for (const listing of listings) {
      for (const from of [false, true]) {
        const steps = planOf(listing, 'walk', from);
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

  it('a listing with an exact index looks up its filter and its start in it', () => {
    const exact = listings.filter(hasExactIndex);
    assert.ok(exact.length >= 16 + 4 + 4);
    for (const listing of exact) {
      const filtered = filterValues(listing).length - 1;
      for (const step of ofProducts(planOf(listing, 'walk', false))) {
        assert.equal(
          (step.match(/(status|category_\d)=\?/g) ?? []).length,
          filtered,
          `${nameOf(listing)}: ${step}`,
        );
      }
      for (const step of ofProducts(planOf(listing, 'walk', true))) {
        assert.equal(
          (step.match(/(status|category_\d)=\?/g) ?? []).length,
          filtered,
          `${nameOf(listing)}: ${step}`,
        );
        assert.match(step, /AND \(?\w+(,internal_id\))?[<>]/, `${nameOf(listing)}: ${step}`);
      }
    }
  });

  it('a gather looks up what the filter matches in an index, and sorts that alone', () => {
    for (const listing of listings.filter((one) => !hasExactIndex(one))) {
      for (const from of [false, true]) {
        const steps = ofProducts(planOf(listing, 'gather', from));
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
