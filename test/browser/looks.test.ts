import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { defaultBudgets } from '../../src/budgets/budgets.ts';
import { inviteUser } from '../../src/console/users/invite-user.ts';
import { fillDemo } from '../../src/demo/fill-demo.ts';
import { describeInBrowser, useBrowser } from '../support/browser.ts';
import { type ConsoleClient, PASSWORD, signedIn } from '../support/console.ts';
import { sqlite } from '../support/engines.ts';
import { look, SHIFTS, SIZES } from '../support/looks.ts';
import { useService } from '../support/service.ts';
import { checkFile, importFile, productLines } from '../support/uploads.ts';
import type { Visitor } from '../support/visitor.ts';

const MOST_SHIFTED = 0.1;
/** Stands for the pictures that the demo's products name. */
const PICTURE = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 60"><rect width="80" height="60" fill="#e6dccb"/>
  <path d="M28 20h24l-4 30H32z" fill="#9a5b34"/><rect x="24" y="14" width="32" height="7" rx="2" fill="#7c4727"/></svg>`;

/** What is seen: its name, where it is, what it says when it is there, and what leads to it from there. */
interface View {
  name: string;
  path: string;
  words: string | RegExp;
  go?: (visitor: Visitor) => Promise<void>;
}

describeInBrowser('every page, in the light and in the dark, without fault to axe', () => {
  const service = useService(sqlite, { environment: { SELF_REGISTRATION: 'on' } });
  const open = useBrowser(service);
  let shop: ConsoleClient;
  let empty: ConsoleClient;
  let link: string;
  let uploads: { ready: string; failed: string; done: string };

  before(async () => {
    const [merchant] = await fillDemo({
      ...service(),
      origin: 'https://images.example.com',
      now: service().now,
      lowInventory: 5,
    });
    assert.ok(merchant !== undefined);
    shop = await signedIn(service(), merchant);
    empty = await signedIn(service(), await service().newMerchant());
    const user = { merchantId: merchant.id, email: 'new@example.com', name: 'New' };
    const invited = await service().database.transaction((connection) =>
      inviteUser(connection, user, { budgets: defaultBudgets, now: service().now() }),
    );
    link = `/set-password?token=${invited.token}`;
    const rows = `${productLines(40)}{"identifier":"P-41","cost_basis":"a lot"}\nnonsense\n`;
    uploads = {
      failed: (await checkFile(shop, 'prices.xlsx', 'PK\x03\x04', 'failed')).id,
      done: (await importFile(shop, 'pots.ndjson', productLines(1))).id,
      ready: (await checkFile(shop, 'pots.ndjson', rows)).id,
    };
  });

  const visitorsViews = (): View[] => [
    { name: 'sign-in', path: '/sign-in', words: 'Register your shop' },
    { name: 'register', path: '/register', words: 'Register your shop' },
    { name: 'set-password', path: link, words: 'Set your password' },
    { name: 'link-gone', path: '/set-password', words: 'It has been used, or its time is over' },
  ];
  const emptyViews: View[] = [
    { name: 'overview-empty', path: '/', words: 'Make the first call' },
    { name: 'products-empty', path: '/products', words: 'No products yet' },
    { name: 'campaigns-empty', path: '/campaigns', words: 'No campaigns yet' },
    { name: 'sales-empty', path: '/sales', words: 'No sales yet' },
  ];
  const shopViews = (): View[] => [
    { name: 'overview', path: '/', words: 'Recent activity' },
    { name: 'products', path: '/products', words: /of 2,001 products/ },
    {
      name: 'products-none',
      path: '/products?status=sold_out&category=none',
      words: 'No products like that',
    },
    {
      name: 'categories',
      path: '/products?category=Home',
      words: 'Category',
      go: async ({ page }) => {
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
      words: /of [\d,]+ products/,
      go: async ({ page }) => {
        await page.locator('tbody').getByRole('link').nth(1).click();
        await page.getByRole('dialog').getByText('As the API gives it').waitFor();
      },
    },
    { name: 'upload', path: '/products/upload', words: 'Drop a file here' },
    {
      name: 'upload-ready',
      path: `/products/upload?id=${uploads.ready}`,
      words: 'This is what would change',
    },
    { name: 'upload-failed', path: `/products/upload?id=${uploads.failed}`, words: 'That did not work' },
    { name: 'upload-done', path: `/products/upload?id=${uploads.done}`, words: 'See the products' },
    { name: 'campaigns', path: '/campaigns', words: 'Clearance' },
    {
      name: 'campaign-form',
      path: '/campaigns',
      words: 'Clearance',
      go: async (visitor) => {
        visitor.expectFailure(400, '/console/api/campaigns');
        await visitor.press('Create a campaign');
        await visitor.field('Bid amount').fill('a little');
        await visitor.press('Create');
        await visitor.page.locator('[aria-invalid=true]').first().waitFor();
      },
    },
    { name: 'sales', path: '/sales', words: 'Month by month' },
    { name: 'keys', path: '/keys', words: 'Products imported' },
    {
      name: 'key-made',
      path: '/keys',
      words: 'Activity',
      go: async (visitor) => {
        await visitor.press('Make a key');
        await visitor.field('Name').fill('Warehouse sync');
        await visitor.press('Make the key');
        await visitor.reads('Copy it now.');
      },
    },
    {
      name: 'key-revoke',
      path: '/keys',
      words: 'Activity',
      go: async ({ page }) => {
        await page
          .getByRole('button', { name: /^Revoke/ })
          .first()
          .click();
        await page.getByRole('button', { name: 'Keep it' }).waitFor();
      },
    },
    { name: 'account', path: '/account', words: 'This session' },
    {
      name: 'second-factor',
      path: '/account',
      words: 'Sign out everywhere',
      go: async (visitor) => {
        await visitor.press('Turn it on');
        await visitor.field('Your password').fill(PASSWORD);
        await visitor.press('Go on');
        await visitor.page.getByRole('img', { name: /^QR code/ }).waitFor();
      },
    },
    { name: 'reference', path: '/reference', words: 'Retrieve a variation' },
    { name: 'not-found', path: '/nowhere', words: 'There is no page here' },
  ];

  for (const size of ['desktop', 'phone'] as const) {
    const see = async (visitor: Visitor, views: View[]): Promise<void> => {
      for (const { name, path, words, go } of views) {
        await visitor.goTo(path);
        await visitor.reads(words);
        await visitor.page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
        await go?.(visitor);
        await look(visitor, size, name);
        if (go !== undefined) continue;
        const shifted = await visitor.page.evaluate<number>('window.shifted');
        assert.ok(shifted < MOST_SHIFTED, `${name} jumps by ${shifted} on a ${size}`);
      }
    };
    const context = { viewport: SIZES[size], hasTouch: size === 'phone' };

    it(`of a shop, on a ${size}`, async (t) => {
      const visitor = await open(t, { as: shop, context });
      await visitor.context.addInitScript(SHIFTS);
      visitor.expectProblem(/^request to another origin: https:\/\/images\.example\.com\//);
      await visitor.context.route('https://images.example.com/**', (route) =>
        route.fulfill({ contentType: 'image/svg+xml', body: PICTURE }),
      );
      await see(visitor, shopViews());
    });

    it(`of a shop that is empty, and before signing in, on a ${size}`, async (t) => {
      const visitor = await open(t, { as: empty, context });
      await visitor.context.addInitScript(SHIFTS);
      await see(visitor, emptyViews);
      if (size === 'phone') {
        await visitor.press('Open the navigation');
        await look(visitor, size, 'navigation');
      }
      await visitor.context.clearCookies();
      await see(visitor, visitorsViews());
    });
  }
});
