import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Product } from '../../src/products/record/product.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import { forEachEngine } from '../support/engines.ts';
import { enlargeRecords } from '../support/large-records.ts';
import { type TestMerchant, useService } from '../support/service.ts';

const PATH = '/products/search.json';

/** Titles, and queries that do and do not find them, for each rule of how words are compared. */
const comparisons: { rule: string; title: string; finds: string[]; findsNot: string[] }[] = [
  {
    rule: 'the beginning of each word',
    title: 'Sturdy clay pot',
    finds: ['sturdy', 'pot', 'c', 'pot clay', 'st po', '  clay\tpot '],
    findsNot: ['turdy', 'pots', 'clay jug', 'claypot'],
  },
  {
    rule: 'letter case and accents',
    title: 'Crème BRÛLÉE Straße',
    finds: ['creme', 'CRÈME', 'brulee', 'strasse', 'STRASSE', 'STRAẞE', 'cre\u0300me', 'straß'],
    findsNot: ['krem', 'straze'],
  },
  {
    rule: 'İ and ı',
    title: 'İznik KAPI kapı',
    finds: ['iznik', 'IZNIK', 'İznik', 'kapi'],
    findsNot: ['znik'],
  },
  {
    rule: 'a final sigma',
    title: 'ΟΔΟΣ νήσος',
    finds: ['οδος', 'ΟΔΌΣ', 'οδοσ', 'ΝΗΣΟΣ', 'νησ'],
    findsNot: ['δος'],
  },
  {
    rule: 'compatibility forms',
    title: 'ﬁne １２ Ⅷ ①',
    finds: ['fine', 'FI', '12', 'viii', '1', 'ﬁ'],
    findsNot: ['13'],
  },
  {
    rule: 'scripts without spaces',
    title: '红色花瓶 カタカナ ガラス',
    finds: ['红色', '花瓶', '瓶', 'カナ', 'ガラ', 'カラス', '红色花瓶'],
    findsNot: ['红花', '花红'],
  },
  {
    rule: 'Hangul, which has spaces',
    title: '푸른 꽃병',
    finds: ['꽃', '푸른', '꽃병 푸'],
    findsNot: ['병'],
  },
  {
    rule: 'punctuation within words',
    title: 'Men’s T-Shirt (red) 3/4',
    finds: ['t-shirt', 'shirt', 'T-', 'red', '(red)', '3/4', '4', 'men’s', 's'],
    findsNot: ['tshirt', '-shirt', 'red)x'],
  },
  { rule: 'emoji', title: '🏺 Vase 🎉party', finds: ['🏺', 'vase', 'party', '🎉par'], findsNot: ['🎈'] },
  { rule: 'characters outside the basic plane', title: '𐐀𐐁 x', finds: ['𐐀', '𐐨𐐁'], findsNot: ['𐐁'] },
];

