import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Database } from '../../src/database/database.ts';
import { intercept } from '../../src/database/intercept.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import type { Product } from '../../src/products/record/product.ts';
import type { ProductDraft } from '../../src/products/record/product-draft.ts';
import { anyDraft, anyPageQuery } from '../support/arbitraries.ts';
import { allProducts, draft, importDrafts } from '../support/catalog.ts';
import type { ClientResponse } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectedBody, type PageQuery, sortWords } from '../support/listing-model.ts';
import { fc } from '../support/seed.ts';
import { type TestMerchant, type TestService, useService } from '../support/service.ts';
import { runs } from '../support/thorough.ts';

function requestPage(
  service: TestService,
  merchant: TestMerchant,
  query: PageQuery,
): Promise<ClientResponse> {
  const { status = '', category = [], sort, page, perPage, summary } = query;
  return service.get('/products.json', merchant, {
    status,
    category: category.join('|'),
    sort,
    page: String(page),
    per_page: String(perPage),
    pagination: String(summary),
  });
}

/** Records the kinds of statements that have read pages. */
class PlanWatch {
  readonly seen = new Set<string>();
  /** Runs once, before the next statement that finds where a page starts. */
  beforeFind: () => Promise<void> = async () => {};

  wrap(database: Database): Database {
    return intercept(database, {
      first: async (statement, ...parameters) => {
        if (this.#note(statement.sql)?.includes('finds')) {
          const { beforeFind } = this;
          this.beforeFind = async () => {};
          await beforeFind();
        }
        return await database.first(statement, ...parameters);
      },
      firstWithItems: (statement, parameters, options) => {
        this.#note(statement.sql);
        return database.firstWithItems(statement, parameters, options);
      },
    });
  }

  #note(sql: string): string | undefined {
    if (!sql.includes('FROM products p')) return undefined;
    const plan = /ORDER BY \(/.test(sql) ? 'gather' : 'walk';
    const verb = sql.includes('product_counts') ? 'reads' : 'finds';
    const kind = `${plan} ${verb} from ${/[<>]= \(\?/.test(sql) ? 'a known start' : 'the beginning'}`;
    this.seen.add(kind);
    return kind;
  }
}

type Step = { write: ProductDraft[]; elsewhere: boolean } | { query: number; times: number };
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.record({ write: fc.array(anyDraft, { maxLength: 3 }), elsewhere: fc.boolean() }),
  },
  { weight: 6, arbitrary: fc.record({ query: fc.nat(), times: fc.integer({ min: 1, max: 3 }) }) },
);

