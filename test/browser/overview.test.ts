import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { Overview, ProductSalesPage } from '../../src/console/catalog-api.ts';
import type { Product } from '../../src/products/record/product.ts';
import { ReceiverRefused } from '../../src/webhooks/receiver-address.ts';
import { Shop } from '../orders/orders-support.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import { allProducts, draft, importDrafts, importScheduleDrafts } from '../support/catalog.ts';
import { type ConsoleClient, signedIn } from '../support/console.ts';
import { importFile } from '../support/console-imports.ts';
import { sqlite } from '../support/engines.ts';
import type { TestMerchant } from '../support/service.ts';
import { useService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { inspectPage, SIZES, SOME_THEMES } from './inspect-page.ts';
import { choose, tabTo } from './keyboard.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describeInBrowser('the overview', () => {
  const service = useService(sqlite, {
    environment: { CHECK_IMAGES: 'on' },
    findAddress: async (host) => {
      throw new ReceiverRefused(`Couldn’t find ${host}. Check the domain name.`);
    },
  });
  const open = useBrowser(service);

  const inHours = (hours: number): string => new Date(service().now() + hours * HOUR_MS).toISOString();

  /** A shop with something of most that needs attention, and with sales. */
  async function busyShop(): Promise<{ merchant: TestMerchant; as: ConsoleClient }> {
    const shop = await Shop.open(service());
    const { merchant } = shop;
    const as = await signedIn(service(), merchant);
    await shop.push('LATE', { fulfillment_due_date: inHours(-3) });
    await shop.push('LATER', { fulfillment_due_date: inHours(60) });
    const low = (title: string, units: number) =>
      draft(title.toUpperCase(), { title, available_quantity: units });
    await importDrafts(service(), merchant, [
      [
        draft('LAMP', { title: 'Lamp', status: 'problematic' }),
        draft('JUG', { title: 'Jug', status: 'sold_out', sales_count: 7 }),
        draft('CAN', { title: 'Can', status: 'sold_out' }),
        low('Bowl', 4),
        low('Cup', 1),
        draft('PAN', { title: 'Pan' }, [
          { identifier: 'PAN-S', quantity: 1 },
          { identifier: 'PAN-L', quantity: 2 },
        ]),
      ],
    ]);
    const schedules = Array.from({ length: 90 }, (_, index) => ({
      merchant: null,
      schedule_id: `s-${index}`,
      product_identifier: index % 4 === 0 ? 'BOWL' : 'VASE',
      scheduled_at: service().now() - index * 0.3 * DAY_MS,
      sold: index % 3 !== 1,
      sale_price: index % 3 === 1 ? null : 1_000 + 50 * index,
      rating: index % 5 === 0 ? 450 : null,
    }));
    await importScheduleDrafts(service(), merchant, [schedules]);
    await as.post('/keys', { name: 'ERP', expires_at: inHours(48) });
    await importFile(as, 'spring.csv', 'identifier,buy_now_price\nBOWL,much\n');
    return { merchant, as };
  }

  let busy: Awaited<ReturnType<typeof busyShop>>;
  before(async () => {
    busy = await busyShop();
  });

  it('lists what needs attention first; each line leads to the list that it counts', async (t) => {
    const visitor = await open(t, { as: busy.as });
    const { page } = visitor;
    const region = page.getByRole('region', { name: 'Needs attention' });
    const titles = async (): Promise<string[]> => {
      await region.waitFor();
      return await region.locator('strong').allInnerTexts();
    };
    await visitor.goTo('/');
    assert.deepEqual(await titles(), [
      '1 overdue order',
      '1 product to correct',
      '2 products sold out',
      '1 API key expires within 7 days',
      '1 rejected row',
    ]);
    await inspectPage(visitor, 'overview-work', SOME_THEMES);
    for (const [line, address, rows] of [
      [/^1 overdue order/, '/orders?status=overdue', 1],
      [/^1 product to correct/, '/products?status=problematic', 1],
      [/^2 products sold out/, '/products?status=sold_out&sort=sales_descending', 2],
      [/^1 API key expires/, '/keys?status=expiring', 1],
    ] as const) {
      await region.getByRole('link', { name: line }).click();
      await until(() => Promise.resolve(visitor.address === address));
      await until(async () => (await page.locator('tbody tr').count()) === rows);
      await page.goBack();
      await region.waitFor();
    }
    await region.getByRole('link', { name: /^1 rejected row/ }).click();
    await visitor.reads('much');
    await page.goBack();
    await page.setViewportSize(SIZES.phone);
    await visitor.goTo('/');
    const first = await region.getByRole('link').first().boundingBox();
    assert.ok(first !== null && first.y + first.height < SIZES.phone.height, 'without scrolling');
  });

  it('shows the course of each figure as text too, and the top products of the page Sales', async (t) => {
    const { as } = busy;
    const visitor = await open(t, { as });
    await visitor.goTo('/');
    await visitor.page.getByRole('region', { name: 'Top products' }).getByText('Vase').waitFor();
    const courses = visitor.page.getByText(/in the last 30 days\.$/);
    assert.equal(await courses.count(), 5);
    assert.match((await courses.first().textContent()) ?? '', /^Between \$0\.00 and \$\d+\.\d\d a day/);
    const path = '/sales/products?duration=last_30_days&per_page=5';
    const { products } = (await as.get(path)).json<ProductSalesPage>();
    const top = visitor.page.getByRole('region', { name: 'Top products' });
    const shown = (await top.locator('li').allInnerTexts()).map((text) => text.split('\n').slice(0, 2));
    assert.deepEqual(
      shown.map(([title]) => title?.toUpperCase()),
      products.map(({ identifier }) => identifier),
    );
    for (const [index, { revenue }] of products.entries())
      assert.equal(Number(shown[index]?.[1]?.replaceAll(/[$,]/g, '')), revenue);
  });

  it('restocks in place with the keyboard, keeps the row and the focus, and undoes it', async (t) => {
    const { as, merchant } = await busyShop();
    const read = async (wanted: string): Promise<Product> =>
      (await allProducts(service(), merchant)).find(({ identifier }) => identifier === wanted) ??
      assert.fail();
    const visitor = await open(t, { as });
    const { page } = visitor;
    const rows = page.getByRole('region', { name: 'Low stock' }).locator('li');
    await visitor.goTo('/');
    await tabTo(visitor, 'Stock of Bowl: 4');
    await page.keyboard.press('Enter');
    await page.keyboard.type('40');
    await page.keyboard.press('Enter');
    await visitor.reads('Stock of Bowl: 4 → 40');
    assert.equal((await read('BOWL')).available_quantity, 40);
    await visitor.reads('No longer low');
    await until(async () => (await visitor.focused()) === 'Stock of Bowl: 40');
    assert.match((await rows.first().innerText()).replaceAll('\n', ' '), /^Bowl/, 'the one that sells');
    await visitor.press('Undo');
    await visitor.reads('Stock of Bowl is 4 again.');
    assert.equal((await read('BOWL')).available_quantity, 4);
    await page.getByText('No longer low').waitFor({ state: 'detached' });

    await choose(visitor, 'Restock Pan');
    await visitor.sees('Pan');
  });

  it('shows a viewer the same lines, and stock that cannot be changed', async (t) => {
    const visitor = await open(t, { as: await signedIn(service(), busy.merchant, 'viewer') });
    await visitor.goTo('/');
    const region = visitor.page.getByRole('region', { name: 'Needs attention' });
    await region.waitFor();
    assert.equal(await region.getByRole('link').count(), 5);
    await visitor.reads('4 left');
    assert.equal(await visitor.page.getByRole('button', { name: /^Stock of/ }).count(), 0);
    await region.getByRole('link', { name: /^1 API key/ }).click();
    await visitor.reads('Only keys that expire within 7 days are shown.');
    await visitor.follow('Show all keys');
    await visitor.reads('default');
    assert.equal(visitor.address, '/keys');
  });

  it('leads to products whose images don’t work, and each says why beside the pictures', async (t) => {
    const merchant = await service().newMerchant();
    const as = await signedIn(service(), merchant);
    // Browsers do not load images over http in the console.
    const primary_image = 'http://images.gone.example/a-long-name-of-a-picture-that-nobody-has-anymore.jpg';
    await importDrafts(service(), merchant, [
      [draft('VASE', { title: 'Vase', primary_image }), draft('POT', { title: 'Pot' })],
    ]);
    await until(async () =>
      (await as.get('/overview'))
        .json<Overview>()
        .attention.some(({ concern }) => concern === 'images_failing'),
    );
    const visitor = await open(t, { as });
    const { page } = visitor;
    await visitor.goTo('/');
    await page.getByRole('link', { name: /^1 product with images to check/ }).click();
    await visitor.sees('Products');
    await page.getByRole('button', { name: 'Remove filter: Images to check' }).waitFor();
    const table = page.getByRole('table');
    const vase = table.getByRole('link', { name: 'Vase' }).first();
    await vase.waitFor();
    assert.equal(await table.getByText('Pot').count(), 0);
    await inspectPage(visitor, 'products-images');
    await vase.click();
    await visitor.sees('Vase');
    const list = page.getByRole('list', { name: 'Images to check' });
    await list
      .getByText(`The image at ${primary_image} didn’t load. Couldn’t find images.gone.example.`)
      .waitFor();
    await list.scrollIntoViewIfNeeded();
    await inspectPage(visitor, 'product-images');
    await page.getByLabel('Main image').fill('');
    await list.waitFor({ state: 'detached' });
  });

  it('says calmly that nothing needs attention, but to a new shop only what to do first', async (t) => {
    const merchant = await service().newMerchant();
    const as = await signedIn(service(), merchant);
    const visitor = await open(t, { as });
    await visitor.goTo('/');
    await visitor.reads('Make your first API request');
    const calm = visitor.page.getByText('Nothing needs your attention.');
    assert.equal(await calm.count(), 0);
    await importDrafts(service(), merchant, [[draft('POT', { title: 'Pot', available_quantity: 80 })]]);
    await visitor.goTo('/');
    await calm.waitFor();
    await inspectPage(visitor, 'overview-calm');
  });
});
