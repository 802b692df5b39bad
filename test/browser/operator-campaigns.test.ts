import { it } from 'node:test';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import { signedIn } from '../support/console.ts';
import { sqlite } from '../support/engines.ts';
import { signedInOperator } from '../support/operators.ts';
import { useService } from '../support/service.ts';
import { inspectPage } from './inspect-page.ts';

describeInBrowser('the campaigns of the operator', () => {
  const service = useService(sqlite);
  const open = useBrowser(service);

  it('are listed by state, and ended by an admin, whom the merchant sees', async (t) => {
    const { client, name } = await signedInOperator(service());
    const merchant = await service().newMerchant();
    for (const json of [
      { name: 'Spring', type: 'AuctionCampaign', daily_budget: 20 },
      { name: 'Autumn', type: 'T' },
    ]) {
      const body = { access_token: merchant.token, ...json };
      await service().request('POST', '/campaigns.json', { json: body });
    }
    const visitor = await open(t, { as: client, base: '/operator' });
    const { page } = visitor;
    await visitor.goTo('/');
    await page.getByRole('navigation', { name: 'Operator' }).getByRole('link', { name: 'Campaigns' }).click();
    await visitor.sees('Campaigns');
    await visitor.reads('of US$20.00');
    await visitor.reads('Auction campaign, created');
    await page.getByRole('button', { name: 'End Spring' }).click();
    await visitor.press('End campaign');
    await visitor.reads('Spring has ended.');
    await inspectPage(visitor, 'operator-campaigns');
    await visitor.follow('Ended');
    await page.getByRole('row').filter({ hasText: 'Spring' }).waitFor();
    await page.getByText('Autumn').waitFor({ state: 'detached' });
    await visitor.follow('Budget spent');
    await visitor.reads('No such campaigns');

    const { client: support } = await signedInOperator(service(), 'support');
    const other = await open(t, { as: support, base: '/operator' });
    await other.goTo('/campaigns');
    await other.reads('Autumn');
    await other.page.getByRole('button', { name: 'Pause Autumn' }).waitFor({ state: 'detached' });
    const shop = await open(t, { as: await signedIn(service(), merchant) });
    await shop.goTo('/activity');
    await shop.reads(`Operator ${name}`);
  });
});
