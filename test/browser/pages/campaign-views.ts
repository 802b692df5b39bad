import type { Shops } from './shops.ts';
import type { View } from './view.ts';

export function campaignViews({ campaign }: Shops): View[] {
  return [
    { name: 'campaigns', path: '/campaigns', text: 'Clearance' },
    {
      name: 'campaign-form',
      path: '/campaigns',
      text: 'Clearance',
      steps: async (visitor) => {
        visitor.expectFailure(400, '/v1/campaigns.json');
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
      name: 'campaign-results',
      path: '/campaigns',
      text: 'Clearance',
      steps: async (visitor) => {
        await visitor.follow('Spring sale');
        await visitor.page.getByRole('application', { name: 'Spend by day' }).waitFor();
        await visitor.page.getByRole('button', { name: 'Show more results' }).waitFor();
        await visitor.page.getByText('What bids would have won').waitFor();
      },
    },
    {
      name: 'campaign-placements',
      path: '/campaigns',
      text: 'Clearance',
      steps: async (visitor) => {
        await visitor.follow('Spring sale');
        await visitor.follow('Show placements');
        await visitor.page.getByRole('button', { name: 'Show more placements' }).waitFor();
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
  ];
}
