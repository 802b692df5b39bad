import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { SERVICE } from '../../src/audit/record-audit.ts';
import { OPERATOR_ID } from '../../src/database/sides.ts';
import { runVerb } from '../../src/database/write-context.ts';
import { addSetUpToken } from '../../src/operators/set-up.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import type { Visitor } from '../support/browser/visitor.ts';
import { forEachEngine } from '../support/engines.ts';
import { useIdentityProvider } from '../support/identity-provider.ts';
import { linkIn, useMailService } from '../support/mail-service.ts';
import { until } from '../support/until.ts';
import { addressesOf, WebhookReceiver } from '../support/webhook-receiver.ts';
import { enableTwoFactor } from './enable-two-factor.ts';
import { untilFocused } from './keyboard.ts';

const PASSWORD = 'a horse that stays calm';
const SHOP_EMAIL = 'rosa@fernwood.example';

/** Follows a link of the menu. */
const choose = (visitor: Visitor, menu: string, page: string): Promise<void> =>
  visitor.page.getByRole('navigation', { name: menu }).getByRole('link', { name: page, exact: true }).click();

forEachEngine((engine) => {
  describeInBrowser('an operator’s day', () => {
    let receiver: WebhookReceiver;
    before(async () => {
      receiver = await WebhookReceiver.start();
    });
    after(() => receiver.close());
    const provider = useIdentityProvider({ MODERATION_QUEUE: 'on' });
    const parts = useMailService(engine, {
      environment: provider.environment,
      findAddress: addressesOf(() => [receiver]),
    });
    const service = () => parts().service;
    const open = useBrowser(service, { atPublicUrl: true });

    it('from an empty database to the audit log', async (t) => {
      // The operator sets the marketplace up.
      const context = { merchantId: OPERATOR_ID, who: SERVICE };
      const token = await runVerb(service(), context, addSetUpToken, undefined);
      const operator = await open(t, { base: '/operator' });
      const { page } = operator;
      await operator.goTo(`/set-up#token=${token}`);
      await operator.field('Name of the marketplace').fill('Alpine Market');
      await operator.field('Time zone').selectOption('Europe/Vienna');
      await operator.field('Currency').selectOption('EUR');
      await operator.field('Your name').fill('Ada Miller');
      await operator.field('Your email').fill('ada@example.com');
      await operator.field('Password').fill(PASSWORD);
      await operator.press('Set up');
      await operator.sees('Account');
      await enableTwoFactor(operator, PASSWORD);

      // Creates the first merchant, with a key, and invites its owner by email.
      await choose(operator, 'Operator', 'Merchants');
      await page.getByRole('button', { name: 'Create merchant' }).first().click();
      const dialog = page.getByRole('dialog');
      await operator.field('Name').fill('Fernwood Pottery');
      operator.expectFailure(404, '/operator/v1/merchants/fernwood');
      await operator.field('ID').fill('fernwood');
      await dialog.getByRole('button', { name: 'Create merchant' }).click();
      await operator.reads('Copy the token now.');
      const [apiToken = ''] = await dialog.locator('pre').allInnerTexts();
      await operator.press('Done');
      await operator.sees('Fernwood Pottery');
      await operator.press('Invite user');
      await operator.field('Email').fill(SHOP_EMAIL);
      await operator.press('Invite');
      await operator.reads('User invited');
      await operator.press('Done');

      // The owner sets a password, signs in, and adds a webhook.
      const owner = await open(t);
      const { pathname, hash } = linkIn(await parts().server.mailTo(SHOP_EMAIL));
      await owner.goTo(`${pathname.replace('/console', '')}${hash}`);
      await owner.field('Password').fill(PASSWORD);
      await owner.press('Set password');
      await owner.follow('Sign in');
      await owner.signIn(SHOP_EMAIL, PASSWORD);
      await owner.sees('Overview');
      receiver.respond = (_, response) => response.writeHead(500).end('the warehouse is closed');
      await choose(owner, 'Console', 'Webhooks');
      await owner.page.getByRole('button', { name: 'Add webhook' }).first().click();
      await owner.field('URL').fill(receiver.url);
      await owner.page.getByRole('dialog').getByRole('button', { name: 'Add webhook' }).click();
      await owner.reads('Copy the secret now.');
      await owner.press('Done');

      // Its programs create products and a campaign, and make a mistake.
      const call = async (status: number, path: string, json: object): Promise<void> => {
        const headers = { authorization: `Bearer ${apiToken}` };
        const response = await service().request('POST', path, { json, headers });
        assert.equal(response.status, status, response.text);
        service().passTime(60_000);
      };
      for (const number of [1, 2]) {
        const product = { identifier: `POT-${number}`, title: `Pot ${number}`, category: 'Home' };
        await call(200, '/products', product);
      }
      await call(200, '/campaigns', { name: 'Spring', type: 'T', daily_budget: 20 });
      await call(400, '/products/update', { identifier: 'POT-1', colour: 'red' });
      await until(() => receiver.received.some(({ body }) => body.includes('campaign.created')));

      // The operator reviews the products with the keyboard alone.
      await choose(operator, 'Operator', 'Moderation');
      const product = (title: string): Promise<void> =>
        page.getByRole('heading', { level: 2, name: title, exact: true }).waitFor();
      await product('Pot 1');
      await page.keyboard.press('a');
      await operator.reads('Pot 1 approved.');
      await product('Pot 2');
      await page.keyboard.press('p');
      await dialog.waitFor();
      await untilFocused(operator, /front/);
      await page.keyboard.press('1');
      await page.keyboard.press('Enter');
      await operator.reads('Pot 2 marked as problematic.');
      await operator.reads('Nothing waits for a review');

      // Finds the mistake of the merchant's program, and what to tell its author.
      const key = await service().newOperatorToken();
      await until(async () => /unrecognized/.test((await service().operator('GET', '/calls', key)).text));
      await choose(operator, 'Operator', 'Calls');
      const cause = page.getByRole('row').filter({ hasText: 'unrecognized_parameters' });
      assert.match(await cause.innerText(), /POST \/v1\/products\/update[\s\S]*Remove the parameters/);
      await cause.getByRole('link', { name: '1 merchant' }).click();
      await cause.getByRole('listitem').getByRole('link').click();
      await operator.reads('Failed calls of Fernwood Pottery');
      await page.locator('summary').click();
      await operator.reads('The following parameters were provided but are not recognized: colour.');

      // Sends the event again that the merchant's webhook did not accept.
      await choose(operator, 'Operator', 'Webhooks');
      await operator.follow(receiver.url);
      const delivery = page.locator('summary').filter({ hasText: 'campaign.created' });
      await delivery.click();
      await page.locator('details[open]').getByText('the warehouse is closed').waitFor();
      receiver.respond = (_, response) => response.writeHead(204).end();
      await operator.press('Resend campaign.created');
      await delivery.filter({ hasText: 'Delivered' }).waitFor();

      // Ends the campaign, which its merchant then sees.
      await choose(operator, 'Operator', 'Campaigns');
      await operator.press('End Spring');
      await operator.press('End campaign');
      await operator.reads('Spring has ended.');
      await choose(owner, 'Console', 'Campaigns');
      await owner.page.getByRole('row').filter({ hasText: 'Spring' }).filter({ hasText: 'Ended' }).waitFor();

      // Invites a colleague as support, who signs in by the company's identity provider.
      await choose(operator, 'Operator', 'Team');
      await operator.press('Invite operator');
      await operator.field('Name').fill('Sam Porter');
      await operator.field('Email').fill('sam@example.com');
      assert.ok(await operator.field('Support').isChecked());
      await operator.press('Invite');
      await operator.press('Done');
      provider.account({ sub: 'sam', email: 'sam@example.com', email_verified: true });
      const colleague = await open(t, { base: '/operator' });
      await colleague.goTo('/sign-in');
      colleague.expectProblem(/^request to another origin: http:\/\/127\.0\.0\.1:/);
      await colleague.press('Sign in with Alpine ID');
      await colleague.page.getByLabel('Your account').fill('sam');
      await colleague.press('Continue');
      await colleague.sees('Overview');
      await choose(colleague, 'Operator', 'Merchants');
      await colleague.follow('Fernwood Pottery');
      await colleague.page.getByRole('button', { name: 'Suspend' }).waitFor();
      assert.equal(await colleague.page.getByRole('button', { name: 'Create key' }).count(), 0);

      // Reads who did what.
      await choose(operator, 'Operator', 'Audit log');
      for (const action of ['Account created', 'Campaign ended', 'User invited', 'by Alpine ID'])
        await operator.reads(action);
    });
  });
});
