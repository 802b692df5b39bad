import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { it } from 'node:test';
import type { Product } from '../../src/products/record/product.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import type { ClientResponse } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { linkOf } from '../support/follow.ts';
import { sortWords } from '../support/listing-model.ts';
import { fc } from '../support/seed.ts';
import { type TestMerchant, useService } from '../support/service.ts';
import { isThorough, runs } from '../support/thorough.ts';

/** A cursor begins with its checksum. */
const CHECKSUM_LENGTH = 8;

const resultsOf = (response: ClientResponse): Product[] => {
  assert.equal(response.status, 200, response.text);
  const body = response.json<Product[] | { results: Product[] }>();
  return Array.isArray(body) ? body : body.results;
};

forEachEngine((engine) => {
  const service = useService(engine);

  /** Follows `next` links. `between` runs after each page. */
  async function crawl(
    merchant: TestMerchant,
    query: Record<string, string>,
    between: () => Promise<void> = async () => {},
  ): Promise<Product[][]> {
    const pages: Product[][] = [];
    let response = await service().get('/products', merchant, query);
    for (;;) {
      pages.push(resultsOf(response));
      await between();
      const next = linkOf(response, 'next');
      if (next === undefined) return pages;
      response = await service().client.request('GET', `${next}&access_token=${merchant.token}`);
    }
  }

  const anyFields = fc.record({
    cost_basis: fc.option(fc.integer({ min: 0, max: 3 })),
    reserve_price: fc.option(fc.integer({ min: 0, max: 3 })),
    scheduling_fee_bid: fc.option(fc.integer({ min: 0, max: 3 })),
    category: fc.option(fc.constantFrom('A', 'A | B', 'C')),
    title: fc.constantFrom('one', 'two', ' "status":"'),
  });

  it('following next returns every page of every list, as by page numbers', async () => {
    const merchant = await service().newMerchant();
    const drafts = fc.sample(anyFields, 41).map((fields, index) => draft(`P${index}`, fields));
    for (const each of drafts) {
      await importDrafts(service(), merchant, [[each]]);
      service().passTime(7);
    }
    const filters = [{ category: 'A' }, { status: 'enabled' }, { category: 'A | B', status: 'enabled' }];
    for (const [index, sort] of sortWords.entries()) {
      const others = isThorough ? filters : [filters[index % filters.length]];
      for (const filter of [{}, ...others]) {
        const query = { sort, per_page: '4', ...filter };
        const followed = await crawl(merchant, query);
        for (const [index, page] of followed.entries()) {
          const numbered = await service().get('/products', merchant, { ...query, page: String(index + 1) });
          assert.deepEqual(page, resultsOf(numbered), `${sort}, page ${index + 1}`);
        }
      }
    }
  });

  it('the last page has no next link, even if it is full', async () => {
    const merchant = await service().newMerchant();
    await importDrafts(service(), merchant, [[draft('A'), draft('B'), draft('C'), draft('D')]]);
    const pages = await crawl(merchant, { per_page: '2' });
    assert.deepEqual(
      pages.map((page) => page.length),
      [2, 2],
    );
  });

  it('a crawl by next neither repeats nor skips a product that does not move, whatever is written meanwhile', async () => {
    for (const sort of [
      'created_at_descending',
      'created_at_ascending',
      'unique_id_ascending',
      'target_price_descending',
    ]) {
      const merchant = await service().newMerchant();
      const still = Array.from({ length: 30 }, (_, index) =>
        draft(`still-${index}`, { cost_basis: index % 4 }),
      );
      await importDrafts(service(), merchant, [still.slice(0, 15)]);
      service().passTime(5);
      await importDrafts(service(), merchant, [still.slice(15)]);
      let added = 0;
      const pages = await crawl(merchant, { sort, per_page: '3', pagination: 'true' }, async () => {
        service().passTime(5);
        added += 1;
        // The first one moves through the list, others are added at both ends.
        const cost_basis = added % 5;
        await importDrafts(service(), merchant, [
          [
            draft('moving', { cost_basis, created_at: new Date(added * 1e9).toISOString() }),
            draft(`zz-${added}`, { cost_basis }),
            ...(added < 4 ? [draft(`aa-${added}`, { cost_basis })] : []),
          ],
        ]);
        if (added > 60) throw new Error('the crawl never ends');
      });
      const seen = pages.flat().filter(({ identifier }) => identifier.startsWith('still-'));
      assert.deepEqual(
        seen.map(({ identifier }) => identifier).toSorted(),
        still.map(({ identifier }) => identifier).toSorted(),
        sort,
      );
    }
  });

  it('the summary of a page after a position describes its results, even if the page’s number is past the end', async () => {
    const merchant = await service().newMerchant();
    const names = Array.from({ length: 12 }, (_, index) => `P${String(index).padStart(2, '0')}`);
    await importDrafts(service(), merchant, [names.map((name) => draft(name))]);
    const query = { sort: 'unique_id_ascending', per_page: '3', pagination: 'true' };
    const third = await service().get('/products', merchant, { ...query, page: '3' });
    const next = linkOf(third, 'next') ?? '';
    const summary = async (changes: Record<string, string>): Promise<unknown[]> => {
      const url = new URL(next, 'https://host');
      for (const [name, value] of Object.entries({ ...changes, access_token: merchant.token }))
        url.searchParams.set(name, value);
      const response = await service().client.request('GET', `${url.pathname}${url.search}`);
      const { from, to, page, total_entries } = response.json<Record<string, unknown>>();
      return [resultsOf(response).length, from, to, page, total_entries];
    };
    assert.deepEqual(await summary({}), [3, 10, 12, 4, 12]);
    assert.deepEqual(await summary({ page: '100' }), [3, 10, 12, 100, 12]);
    await importDrafts(service(), merchant, [
      names.slice(0, 8).map((name) => draft(name, { status: 'banned' })),
    ]);
    const filtered = { ...query, status: 'enabled' };
    const after = linkOf(await service().get('/products', merchant, { ...filtered, per_page: '2' }), 'next');
    const position = new URL(after ?? '', 'https://host').searchParams.get('after') ?? '';
    for (const [perPage, expected] of [
      ['1', [1, 4, 4, 9, 4]],
      ['1000', [2, 3, 4, 9, 4]],
    ] as const) {
      const changes = { status: 'enabled', per_page: perPage, page: '9', after: position };
      assert.deepEqual(await summary(changes), expected);
    }
  });

  it('a page by number is right after any change, whatever pages were read before', async () => {
    const merchant = await service().newMerchant();
    const names = Array.from({ length: 20 }, (_, index) => `P${String(index).padStart(2, '0')}`);
    await importDrafts(service(), merchant, [
      names.map((name) => draft(name, { cost_basis: 1, available_quantity: 9 })),
    ]);
    const lists = [
      { sort: 'unique_id_ascending' },
      { sort: 'target_price_ascending' },
      { sort: 'created_at_ascending', status: 'in_stock' },
      { sort: 'updated_at_descending' },
    ] as const;
    const anyChange = fc.record({
      identifier: fc.constantFrom(...names),
      cost_basis: fc.integer({ min: 0, max: 5 }),
      available_quantity: fc.constantFrom(0, 1, 9, 10),
      page: fc.integer({ min: 1, max: 7 }),
      list: fc.constantFrom(...lists),
    });
    for (const { identifier, cost_basis, available_quantity, page, list } of fc.sample(
      anyChange,
      runs(150),
    )) {
      service().passTime(1);
      await importDrafts(service(), merchant, [[draft(identifier, { cost_basis, available_quantity })]]);
      const all = resultsOf(await service().get('/products', merchant, { ...list, per_page: '1000' }));
      const query = { ...list, per_page: '3', page: String(page) };
      assert.deepEqual(
        resultsOf(await service().get('/products', merchant, query)),
        all.slice((page - 1) * 3, page * 3),
        JSON.stringify(query),
      );
    }
  });

  it('400: a position is only valid in the list that it came from', async () => {
    const merchant = await service().newMerchant();
    await importDrafts(service(), merchant, [[draft('A'), draft('B')]]);
    const next = linkOf(await service().get('/products', merchant, { per_page: '1' }), 'next') ?? '';
    const after = new URL(next, 'https://host').searchParams.get('after') ?? '';
    for (const query of [{ sort: 'unique_id_ascending' }, { status: 'enabled' }, { category: 'A' }]) {
      expectError(
        await service().get('/products', merchant, { after, ...query }),
        400,
        /^after: a cursor of another list,/,
      );
    }
    expectError(
      await service().get('/products', merchant, { after: after.slice(1) }),
      400,
      /^after: not a complete/,
    );
  });

  it('400: a forged position whose values the database cannot compare', async () => {
    const merchant = await service().newMerchant();
    await importDrafts(service(), merchant, [[draft('A'), draft('B')]]);
    for (const sort of sortWords) {
      const query = { sort, per_page: '1' };
      const next = linkOf(await service().get('/products', merchant, query), 'next') ?? '';
      const after = new URL(next, 'https://host').searchParams.get('after') ?? '';
      const [owner, listing, key] = JSON.parse(
        Buffer.from(after, 'base64url').toString().slice(CHECKSUM_LENGTH),
      );
      const keys =
        typeof key === 'string'
          ? ['A\0', '\ud800', 1]
          : /^(created|updated|sales)/.test(sort)
            ? [0.5, 1e300, 'A', null]
            : ['A', null];
      for (const forged of keys) {
        const content = JSON.stringify([owner, listing, forged, 1]);
        const checksum = hash('sha1', content, 'base64url').slice(0, CHECKSUM_LENGTH);
        const position = Buffer.from(checksum + content).toString('base64url');
        const refused = await service().get('/products', merchant, { ...query, after: position });
        expectError(refused, 400, /^after: a cursor of another list,/);
      }
    }
  });
});
