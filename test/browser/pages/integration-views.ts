import type { Shops } from './shops.ts';
import type { View } from './view.ts';

/** The introduction of the reference, a group with everything open, and the search. */
export const referenceViews: readonly View[] = [
  { name: 'reference', path: '/reference', text: 'Conventions' },
  { name: 'reference-products', path: '/reference/products', text: 'Create a product' },
  {
    name: 'reference-open',
    path: '/reference/campaigns',
    text: 'Create a campaign',
    steps: async ({ page }) => {
      const create = page.getByRole('region', { name: 'Create a campaign' });
      await create.getByRole('button', { name: 'PHP' }).click();
      for (const summary of await create.locator('summary').all()) await summary.click();
      await create.getByText('missing, unknown, revoked').waitFor();
    },
  },
  {
    name: 'reference-search',
    path: '/reference/products',
    text: 'Create a product',
    steps: async ({ page }) => {
      await page.getByLabel('Search the reference').fill('price');
      await page.getByRole('list', { name: 'Results' }).getByText('buy_now_price').first().waitFor();
    },
  },
];

export function integrationViews({ webhook }: Shops): View[] {
  return [
    {
      name: 'requests',
      path: '/requests?hours=168',
      text: 'and was used 3 times since',
      steps: ({ page }) => page.getByRole('application').waitFor(),
    },
    {
      name: 'request',
      path: '/requests?status=404',
      text: 'Failed requests',
      steps: async ({ page }) => {
        await page.locator('summary').first().click();
        await page.getByText('What to do:').first().waitFor();
      },
    },
    { name: 'keys', path: '/keys', text: 'Create a separate key' },
    {
      name: 'key-created',
      path: '/keys',
      text: 'Create a separate key',
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
      text: 'Create a separate key',
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
          .getByText(/Status 500 \(\d+ ms\)/)
          .waitFor();
      },
    },
  ];
}
