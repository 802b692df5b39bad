import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ProductColumns, SavedViews } from '../../src/console/catalog-api.ts';
import { MAX_COLUMNS } from '../../src/console/views/column-list.ts';
import { MAX_VIEW_NAME, MAX_VIEWS } from '../../src/console/views/view-list.ts';
import { signedIn } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { useService } from '../support/service.ts';
import { accepted } from '../support/writes.ts';

forEachEngine((engine) => {
  const service = useService(engine);

  it('keeps the saved views of each user, in their order', async () => {
    const merchant = await service().newMerchant();
    const viewer = await signedIn(service(), merchant, 'viewer');
    const colleague = await signedIn(service(), merchant);
    assert.deepEqual(accepted<SavedViews>(await viewer.get('/views')), { views: [] });
    const views = [
      { name: 'Günstig & “neu”', listing: { query: 'ton', price_below: '20' } },
      { name: 'All', listing: {} },
    ];
    assert.deepEqual(accepted<SavedViews>(await viewer.post('/views', { views })), { views });
    assert.deepEqual(accepted<SavedViews>(await viewer.get('/views')), { views });
    assert.deepEqual(accepted<SavedViews>(await colleague.get('/views')), { views: [] });
    await viewer.post('/views', { views: views.slice(1) });
    assert.deepEqual(accepted<SavedViews>(await viewer.get('/views')), { views: views.slice(1) });
  });

  it('rejects what is not a list of views, and keeps the former one', async () => {
    const client = await signedIn(service(), await service().newMerchant());
    const view = { name: 'A', listing: { query: 'a' } };
    await client.post('/views', { views: [view] });
    for (const views of [
      'A',
      {},
      ['A'],
      [null],
      [{ name: 'A' }],
      [{ ...view, name: ' ' }],
      [{ ...view, name: 'A'.repeat(MAX_VIEW_NAME + 1) }],
      [{ ...view, listing: { query: 1 } }],
      [{ ...view, listing: { query: 'a'.repeat(501) } }],
      [{ ...view, listing: [] }],
      [{ ...view, more: true }],
      [view, view],
      Array.from({ length: MAX_VIEWS + 1 }, (_, index) => ({ ...view, name: String(index) })),
    ]) {
      const response = await client.post('/views', { views });
      assert.equal(response.status, 400, JSON.stringify(views));
      assert.match(response.message, /^views: /);
    }
    assert.equal((await client.post('/views', {})).status, 400);
    assert.deepEqual(accepted<SavedViews>(await client.get('/views')), { views: [view] });
  });

  it('keeps the columns of each user’s product lists, in their order, until the default is restored', async () => {
    const merchant = await service().newMerchant();
    const viewer = await signedIn(service(), merchant, 'viewer');
    const colleague = await signedIn(service(), merchant);
    const read = async (): Promise<ProductColumns> => accepted(await viewer.get('/product-columns'));
    assert.deepEqual(await read(), { columns: null });
    for (const columns of [['margin', 'sales_count'], ['sales_count', 'margin'], [], null]) {
      const written = accepted<ProductColumns>(await viewer.post('/product-columns', { columns }));
      assert.deepEqual([written, await read()], [{ columns }, { columns }]);
    }
    await viewer.post('/product-columns', { columns: ['margin'] });
    assert.deepEqual(accepted(await colleague.get('/product-columns')), { columns: null });
  });

  it('rejects what is not a list of different columns, and keeps the former one', async () => {
    const client = await signedIn(service(), await service().newMerchant());
    await client.post('/product-columns', { columns: ['margin'] });
    for (const columns of [
      'margin',
      {},
      [null],
      [1],
      [['margin']],
      [''],
      ['Margin, stock'],
      ['a'.repeat(41)],
      ['margin', 'margin'],
      Array.from({ length: MAX_COLUMNS + 1 }, (_, index) => 'a'.repeat(index + 1)),
    ]) {
      const response = await client.post('/product-columns', { columns });
      assert.equal(response.status, 400, JSON.stringify(columns));
      assert.match(response.message, /^columns: expected a list of up to 40 different names of columns/);
    }
    assert.equal((await client.post('/product-columns', {})).status, 400);
    assert.deepEqual(accepted(await client.get('/product-columns')), { columns: ['margin'] });
  });
});
