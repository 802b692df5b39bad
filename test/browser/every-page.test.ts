import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { describeInBrowser, useBrowser } from '../support/browser.ts';
import { sqlite } from '../support/engines.ts';
import { inspectPage, SHIFTS, SIZES } from '../support/inspect-page.ts';
import { useService } from '../support/service.ts';
import type { Visitor } from '../support/visitor.ts';
import { addressesOf, WebhookReceiver } from '../support/webhook-receiver.ts';
import { openShops, type Shops } from './pages/shops.ts';
import { show, type View } from './pages/view.ts';
import { emptyViews, shopViews, signedOutViews, viewerViews } from './pages/views.ts';

/** The maximum layout shift of a page while it loads, as a sum of the browser's layout shift values. */
const MAX_SHIFT = 0.1;
/** Replaces the images of the demo's products. */
const IMAGE = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 60"><rect width="80" height="60" fill="#e6dccb"/>
  <path d="M28 20h24l-4 30H32z" fill="#9a5b34"/><rect x="24" y="14" width="32" height="7" rx="2" fill="#7c4727"/></svg>`;

describeInBrowser('every page, in both themes, passes axe and fits the screen', () => {
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

  for (const size of ['desktop', 'phone', 'narrow'] as const) {
    const checkViews = async (visitor: Visitor, views: readonly View[]): Promise<void> => {
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
      const visitor = await open(t, { as: shops.shop, context });
      await visitor.context.addInitScript(SHIFTS);
      await serveImages(visitor);
      await checkViews(visitor, shopViews(shops));
    });

    it(`of a viewer, on a ${size}`, async (t) => {
      const visitor = await open(t, { as: shops.viewer, context });
      await visitor.context.addInitScript(SHIFTS);
      await serveImages(visitor);
      await checkViews(visitor, viewerViews(shops));
    });

    it(`of an empty shop, and before sign-in, on a ${size}`, async (t) => {
      const visitor = await open(t, { as: shops.empty, context });
      await visitor.context.addInitScript(SHIFTS);
      await checkViews(visitor, emptyViews);
      if (size !== 'desktop') {
        await visitor.press('Open menu');
        await inspectPage(visitor, size, 'navigation');
      }
      await visitor.context.clearCookies();
      await checkViews(visitor, signedOutViews(shops));
    });
  }
});
