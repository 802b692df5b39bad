import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startEpoch } from '../../src/database/epoch.ts';
import { CHANGED_PRODUCTS } from '../../src/products/changes/list-changes.ts';
import { encodeChangesCursor } from '../../src/sync/changes-cursor.ts';
import { encodeCursor } from '../../src/sync/cursor.ts';
import { allProducts, draft, importDrafts, importScheduleDrafts } from '../support/catalog.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { Mirror } from '../support/follow.ts';
import { importFileByApi } from '../support/imports.ts';
import { fc } from '../support/seed.ts';
import { type TestMerchant, useService } from '../support/service.ts';
import { startUndo, untilUndone } from '../support/undo.ts';
import { until } from '../support/until.ts';

const identifiersOf = (products: readonly { identifier: string }[]): string[] =>
  products.map(({ identifier }) => identifier);

forEachEngine((engine) => {
  const service = useService(engine);
  const since = (merchant: { token: string }, cursor: string, query: Record<string, string> = {}) =>
    service().get('/products', merchant, { changed_since: cursor, ...query });
  const update = (merchant: TestMerchant, form: Record<string, string>) =>
    service().request('POST', '/products/update', { form: { ...form, access_token: merchant.token } });

  it('lists everything from the start, then each change once, in the order of the last change', async () => {
    const merchant = await service().newMerchant();
    await importDrafts(service(), merchant, [[draft('A'), draft('B')], [draft('C')]]);
    const mirror = new Mirror(service(), merchant);
    const [first = [], second = []] = await mirror.follow(2);
    assert.deepEqual([identifiersOf(first), identifiersOf(second)], [['A', 'B'], ['C']]);
    assert.deepEqual(await mirror.follow(2), [[]]);

    await update(merchant, { identifier: 'B', title: 'New' });
    await update(merchant, { identifier: 'A', title: 'New' });
    await update(merchant, { identifier: 'B', title: 'Newer' });
    assert.deepEqual((await mirror.follow(10)).map(identifiersOf), [['A', 'B']]);
    assert.deepEqual(mirror.inOrder(), await allProducts(service(), merchant));
  });

  it('lists changes of sales figures, and deletions', async () => {
    const merchant = await service().newMerchant();
    await importDrafts(service(), merchant, [[draft('A'), draft('B'), draft('C')]]);
    const mirror = new Mirror(service(), merchant);
    await mirror.follow(10);
    await importScheduleDrafts(service(), merchant, [
      [
        {
          merchant: null,
          schedule_id: 's1',
          product_identifier: 'B',
          scheduled_at: service().now(),
          sold: true,
          sale_price: 500,
          rating: null,
        },
      ],
    ]);
    await service().request('POST', '/products/delete', {
      form: { identifier: 'A', access_token: merchant.token },
    });
    const [changed = []] = await mirror.follow(10);
    assert.deepEqual(
      changed.map(({ identifier, status, sales_count }) => [identifier, status, sales_count]),
      [
        ['B', 'enabled', 1],
        ['A', 'deleted', 0],
      ],
    );
  });

  it('does not list a product again if a write changed nothing', async () => {
    const merchant = await service().newMerchant();
    await importDrafts(service(), merchant, [[draft('A', { title: 'A' }), draft('B')]]);
    const mirror = new Mirror(service(), merchant);
    await mirror.follow(10);
    const { cursor } = mirror;
    await update(merchant, { identifier: 'A', title: 'A' });
    assert.deepEqual(await mirror.follow(10), [[]]);
    assert.equal(mirror.cursor, cursor);
  });

  it('304: an unchanged response to the same cursor is not sent again', async () => {
    const merchant = await service().newMerchant();
    const first = await since(merchant, 'start');
    const path = `/products?access_token=${merchant.token}&changed_since=start`;
    const headers = { 'if-none-match': String(first.headers.etag) };
    assert.equal((await service().request('GET', path, { headers })).status, 304);
    await importDrafts(service(), merchant, [[draft('A')]]);
    assert.equal((await service().request('GET', path, { headers })).status, 200);
  });

  it('a page of very large records is shorter, and nothing is lost', async () => {
    const merchant = await service().newMerchant();
    const description = 'x'.repeat(99_000);
    const drafts = Array.from({ length: 200 }, (_, index) => draft(`L${index}`, { description }));
    await importDrafts(service(), merchant, [drafts]);
    const mirror = new Mirror(service(), merchant);
    const pages = await mirror.follow(1000);
    assert.ok(pages.length > 1, 'one page had 20 MB');
    assert.deepEqual(mirror.inOrder(), await allProducts(service(), merchant));
  });

  it('400: rejects other parameters, and cursors that are cut off, of another listing or of another merchant', async () => {
    const [merchant, other] = [await service().newMerchant(), await service().newMerchant()];
    await importDrafts(service(), merchant, [[draft('A'), draft('B')]]);
    for (const name of ['status', 'category', 'page', 'sort', 'pagination', 'after']) {
      const value = { status: 'banned', page: '1', sort: 'sfb_ascending', pagination: 'true' }[name] ?? 'x';
      const refused = await since(merchant, 'start', { [name]: value });
      expectError(refused, 400, new RegExp(`^${name}: cannot be combined with changed_since\\.$`));
    }
    const { cursor } = (await since(merchant, 'start')).json<{ cursor: string }>();
    // Anyone can compute a checksum, so the contents are checked too.
    const scope = { merchantId: merchant.id, listing: CHANGED_PRODUCTS };
    for (const values of [[], [1], ['1', 2, 3], [1, 2, 'A'], [1.5, 2, 3], [1, 2, 3, 4]]) {
      const crafted = encodeCursor(scope, values);
      expectError(await since(merchant, crafted), 400, /^changed_since: a cursor of another list,/);
    }
    for (const cut of [cursor.slice(0, -1), cursor.slice(0, 20), `A${cursor}`, 'now', '%00']) {
      expectError(await since(merchant, cut), 400, /^changed_since: not a complete cursor/);
    }
    expectError(await since(other, cursor), 400, /^changed_since: a cursor of another merchant/);
    expectError(
      await service().get('/products', merchant, { after: cursor }),
      400,
      /^after: a cursor of another list,/,
    );
    const next = await service().get('/products', merchant, { per_page: '1' });
    const [, after = ''] = /after=([\w-]+)/.exec(String(next.headers.link)) ?? [];
    expectError(await since(merchant, after), 400, /^changed_since: a cursor of another list,/);
  });

  it('410: a cursor from before a restore, or from changes that were lost', async () => {
    const merchant = await service().newMerchant();
    await importDrafts(service(), merchant, [[draft('A')]]);
    const { cursor } = (await since(merchant, 'start')).json<{ cursor: string }>();
    const scope = { merchantId: merchant.id, listing: CHANGED_PRODUCTS };
    const lost = encodeChangesCursor(scope, 0, { revision: Number.MAX_SAFE_INTEGER, key: 1 });
    expectError(await since(merchant, lost), 410, /start again with “start”/);
    await service().database.transaction(startEpoch);
    expectError(await since(merchant, cursor), 410, /start again with “start”/);
    const mirror = new Mirror(service(), merchant);
    assert.deepEqual((await mirror.follow(10)).map(identifiersOf), [['A']]);
  });

  it('a mirror follows an undo, which deletes new products and restores others', async () => {
    const merchant = await service().newMerchant();
    const mirror = new Mirror(service(), merchant);
    await importDrafts(service(), merchant, [[draft('A', { title: 'One' }), draft('B', { title: 'One' })]]);
    const { id } = await importFileByApi(service(), merchant, 'identifier,title\nA,Two\nC,New\n');
    await mirror.follow(10);
    await untilUndone(service(), merchant, await startUndo(service(), merchant, { import_id: id }));
    const [changed = []] = await mirror.follow(10);
    assert.deepEqual(identifiersOf(changed).toSorted(), ['A', 'C']);
    assert.deepEqual(mirror.inOrder(), await allProducts(service(), merchant));
  });

  it('a mirror kept by changes alone equals the catalog, whatever several writers do meanwhile', async () => {
    const merchant = await service().newMerchant();
    const mirror = new Mirror(service(), merchant);
    const names = Array.from({ length: 12 }, (_, index) => `P${index}`);
    const anyWrite = fc.record({
      kind: fc.constantFrom('import', 'update', 'delete', 'disable', 'create'),
      identifier: fc.constantFrom(...names),
      title: fc.string({ minLength: 1, maxLength: 5, unit: 'grapheme' }).filter((text) => text.trim() !== ''),
    });
    let done = 0;
    const write = async ({
      kind,
      identifier,
      title,
    }: {
      kind: string;
      identifier: string;
      title: string;
    }) => {
      if (kind === 'import') await importDrafts(service(), merchant, [[draft(identifier, { title })]]);
      else {
        const path = kind === 'create' ? '/products' : `/products/${kind}`;
        const fields = kind === 'create' || kind === 'update' ? { title } : {};
        const form = { identifier, ...fields, access_token: merchant.token };
        const { status } = await service().request('POST', path, { form });
        assert.ok([200, 400, 404].includes(status));
      }
      done += 1;
    };
    const writes = fc.sample(anyWrite, 240);
    const writers = [0, 1, 2, 3].map(async (writer) => {
      for (const [index, each] of writes.entries()) if (index % 4 === writer) await write(each);
    });
    const finished = Promise.all(writers);
    let rounds = 0;
    while (done < writes.length) {
      const before = done;
      await mirror.follow(3);
      rounds += 1;
      await Promise.race([until(() => done > before), finished]);
    }
    await finished;
    await mirror.follow(3);
    assert.ok(rounds > 5, 'the mirror did not follow during the writes');
    assert.deepEqual(mirror.inOrder(), await allProducts(service(), merchant));
  });
});
