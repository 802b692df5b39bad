import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { createKey } from '../../src/api-keys/create-key.ts';
import { revokeKey } from '../../src/api-keys/revoke-key.ts';
import { defaultBudgets } from '../../src/budgets/budgets.ts';
import type { Campaign } from '../../src/campaigns/campaign.ts';
import type { ProductPageView, RefusedKeyList } from '../../src/console/console-api.ts';
import { inviteUser } from '../../src/console/users/invite-user.ts';
import { fillDemo } from '../../src/demo/fill-demo.ts';
import { moderateProduct } from '../../src/products/moderation/moderate-product.ts';
import { describeInBrowser, useBrowser } from '../support/browser.ts';
import { type ConsoleClient, PASSWORD, signedIn } from '../support/console.ts';
import { sqlite } from '../support/engines.ts';
import { inspectPage, SHIFTS, SIZES } from '../support/inspect-page.ts';
import { useService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { checkFile, importFile, productLines } from '../support/uploads.ts';
import type { Visitor } from '../support/visitor.ts';
import { addressesOf, WebhookReceiver } from '../support/webhook-receiver.ts';

/** The maximum layout shift of a page while it loads, as a sum of the browser's layout shift values. */
const MAX_SHIFT = 0.1;
/** Replaces the images of the demo's products. */
const IMAGE = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 60"><rect width="80" height="60" fill="#e6dccb"/>
  <path d="M28 20h24l-4 30H32z" fill="#9a5b34"/><rect x="24" y="14" width="32" height="7" rx="2" fill="#7c4727"/></svg>`;

/** A view: its name, its path, a text that it shows once loaded, and further steps. */
interface View {
  name: string;
  path: string;
  text: string | RegExp;
  steps?: (visitor: Visitor) => Promise<void>;
}

/** Lets the window leave a page with unsaved edits. */
function acceptDialogs({ page }: Visitor): void {
  page.once('dialog', (dialog) => void dialog.accept());
}

describeInBrowser('every page, in both themes, passes axe and fits the screen', () => {
  let receiver: WebhookReceiver;
  before(async () => {
    receiver = await WebhookReceiver.start();
  });
  after(() => receiver.close());
  const service = useService(sqlite, {
    environment: {
      SELF_REGISTRATION: 'on',
      CAMPAIGN_TYPES: 'AuctionCampaign (Bids for places in auctions), Banner',
    },
    findAddress: addressesOf(() => [receiver]),
  });
  const open = useBrowser(service);
  let shop: ConsoleClient;
  let viewer: ConsoleClient;
  let empty: ConsoleClient;
  let link: string;
  let uploads: { ready: string; failed: string; done: string };
  let webhook: string;
  /** The internal id of a moderated product. */
  let product: number;
  let conflicts = 0;
  let campaign: string;

  before(async () => {
    const [merchant] = await fillDemo({
      ...service(),
      origin: 'https://images.example.com',
      now: service().now,
      lowInventory: 5,
    });
    assert.ok(merchant !== undefined);
    shop = await signedIn(service(), merchant);
    viewer = await signedIn(service(), merchant, 'viewer');
    empty = await signedIn(service(), await service().newMerchant());
    const user = { merchantId: merchant.id, email: 'new@example.com', name: 'New' };
    const invited = await service().database.transaction((connection) =>
      inviteUser(connection, user, { budgets: defaultBudgets, now: service().now() }),
    );
    const { results } = (await shop.get('/products?status=in_stock')).json<ProductPageView>();
    const [found] = results;
    assert.ok(found !== undefined);
    product = found.internal_id;
    const reasons = [{ code: 'image', field: 'primary_image', message: 'Show the product from the front.' }];
    await service().database.transaction((connection) =>
      moderateProduct(
        connection,
        { merchantId: merchant.id, lowInventory: 5, now: service().now },
        { identifier: found.identifier, state: 'problematic', reasons },
      ),
    );
    link = `/set-password?token=${invited.token}`;
    const rows = `${productLines(40)}{"identifier":"P-41","cost_basis":"a lot"}\nnonsense\n`;
    uploads = {
      failed: (await checkFile(shop, 'prices.xlsx', 'PK\x03\x04', 'failed')).id,
      done: (await importFile(shop, 'pots.ndjson', productLines(1))).id,
      ready: (await checkFile(shop, 'pots.ndjson', rows)).id,
    };
    receiver.respond = (_, response) => response.writeHead(500).end('{"error":"The queue is full."}');
    const body = { url: receiver.url, description: 'Warehouse' };
    webhook = (await shop.post('/webhooks', body)).json<{ id: string }>().id;
    const input = { name: 'Delivered', type: 'Banner', daily_budget: 1234.5 };
    campaign = (await shop.post('/campaigns', input)).json<Campaign>().internal_id;
    await until(() => receiver.received.length > 0);
    await makeCalls(merchant);
  });

  /** Makes calls that succeed and fail, and some with a revoked key. */
  async function makeCalls(merchant: { id: number }): Promise<void> {
    const numbers = { merchantId: merchant.id, expiresAt: null };
    const key = await createKey(service(), { ...numbers, name: 'ERP' });
    const revoked = await createKey(service(), { ...numbers, name: 'Old ERP' });
    await revokeKey(service(), revoked.id);
    const headers = { 'x-erp-name': 'Ledger 7' };
    for (const [token, path, parameters] of [
      [key.token, '/products', { per_page: '5' }],
      [key.token, '/products', { per_page: '2000', colour: 'red' }],
      [key.token, '/variations/retrieve', { identifier: 'VASE-7-XXL' }],
      [key.token, '/campaigns', { page: 'last' }],
      ...[1, 2, 3].map((page) => [revoked.token, '/products', { page: String(page) }] as const),
    ] as const) {
      const query = new URLSearchParams({ access_token: token, ...parameters });
      await service().request('GET', `${path}?${query}`, { headers });
    }
    await until(async () => {
      const { keys } = (await shop.get('/requests/refused-keys')).json<RefusedKeyList>();
      return keys[0]?.requests === 3;
    });
  }

  const signedOutViews = (): View[] => [
    { name: 'sign-in', path: '/sign-in', text: 'Register your shop' },
    { name: 'register', path: '/register', text: 'Register your shop' },
    { name: 'set-password', path: link, text: 'Set your password' },
    { name: 'link-gone', path: '/set-password', text: 'This link has expired or was already used' },
  ];
  const viewerViews = (): View[] => [
    { name: 'viewer-overview', path: '/', text: 'Recent activity' },
    { name: 'viewer-products', path: '/products', text: 'You are a viewer.' },
    { name: 'viewer-upload', path: `/products/upload?id=${uploads.ready}`, text: 'Preview' },
    { name: 'viewer-campaigns', path: '/campaigns', text: 'Clearance' },
    { name: 'viewer-campaign', path: `/campaigns/${campaign}`, text: 'Lifetime budget per product' },
    { name: 'viewer-keys', path: '/keys', text: 'Products imported' },
    { name: 'viewer-webhook', path: `/webhooks?webhook=${webhook}`, text: 'Deliveries' },
    { name: 'viewer-team', path: '/team', text: 'Not set up' },
    { name: 'viewer-settings', path: '/settings', text: 'Currency' },
  ];
  const emptyViews: View[] = [
    { name: 'overview-empty', path: '/', text: 'Make your first API call' },
    { name: 'products-empty', path: '/products', text: 'No products yet' },
    { name: 'campaigns-empty', path: '/campaigns', text: 'No campaigns yet' },
    { name: 'sales-empty', path: '/sales', text: 'No sales yet' },
    { name: 'webhooks-empty', path: '/webhooks', text: 'No webhooks yet' },
    { name: 'requests-empty', path: '/requests', text: 'Every call of the last 7 days succeeded.' },
  ];
  const shopViews = (): View[] => [
    { name: 'overview', path: '/', text: 'Recent activity' },
    { name: 'products', path: '/products', text: /of 2,001 products/ },
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
        visitor.expectFailure(400, `/console/api/products/${product}`);
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
        conflicts += 1;
        await visitor.field('Title').fill('My title');
        await visitor.field('Brand').fill('My brand');
        await shop.post(`/products/${product}`, {
          title: `Their title ${conflicts}`,
          brand: `B ${conflicts}`,
        });
        visitor.expectFailure(412, `/console/api/products/${product}`);
        await visitor.press('Save');
        await visitor.reads('Someone else changed this product');
      },
    },
    {
      name: 'palette',
      path: '/products',
      text: /of 2,001 products/,
      steps: async ({ page }) => {
        await page.keyboard.press('Control+k');
        await page.getByRole('combobox', { name: 'Product, page or action' }).fill('oak');
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
      path: '/products/edit?status=in_stock&category=Home',
      text: 'These are the first',
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
    { name: 'product-new', path: '/products/new', text: 'It cannot be changed later.' },
    { name: 'upload', path: '/products/upload', text: 'Drop a file or browse' },
    {
      name: 'upload-ready',
      path: `/products/upload?id=${uploads.ready}`,
      text: 'Preview',
    },
    { name: 'upload-failed', path: `/products/upload?id=${uploads.failed}`, text: 'Something went wrong' },
    { name: 'upload-done', path: `/products/upload?id=${uploads.done}`, text: 'View products' },
    { name: 'campaigns', path: '/campaigns', text: 'Clearance' },
    {
      name: 'campaign-form',
      path: '/campaigns',
      text: 'Clearance',
      steps: async (visitor) => {
        visitor.expectFailure(400, '/console/api/campaigns');
        await visitor.press('Create campaign');
        await visitor.field('Bid amount').fill('a little');
        await visitor.press('Create');
        await visitor.page.locator('[aria-invalid=true]').first().waitFor();
      },
    },
    { name: 'campaigns-none', path: '/campaigns?status=Expired', text: 'No matching campaigns' },
    { name: 'campaign', path: `/campaigns/${campaign}`, text: 'No products yet' },
    {
      name: 'campaign-products',
      path: '/campaigns',
      text: 'Clearance',
      steps: async (visitor) => {
        await visitor.follow('Spring sale');
        await visitor.page.getByRole('button', { name: 'Show more products' }).click();
        await visitor.page.locator('#main li').nth(30).waitFor();
      },
    },
    {
      name: 'campaign-edit',
      path: `/campaigns/${campaign}`,
      text: 'Lifetime budget per product',
      steps: async (visitor) => {
        await visitor.press('Edit');
        await visitor.field('Lifetime budget').waitFor();
      },
    },
    {
      name: 'campaign-duplicate',
      path: `/campaigns/${campaign}`,
      text: 'Lifetime budget per product',
      steps: async (visitor) => {
        await visitor.press('Duplicate');
        await visitor.page.getByLabel('Banner').waitFor();
      },
    },
    {
      name: 'campaign-end',
      path: `/campaigns/${campaign}`,
      text: 'Lifetime budget per product',
      steps: async (visitor) => {
        await visitor.press('End');
        await visitor.page.getByRole('button', { name: 'Cancel' }).waitFor();
      },
    },
    { name: 'team', path: '/team', text: 'Not set up' },
    {
      name: 'team-invite',
      path: '/team',
      text: 'Not set up',
      steps: async (visitor) => {
        visitor.expectFailure(400, '/console/api/team');
        await visitor.press('Invite user');
        await visitor.field('Name').fill('Vera');
        await visitor.field('Email').fill('vera');
        await visitor.press('Invite');
        await visitor.reads('is not an email address.');
      },
    },
    {
      name: 'team-link',
      path: '/team',
      text: 'Not set up',
      steps: async (visitor) => {
        await visitor.press('New link for New');
        await visitor.press('Create link');
        await visitor.page.getByRole('dialog').locator('pre').waitFor();
      },
    },
    {
      name: 'team-role',
      path: '/team',
      text: 'Not set up',
      steps: async (visitor) => {
        await visitor.press('Change role of New');
        await visitor.page.getByLabel('Viewer').waitFor();
      },
    },
    {
      name: 'team-remove',
      path: '/team',
      text: 'Not set up',
      steps: async (visitor) => {
        await visitor.press('Remove New');
        await visitor.page.getByRole('button', { name: 'Cancel' }).waitFor();
      },
    },
    { name: 'settings', path: '/settings', text: 'Fixed, because' },
    { name: 'sales', path: '/sales', text: 'Monthly figures' },
    {
      name: 'requests',
      path: '/requests?hours=168',
      text: 'and was used 3 times since',
      steps: ({ page }) => page.locator('svg.recharts-surface').first().waitFor(),
    },
    {
      name: 'request',
      path: '/requests?status=404',
      text: 'Failed calls',
      steps: async ({ page }) => {
        await page.locator('summary').first().click();
        await page.getByText('What to do:').first().waitFor();
      },
    },
    { name: 'keys', path: '/keys', text: 'Products imported' },
    {
      name: 'key-created',
      path: '/keys',
      text: 'Activity',
      steps: async (visitor) => {
        await visitor.press('Create key');
        await visitor.field('Name').fill('Warehouse sync');
        await visitor.page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
        await visitor.reads('Copy your token now.');
      },
    },
    {
      name: 'key-revoke',
      path: '/keys',
      text: 'Activity',
      steps: async ({ page }) => {
        await page
          .getByRole('button', { name: /^Revoke/ })
          .first()
          .click();
        await page.getByRole('button', { name: 'Cancel' }).waitFor();
      },
    },
    { name: 'webhooks', path: '/webhooks', text: 'Warehouse' },
    {
      name: 'webhook-new',
      path: '/webhooks',
      text: 'Warehouse',
      steps: async (visitor) => {
        visitor.expectFailure(400, '/console/api/webhooks');
        await visitor.page.locator('#main').getByRole('button', { name: 'Add webhook' }).click();
        await visitor.field('URL').fill('https://127.0.0.1/');
        await visitor.page.getByLabel('All events').uncheck();
        await visitor.page.getByLabel('campaign.created').check();
        await visitor.page.getByRole('dialog').getByRole('button', { name: 'Add webhook' }).click();
        await visitor.reads('Expected a URL with a public address.');
      },
    },
    {
      name: 'webhook',
      path: `/webhooks?webhook=${webhook}`,
      text: 'Deliveries',
      steps: async ({ page }) => {
        await page.locator('summary').first().click();
        await page.locator('details[open]').getByText('The queue is full.').waitFor();
      },
    },
    {
      name: 'webhook-test',
      path: `/webhooks?webhook=${webhook}`,
      text: 'Deliveries',
      steps: async (visitor) => {
        await visitor.press('Send test event');
        await visitor.page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click();
        await visitor.page
          .getByRole('dialog')
          .getByText(/Status 500 after/)
          .waitFor();
      },
    },
    { name: 'account', path: '/account', text: 'This session' },
    {
      name: 'two-factor',
      path: '/account',
      text: 'Sign out everywhere',
      steps: async (visitor) => {
        await visitor.press('Enable');
        await visitor.field('Your password').fill(PASSWORD);
        await visitor.press('Continue');
        await visitor.page.getByRole('img', { name: /^QR code/ }).waitFor();
      },
    },
    { name: 'reference', path: '/reference', text: 'Retrieve a variation' },
    { name: 'not-found', path: '/nowhere', text: 'Check the address.' },
  ];

  /** Opens a view and waits until it is complete. */
  const show = async (visitor: Visitor, { path, text, steps }: View): Promise<void> => {
    await visitor.goTo(path);
    await visitor.reads(text);
    await visitor.page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
    await steps?.(visitor);
  };
  const serveImages = async (visitor: Visitor): Promise<void> => {
    visitor.expectProblem(/^request to another origin: https:\/\/images\.example\.com\//);
    await visitor.context.route('https://images.example.com/**', (route) =>
      route.fulfill({ contentType: 'image/svg+xml', body: IMAGE }),
    );
  };

  for (const size of ['desktop', 'phone', 'narrow'] as const) {
    const checkViews = async (visitor: Visitor, views: View[]): Promise<void> => {
      for (const view of views) {
        const { name, steps } = view;
        await show(visitor, view);
        await inspectPage(visitor, size, name);
        const shifted = await visitor.page.evaluate<number>('window.shifted');
        if (steps === undefined) assert.ok(shifted < MAX_SHIFT, `${name} shifts by ${shifted} on a ${size}`);
      }
    };
    const context = { viewport: SIZES[size], hasTouch: size !== 'desktop' };

    it(`of a shop, on a ${size}`, async (t) => {
      const visitor = await open(t, { as: shop, context });
      await visitor.context.addInitScript(SHIFTS);
      await serveImages(visitor);
      await checkViews(visitor, shopViews());
    });

    it(`of a viewer, on a ${size}`, async (t) => {
      const visitor = await open(t, { as: viewer, context });
      await visitor.context.addInitScript(SHIFTS);
      await serveImages(visitor);
      await checkViews(visitor, viewerViews());
    });

    it(`of an empty shop, and before sign-in, on a ${size}`, async (t) => {
      const visitor = await open(t, { as: empty, context });
      await visitor.context.addInitScript(SHIFTS);
      await checkViews(visitor, emptyViews);
      if (size !== 'desktop') {
        await visitor.press('Open menu');
        await inspectPage(visitor, size, 'navigation');
      }
      await visitor.context.clearCookies();
      await checkViews(visitor, signedOutViews());
    });
  }
});