forEachEngine((engine) => {
  const plans = new PlanWatch();
  const service = useService(engine, { wrap: (database) => plans.wrap(database) });

  it('any page equals the model’s, in any order, with writes in between', async () => {
    const catalog = fc.array(anyDraft, { maxLength: 80, size: 'max' });
    // Few queries, so that the same page is requested before and after a write.
    const queries = fc.array(anyPageQuery, { minLength: 1, maxLength: 6, size: 'max' });
    const steps = fc.array(anyStep, { minLength: 5, maxLength: 25, size: 'max' });
    // Another connection acts as another process.
    const elsewhere = await openDatabase(service().config, service().now());
    await fc.assert(
      fc.asyncProperty(catalog, queries, steps, async (drafts, chosen, actions) => {
        const merchant = await service().newMerchant();
        await importDrafts(service(), merchant, [drafts]);
        let products = await allProducts(service(), merchant);
        for (const step of actions) {
          if ('write' in step) {
            service().passTime(1);
            const database = step.elsewhere ? elsewhere : service().database;
            await importDrafts({ database, now: service().now }, merchant, [step.write]);
            products = await allProducts(service(), merchant);
            continue;
          }
          const query = chosen[step.query % chosen.length];
          assert(query !== undefined);
          // The third response comes from the cache.
          for (let time = 0; time < step.times; time += 1) {
            assert.equal((await requestPage(service(), merchant, query)).text, expectedBody(products, query));
          }
        }
      }),
      { numRuns: runs(150) },
    );
    await elsewhere.close();
  });

  it('the pages of a crawl form the whole list, without overlap or gap, for every sort and filter', async () => {
    const merchant = await service().newMerchant();
    const drafts = fc.sample(anyDraft, { numRuns: 150, seed: 1 });
    await importDrafts(service(), merchant, [drafts]);
    const products = await allProducts(service(), merchant);
    const listings = [
      {},
      { status: 'in_stock' },
      { category: ['Home'] },
      { status: 'sold_out', category: ['Home'] },
    ];
    for (const sort of sortWords) {
      for (const filter of listings) {
        const query = { status: undefined, category: undefined, ...filter, sort, summary: false };
        const all = expectedBody(products, { ...query, page: 1, perPage: 1000 });
        const crawled: Product[] = [];
        for (let page = 1; ; page += 1) {
          const part = (await requestPage(service(), merchant, { ...query, page, perPage: 3 })).json<
            Product[]
          >();
          if (part.length === 0) break;
          crawled.push(...part);
        }
        assert.equal(JSON.stringify(crawled), all, `${sort} ${JSON.stringify(filter)}`);
      }
    }
  });

  it('a page that is read while the catalog changes is a snapshot', async () => {
    const merchant = await service().newMerchant();
    const round = (number: number): ProductDraft[] =>
      Array.from({ length: 40 }, (_, index) =>
        draft(`P${(index * 7 + number * 3) % 60}`, {
          title: `round ${number}`,
          cost_basis: (index + number) % 5,
        }),
      );
    await importDrafts(service(), merchant, [round(0)]);
    const states = [await allProducts(service(), merchant)];
    const responses: [PageQuery, Promise<ClientResponse>][] = [];
    for (let number = 1; number <= 10; number += 1) {
      for (let page = 1; page <= 6; page += 1) {
        const query = {
          status: undefined,
          category: undefined,
          sort: 'target_price_ascending',
          page,
          perPage: 9,
          summary: true,
        };
        responses.push([query, requestPage(service(), merchant, query)]);
      }
      await importDrafts(service(), merchant, [round(number)]);
      states.push(await allProducts(service(), merchant));
    }
    for (const [query, response] of responses) {
      const { text } = await response;
      assert.ok(
        states.some((products) => expectedBody(products, query) === text),
        JSON.stringify(query),
      );
    }
  });

  it('a page is counted from the first product if the catalog changes after the nearest known page', async () => {
    const merchant = await service().newMerchant();
    const products = (from: number, to: number): ProductDraft[] =>
      Array.from({ length: to - from }, (_, index) =>
        draft(`P${100 + from + index}`, { cost_basis: from + index }),
      );
    await importDrafts(service(), merchant, [products(10, 40)]);
    const filter = { status: undefined, category: undefined, sort: 'target_price_ascending' };
    const page = (number: number): PageQuery => ({ ...filter, page: number, perPage: 5, summary: false });
    for (const number of [1, 2]) await requestPage(service(), merchant, page(number));
    plans.beforeFind = async () => {
      await importDrafts(service(), merchant, [products(0, 10)]);
    };
    const { text } = await requestPage(service(), merchant, page(4));
    assert.equal(text, expectedBody(await allProducts(service(), merchant), page(4)));
    assert.equal((JSON.parse(text) as Product[])[0]?.identifier, 'P115');
  });

  describe('the tests above', () => {
    after(() => plans.seen.clear());

    it('use every plan, from the first product and from known starts', () => {
      const expected = ['walk', 'gather'].flatMap((plan) => [
        `${plan} finds from a known start`,
        `${plan} finds from the beginning`,
        `${plan} reads from a known start`,
        `${plan} reads from the beginning`,
      ]);
      assert.deepEqual([...plans.seen].sort(), expected.sort());
    });
  });
});
