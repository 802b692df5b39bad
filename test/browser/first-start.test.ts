import assert from 'node:assert/strict';
import { it } from 'node:test';
import { SERVICE } from '../../src/audit/record-audit.ts';
import { OPERATOR_ID } from '../../src/database/sides.ts';
import { runVerb } from '../../src/database/write-context.ts';
import { addSetUpToken } from '../../src/operators/set-up.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import { sqlite } from '../support/engines.ts';
import { useService } from '../support/service.ts';
import { enableTwoFactor } from './enable-two-factor.ts';
import { inspectPage } from './inspect-page.ts';

const PASSWORD = 'a horse that stays calm';

describeInBrowser('the first start', () => {
  const service = useService(sqlite);
  const open = useBrowser(service);

  it('makes an operator with two factors, who invites a colleague as support', async (t) => {
    const visitor = await open(t, { base: '/operator' });
    const { page } = visitor;
    visitor.expectFailure(401, '/operator/api/session');
    await visitor.goTo('/');
    await visitor.sees('Set up your marketplace');
    await visitor.reads('Nobody can sign in yet.');
    await inspectPage(visitor, 'operator-not-set-up');
    const token = await runVerb(
      service(),
      { merchantId: OPERATOR_ID, who: SERVICE },
      addSetUpToken,
      undefined,
    );
    await visitor.goTo(`/set-up#token=${token}`);
    await visitor.field('Name of the marketplace').fill('Alpine Market');
    await inspectPage(visitor, 'operator-set-up');
    await visitor.field('Time zone').selectOption('Europe/Vienna');
    await visitor.field('Currency').selectOption('EUR');
    await visitor.field('Your name').fill('Ada Miller');
    await visitor.field('Your email').fill('ada@example.com');
    await visitor.field('Password').fill(PASSWORD);
    await visitor.press('Set up');
    await visitor.sees('Account');
    await visitor.reads('All operators need two-factor authentication.');
    await inspectPage(visitor, 'operator-account-required');
    await enableTwoFactor(visitor, PASSWORD);
    await visitor.follow('Team');
    await visitor.sees('Team');
    await visitor.press('Invite operator');
    await visitor.field('Name').fill('Sam Porter');
    await visitor.field('Email').fill('sam@example.com');
    assert.ok(await visitor.field('Support').isChecked());
    await visitor.press('Invite');
    const link = new URL(await page.getByRole('dialog').locator('pre').innerText());
    await visitor.press('Done');
    await inspectPage(visitor, 'operators');

    const sam = await open(t, { base: '/operator' });
    await sam.goTo(`/set-password${link.hash}`);
    await sam.field('Password').fill(PASSWORD);
    await sam.press('Set password');
    await sam.follow('Sign in');
    await sam.sees('Sign in');
    await inspectPage(sam, 'operator-sign-in');
    await sam.signIn('sam@example.com', PASSWORD);
    await sam.sees('Account');
    await enableTwoFactor(sam, PASSWORD);
    await sam.follow('Team');
    await sam.reads('Ada Miller');
    assert.equal(await sam.page.getByRole('button', { name: 'Invite operator' }).count(), 0);
    await visitor.follow('Audit log');
    await visitor.reads('User invited');
    await visitor.goTo('/account');
    await visitor.reads('This session');
    await inspectPage(visitor, 'operator-account');
  });
});