forEachEngine((engine) => {
  const service = useService(engine);

  async function find(merchant: TestMerchant, query: Record<string, string>): Promise<string[]> {
    const response = await service().get(PATH, merchant, query);
    assert.equal(response.status, 200, response.text);
    return response.json<Product[]>().map(({ identifier }) => identifier);
  }

  async function write(merchant: TestMerchant, path: string, form: Record<string, string>): Promise<void> {
    const sent = { form: { access_token: merchant.token, ...form } };
    const response = await service().request('POST', path, sent);
    assert.equal(response.status, 200, response.text);
  }

  for (const { rule, title, finds, findsNot } of comparisons) {
    it(`200: words of titles are compared by ${rule}`, async () => {
      const merchant = await service().newMerchant();
      await importDrafts(service(), merchant, [[draft('0', { title }), draft('00', { title: 'Other' })]]);
      for (const query of finds) assert.deepEqual(await find(merchant, { query }), ['0'], query);
      for (const query of findsNot) assert.deepEqual(await find(merchant, { query }), [], query);
    });
  }

  it('200: a product is found by the beginning of its identifier, and of its variations’ identifiers', async () => {
    const merchant = await service().newMerchant();
    await importDrafts(service(), merchant, [
      [
        draft('VASE-7', { title: 'A' }, [{ identifier: 'VASE-7-S' }, { identifier: 'vase-7-Größe_L' }]),
        draft('Vase 8', { title: 'B' }, [{ identifier: 'other9' }]),
        draft('x'.repeat(100), { title: 'C' }),
        draft(`${'x'.repeat(99)}ß`, { title: 'D' }),
      ],
    ]);
    const of = (query: string) => find(merchant, { query });
    for (const query of [
      'VASE-7',
      'vase-7-s',
      'Vase-7-S',
      'vase-',
      'vase-7-grosse_l',
      'VASE-7-GRÖẞE',
      'a vase-7',
    ]) {
      assert.deepEqual(await of(query), ['VASE-7'], query);
    }
    for (const query of ['7-s', 'vase-7-sx', 'ase', 'vase7']) assert.deepEqual(await of(query), [], query);
    assert.deepEqual(await of('vase'), ['Vase 8', 'VASE-7']);
    assert.deepEqual(await of('Vase 8'), ['Vase 8']);
    assert.deepEqual(await of('OTHER9 b'), ['Vase 8']);
    assert.deepEqual(await of('x'.repeat(100)), ['x'.repeat(100)]);
    assert.deepEqual(await of(`${'x'.repeat(99)}ß`), [`${'x'.repeat(99)}ß`]);
    assert.deepEqual((await of('x'.repeat(99))).length, 2);
  });

  it('200: results are the records, newest first, page by page, with links and a summary', async () => {
    const merchant = await service().newMerchant();
    const days = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3];
    const drafts = days.map((day, index) =>
      draft(`P${index}`, { title: `Pot ${index}`, created_at: `2026-01-0${day}T00:00:00Z` }),
    );
    await importDrafts(service(), merchant, [drafts]);
    const all = (await service().get('/products.json', merchant)).json<Product[]>();
    const pages = await Promise.all(
      [1, 2, 3, 4, 5].map((page) =>
        service().get(PATH, merchant, {
          query: 'pot',
          per_page: '3',
          page: String(page),
          pagination: 'true',
        }),
      ),
    );
    const summaries = pages.map((page) => page.json<{ results: Product[]; total_entries: number }>());
    assert.deepEqual(
      summaries.flatMap(({ results }) => results),
      all,
    );
    assert.deepEqual(
      { ...summaries[1], results: [] },
      { results: [], from: 4, to: 6, page: 2, per_page: 3, total_entries: 10 },
    );
    assert.deepEqual(
      { ...summaries[4] },
      { results: [], from: 0, to: 0, page: 5, per_page: 3, total_entries: 10 },
    );
    const link = pages[1]?.header('link') ?? '';
    const targets = [...link.matchAll(/page=(\d+)>?[^,]*; rel="(\w+)"/g)].map(
      ([, page, name]) => `${name} ${page}`,
    );
    assert.deepEqual(targets, ['first 1', 'prev 1', 'next 3', 'last 4']);
    assert.match(link, /query=pot/);
    assert.ok(!link.includes(merchant.token));
  });

  it('200: deleted products are found only with status=deleted, and a status limits the results', async () => {
    const merchant = await service().newMerchant();
    await importDrafts(service(), merchant, [
      [
        draft('A', { title: 'Pot', status: 'sold_out' }),
        draft('B', { title: 'Pot', status: 'deleted' }),
        draft('C', { title: 'Pot' }),
      ],
    ]);
    assert.deepEqual(await find(merchant, { query: 'pot' }), ['C', 'A']);
    assert.deepEqual(await find(merchant, { query: 'pot', status: 'deleted' }), ['B']);
    assert.deepEqual(await find(merchant, { query: 'pot', status: 'sold_out' }), ['A']);
    assert.deepEqual(await find(merchant, { query: 'pot', status: 'banned' }), []);
    await write(merchant, '/products/delete.json', { identifier: 'A' });
    assert.deepEqual(await find(merchant, { query: 'pot' }), ['C']);
    assert.deepEqual(await find(merchant, { query: 'pot', status: 'deleted' }), ['B', 'A']);
    await write(merchant, '/products.json', { identifier: 'A', title: 'Jug' });
    assert.deepEqual(await find(merchant, { query: 'jug' }), ['A']);
    assert.deepEqual(await find(merchant, { query: 'pot', status: 'deleted' }), ['B']);
  });

  it('200: a write is found at once, and the words of a former title no longer', async () => {
    const merchant = await service().newMerchant();
    await write(merchant, '/products.json', {
      identifier: 'POT-1',
      title: 'Clay pot',
      'variations[V-1][quantity]': '3',
    });
    await write(merchant, '/products/update.json', { identifier: 'POT-1', title: 'Clay jug' });
    await write(merchant, '/variations.json', { product_identifier: 'POT-1', identifier: 'NEW-2' });
    for (const query of ['clay', 'jug', 'v-1', 'new-2', 'pot-1', 'pot']) {
      assert.deepEqual(await find(merchant, { query }), ['POT-1'], query);
    }
    await write(merchant, '/products/update.json', { identifier: 'POT-1', title: 'Vase' });
    assert.deepEqual(await find(merchant, { query: 'clay' }), []);
    assert.deepEqual(await find(merchant, { query: 'pot' }), ['POT-1']);
  });

  it('200: another merchant’s products are never found', async () => {
    const [one, other] = [await service().newMerchant(), await service().newMerchant()];
    await importDrafts(service(), one, [[draft('POT-1', { title: 'Pot' }, [{ identifier: 'V-1' }])]]);
    for (const query of ['pot', 'POT-1', 'v', 'v-1']) {
      assert.deepEqual(await find(other, { query }), [], query);
      assert.deepEqual(await find(one, { query }), ['POT-1'], query);
    }
  });

  describe('a query that cannot be used', () => {
    for (const [name, query] of Object.entries({
      'no query': {},
      'a blank query': { query: '  ' },
      'more than 500 characters': { query: 'é'.repeat(501) },
      'more than 20 words': { query: 'a '.repeat(21) },
    })) {
      it(`400: ${name} is refused by its name`, async () => {
        const response = await service().get(PATH, await service().newMerchant(), query);
        assert.equal(response.status, 400);
        assert.match(response.text, /query: /);
      });
    }

    it('200: a query without any word finds nothing', async () => {
      const merchant = await service().newMerchant();
      await importDrafts(service(), merchant, [[draft('A')]]);
      for (const query of ['\u0301', '\u{10ffff}', '\u0301 \u0301'])
        assert.deepEqual(await find(merchant, { query }), []);
    });

    it('200: 500 characters and 20 words are accepted', async () => {
      const merchant = await service().newMerchant();
      assert.deepEqual(await find(merchant, { query: 'é'.repeat(500) }), []);
      assert.deepEqual(await find(merchant, { query: 'a '.repeat(20) }), []);
    });
  });

  it('200: a page that is too large for memory is sent whole, off the event loop, and leaves no file', async () => {
    const merchant = await service().newMerchant();
    const drafts = Array.from({ length: 30 }, (_, index) => draft(`P${index}`, { title: 'Pot' }));
    await importDrafts(service(), merchant, [drafts]);
    await enlargeRecords(service(), merchant, 400_000);
    const listed = await service().get('/products.json', merchant);
    const found = await service().get(PATH, merchant, { query: 'pot' });
    assert.ok(found.bytes.length > 9_000_000);
    assert.ok(found.bytes.equals(listed.bytes));
    assert.deepEqual(readdirSync(join(service().config.dataDirectory, 'spool')), []);
  });

  it('304: a page that has not changed is not sent again', async () => {
    const merchant = await service().newMerchant();
    const path = `${PATH}?access_token=${merchant.token}&query=pot`;
    const etag = (await service().request('GET', path)).header('etag') ?? '';
    const repeat = () => service().request('GET', path, { headers: { 'if-none-match': etag } });
    assert.equal((await repeat()).status, 304);
    await importDrafts(service(), merchant, [[draft('POT-1', { title: 'Pot' })]]);
    assert.equal((await repeat()).status, 200);
  });
});
