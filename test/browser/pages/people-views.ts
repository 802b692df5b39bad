import { PASSWORD } from '../../support/console.ts';
import type { View } from './view.ts';

export function peopleViews(): View[] {
  return [
    { name: 'activity', path: '/activity', text: 'Signed in' },
    {
      name: 'activity-products',
      path: '/activity?type=product',
      text: 'Show products',
      steps: async ({ page }) => {
        await page.getByRole('button', { name: 'Show products' }).first().click();
        await page.getByRole('list', { name: 'Products' }).first().waitFor();
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
        await visitor.press('Resend invitation for New');
        await visitor.press('Resend invitation');
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
    { name: 'settings', path: '/settings', text: 'Locked: your monthly sales' },
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
  ];
}
