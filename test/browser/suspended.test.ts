import { it } from 'node:test';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import { signedIn } from '../support/console.ts';
import { sqlite } from '../support/engines.ts';
import { useService } from '../support/service.ts';

describeInBrowser('what the operator decides', () => {
  const service = useService(sqlite);
  const open = useBrowser(service);

  it('a suspended merchant sees why the console is closed, and the console once it is active', async (t) => {
    const token = await service().newOperatorToken();
    const merchant = await service().newMerchant();
    const visitor = await open(t, { as: await signedIn(service(), merchant) });
    const setState = (state: string) =>
      service().operator('PUT', `/merchants/${merchant.id}`, token, { json: { state } });
    await setState('suspended');
    await visitor.goTo('/products');
    await visitor.sees('Account suspended');
    await visitor.reads(/Your marketplace operator has suspended this account/);
    const reason = 'Orders were not shipped for two weeks.';
    await service().operator('PUT', `/merchants/${merchant.id}`, token, {
      json: { suspension_reason: reason },
    });
    await visitor.goTo('/suspended');
    await visitor.reads(reason);
    await setState('active');
    await visitor.goTo('/suspended');
    await visitor.sees('Overview');
    await setState('suspended');
    await visitor.goTo('/');
    await visitor.press('Sign out');
    await visitor.page.waitForURL(/\/console\/sign-in/);
  });

  it('a moderated product shows the reasons', async (t) => {
    const token = await service().newOperatorToken();
    const merchant = await service().newMerchant();
    await importDrafts(service(), merchant, [[draft('P-1', { title: 'Pot' })]]);
    const reasons = [
      { code: 'image_missing', field: 'primary_image', message: 'Add an image of the front.' },
    ];
    await service().operator('PUT', `/merchants/${merchant.id}/products/P-1/moderation`, token, {
      json: { state: 'problematic', reasons },
    });
    const visitor = await open(t, { as: await signedIn(service(), merchant) });
    await visitor.goTo('/products/1');
    await visitor.reads('Add an image of the front.');
  });
});
