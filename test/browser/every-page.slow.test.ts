import assert from 'node:assert/strict';
import { after, before, it, type TestContext } from 'node:test';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import type { Visitor } from '../support/browser/visitor.ts';
import { sqlite } from '../support/engines.ts';
import { useService } from '../support/service.ts';
import { addressesOf, WebhookReceiver } from '../support/webhook-receiver.ts';
import { ALL_THEMES, inspectPage, SHIFTS, SIZES, type Size } from './inspect-page.ts';
import { openShops, type Shops } from './pages/shops.ts';
import { show, type View } from './pages/view.ts';
import { emptyViews, shopViews, signedOutViews, viewerViews } from './pages/views.ts';

/** The most layout shift while a page loads, as a sum of the browser's values. */
const MAX_SHIFT = 0.1;
const IMAGE = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 60"><rect width="80" height="60" fill="#e6dccb"/>
  <path d="M28 20h24l-4 30H32z" fill="#9a5b34"/><rect x="24" y="14" width="32" height="7" rx="2" fill="#7c4727"/></svg>`;

describeInBrowser('every page, in both themes and at three sizes, passes axe and fits the screen', () => {
  let receiver: WebhookReceiver;
  let shops: Shops;
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
  before(async () => {
    shops = await openShops(service(), receiver);
  });
  const open = useBrowser(service);

  const serveImages = async (visitor: Visitor): Promise<void> => {
    visitor.expectProblem(/^request to another origin: https:\/\/images\.example\.com\//);
    await visitor.context.route('https://images.example.com/**', (route) =>
      route.fulfill({ contentType: 'image/svg+xml', body: IMAGE }),
    );
  };

  /** Opens each view once at this size, where it may hardly shift, and inspects it at all sizes. */
  const checkViews = async (visitor: Visitor, size: Size, views: readonly View[]): Promise<void> => {
    for (const view of views) {
      const { name, steps } = view;
      await visitor.page.setViewportSize(SIZES[size]);
      await show(visitor, view);
      const shifted = await visitor.page.evaluate<number>('window.shifted');
      if (steps === undefined) assert.ok(shifted < MAX_SHIFT, `${name} shifts by ${shifted} on a ${size}`);
      await inspectPage(visitor, name, ALL_THEMES);
    }
  };

  const openAs = async (t: TestContext, user: 'shop' | 'viewer' | 'empty'): Promise<Visitor> => {
    const visitor = await open(t, { as: shops[user] });
    await visitor.page.addInitScript(SHIFTS);
    return visitor;
  };

  for (const [feature, viewsOf] of Object.entries(shopViews)) {
    it(`of a shop: ${feature}`, async (t) => {
      const visitor = await openAs(t, 'shop');
      if (['home', 'products', 'campaigns'].includes(feature)) await serveImages(visitor);
      await checkViews(visitor, 'desktop', viewsOf(shops));
    });
  }

  it('of a viewer', async (t) => {
    const visitor = await openAs(t, 'viewer');
    await serveImages(visitor);
    await checkViews(visitor, 'phone', viewerViews(shops));
  });

  it('of an empty shop, and before sign-in', async (t) => {
    const visitor = await openAs(t, 'empty');
    await checkViews(visitor, 'phone', emptyViews);
    await visitor.page.setViewportSize(SIZES.phone);
    await visitor.press('Open menu');
    await inspectPage(visitor, 'navigation', ALL_THEMES);
    await visitor.context.clearCookies();
    await checkViews(visitor, 'phone', signedOutViews(shops));
  });
});
