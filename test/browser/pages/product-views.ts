import { randomInt } from 'node:crypto';
import type { Visitor } from '../../support/browser/visitor.ts';
import type { Shops } from './shops.ts';
import type { View } from './view.ts';

export function listingViews(): View[] {
  return [
    { name: 'products', path: '/products', text: /of [\d,]+ products/ },
    {
      name: 'products-none',
      path: '/products?status=sold_out&category=none',
      text: 'No matching products',
    },
    {
      name: 'categories',
      path: '/products?category=Home',
      text: 'Category',
      steps: async ({ page }) => {
        await page.getByRole('button', { name: /^Filters/ }).click();
        await page.getByLabel('Category', { exact: true }).click();
        await page
          .getByRole('option', { name: /^Home \| / })
          .first()
          .waitFor();
      },
    },
    {
      name: 'palette',
      path: '/products',
      text: /of [\d,]+ products/,
      steps: async ({ page }) => {
        await page.keyboard.press('Control+k');
        await page.getByRole('combobox', { name: 'Order, product, page, or action' }).fill('oak');
        await page.getByRole('option', { name: /oak/i }).first().waitFor();
      },
    },
    {
      name: 'shortcuts',
      path: '/products?condition=New&stock_from=20&query=oak',
      text: /of [\d,]+ products/,
      steps: async ({ page }) => {
        await page.keyboard.press('?');
        await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
      },
    },
    {
      name: 'products-selected',
      path: '/products?status=in_stock',
      text: /of [\d,]+ products/,
      steps: async ({ page }) => {
        await page.getByLabel('Select page').check();
        await page.getByRole('button', { name: 'Set price' }).waitFor();
      },
    },
    {
      name: 'products-price',
      path: '/products?status=in_stock',
      text: /of [\d,]+ products/,
      steps: async (visitor) => {
        await visitor.page.getByLabel('Select page').check();
        await visitor.press('Set price');
        await visitor.field('New value').waitFor();
      },
    },
    {
      name: 'products-table',
      path: '/products/edit?status=in_stock&query=oak',
      text: 'Type, or paste from Excel or Google Sheets.',
      steps: async ({ page }) => {
        await page.getByRole('gridcell').nth(1).click();
        await page.keyboard.type('12,50');
        await page.keyboard.press('Enter');
        await page.keyboard.type('12.50');
        await page.keyboard.press('Enter');
        await page.keyboard.press('ArrowUp');
        await page.keyboard.press('ArrowUp');
      },
    },
  ];
}

export function productViews({ shop, product }: Shops): View[] {
  return [
    {
      name: 'product',
      path: '/products?status=in_stock',
      text: /of [\d,]+ products/,
      steps: async ({ page }) => {
        await page.locator('tbody').getByRole('link').nth(1).click();
        await page.getByRole('heading', { name: 'Prices' }).waitFor();
      },
    },
    {
      name: 'product-problems',
      path: `/products/${product}`,
      text: 'The marketplace has found problems with this product',
      steps: async (visitor) => {
        acceptDialogs(visitor);
        await visitor.field('Buy-now price').fill('a lot');
        await visitor.press('Add variation');
        visitor.expectFailure(400, '/v1/products/update.json');
        await visitor.press('Save');
        await visitor.page.locator('[aria-invalid=true]').first().waitFor();
      },
    },
    {
      name: 'product-conflict',
      path: `/products/${product}`,
      text: 'The marketplace has found problems with this product',
      steps: async (visitor) => {
        acceptDialogs(visitor);
        await visitor.field('Title').fill('My title');
        await visitor.field('Brand').fill('My brand');
        // Another value than at the last visit.
        const brand = `Brand ${randomInt(1_000_000)}`;
        await shop.post('/v1/products/update', {
          internal_id: product,
          title: `Their title, of ${brand}`,
          brand,
        });
        visitor.expectFailure(412, '/v1/products/update.json');
        await visitor.press('Save');
        await visitor.reads('Someone else changed this product');
      },
    },
    { name: 'product-new', path: '/products/new', text: 'You can’t change it later.' },
  ];
}

export function uploadViews({ uploads }: Shops): View[] {
  return [
    { name: 'upload', path: '/products/import', text: 'Drop a file here, or choose one' },
    {
      name: 'upload-ready',
      path: `/products/import?id=${uploads.ready}`,
      text: 'Preview',
    },
    { name: 'upload-workbook', path: `/products/import?id=${uploads.workbook}`, text: 'Sheet' },
    { name: 'upload-columns', path: `/products/import?id=${uploads.matching}`, text: 'Match columns' },
    {
      name: 'upload-failed',
      path: `/products/import?id=${uploads.failed}`,
      text: 'Couldn’t import this file',
    },
    { name: 'upload-done', path: `/products/import?id=${uploads.done}`, text: 'View products' },
  ];
}

function acceptDialogs({ page }: Visitor): void {
  page.once('dialog', (dialog) => void dialog.accept());
}
