import { campaignViews } from './campaign-views.ts';
import { integrationViews, referenceViews } from './integration-views.ts';
import { orderViews } from './order-views.ts';
import { peopleViews } from './people-views.ts';
import { listingViews, productViews, uploadViews } from './product-views.ts';
import type { Shops } from './shops.ts';
import type { View } from './view.ts';

export const shopViews: Record<string, (shops: Shops) => View[]> = {
  home: () => [
    { name: 'overview', path: '/', text: 'Recent activity' },
    { name: 'sales', path: '/sales', text: 'Monthly totals' },
    {
      name: 'explained-figure',
      path: '/sales',
      text: 'Monthly totals',
      steps: async ({ page }) => {
        await page
          .getByRole('region', { name: 'Table of monthly totals' })
          .getByRole('button')
          .first()
          .click();
        await page.getByRole('dialog').getByText('Rounding').waitFor();
      },
    },
    { name: 'not-found', path: '/nowhere', text: 'Check the address.' },
  ],
  orders: orderViews,
  reference: () => referenceViews.slice(0, 2),
  'the reference, in use': () => referenceViews.slice(2),
  products: (shops) => [...listingViews(), ...productViews(shops)],
  uploads: uploadViews,
  campaigns: campaignViews,
  integrations: integrationViews,
  people: peopleViews,
};

export function viewerViews({ uploads, campaign, webhook, orders }: Shops): View[] {
  return [
    { name: 'viewer-overview', path: '/', text: 'Recent activity' },
    { name: 'viewer-orders', path: '/orders', text: 'Overdue' },
    { name: 'viewer-order', path: `/orders/${orders.open}`, text: 'Only owners and editors can see' },
    { name: 'viewer-products', path: '/products', text: 'You are a viewer.' },
    { name: 'viewer-upload', path: `/products/import?id=${uploads.ready}`, text: 'Preview' },
    { name: 'viewer-campaigns', path: '/campaigns', text: 'Clearance' },
    { name: 'viewer-campaign', path: `/campaigns/${campaign}`, text: 'Lifetime budget per product' },
    { name: 'viewer-keys', path: '/keys', text: 'Create a separate key' },
    { name: 'viewer-activity', path: '/activity', text: 'Signed in' },
    { name: 'viewer-webhook', path: `/webhooks?webhook=${webhook}`, text: 'Deliveries' },
    { name: 'viewer-team', path: '/team', text: 'Not set up' },
    { name: 'viewer-settings', path: '/settings', text: 'Currency' },
  ];
}

export const emptyViews: readonly View[] = [
  { name: 'overview-empty', path: '/', text: 'Make your first API request' },
  { name: 'orders-empty', path: '/orders', text: 'No orders yet' },
  { name: 'products-empty', path: '/products', text: 'No products yet' },
  { name: 'campaigns-empty', path: '/campaigns', text: 'No campaigns yet' },
  { name: 'sales-empty', path: '/sales', text: 'No sales yet' },
  { name: 'activity-empty', path: '/activity?type=campaign', text: 'No matching activity' },
  { name: 'webhooks-empty', path: '/webhooks', text: 'No webhooks yet' },
  { name: 'requests-empty', path: '/requests', text: 'No failed requests in the last 7 days.' },
];

export function signedOutViews({ link }: Shops): View[] {
  return [
    { name: 'sign-in', path: '/sign-in', text: 'Register your shop' },
    { name: 'register', path: '/register', text: 'Register your shop' },
    { name: 'set-password', path: link, text: 'Set your password' },
    { name: 'link-gone', path: '/set-password', text: 'This link has expired or was already used' },
  ];
}
