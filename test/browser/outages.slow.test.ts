import assert from 'node:assert/strict';
import { after, it, type TestContext } from 'node:test';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import type { Visitor } from '../support/browser/visitor.ts';
import { ConsoleClient, newUser, PASSWORD, signedIn } from '../support/console.ts';
import { sqlite } from '../support/engines.ts';
import { ServerProcess } from '../support/process.ts';
import { startTestService, type TestService, useService } from '../support/service.ts';
import { campaignsOf } from '../support/stored.ts';

/** Returns a function that starts it again at the same address. */
async function stop(service: TestService): Promise<() => Promise<TestService>> {
  const environment = { ...service.environment, PORT: new URL(service.baseUrl).port };
  await service.stop();
  return () => startTestService({ name: 'the same', environment: async () => environment });
}

async function fillIn(visitor: Visitor): Promise<void> {
  await visitor.page.getByRole('button', { name: 'Create campaign' }).first().click();
  await visitor.field('Name').fill('Spring');
  await visitor.field('Bid amount').fill('0.35');
}

describeInBrowser('an open page', () => {
  const service = useService(sqlite);
  const open = useBrowser(service);

  it('asks to sign in when the session has expired, and then submits its form', async (t) => {
    const merchant = await service().newMerchant();
    const { email } = await newUser(service(), merchant);
    const here = new ConsoleClient(service().client);
    await here.signIn(email);
    const elsewhere = new ConsoleClient(service().client);
    await elsewhere.signIn(email);
    const visitor = await open(t, { as: here });
    await visitor.goTo('/campaigns');
    await fillIn(visitor);
    await elsewhere.post('/auth/revoke-sessions', {});
    visitor.expectFailure(401, '/v1/campaigns.json');
    await visitor.press('Create');
    const dialog = visitor.page.getByRole('dialog', { name: 'Your session has expired' });
    assert.equal(await dialog.getByLabel('Email').inputValue(), email);
    visitor.expectFailure(401, '/console/api/auth/sign-in/email');
    await dialog.getByLabel('Password', { exact: true }).fill('not my password');
    await visitor.press('Sign in');
    await visitor.reads('Incorrect email or password.');
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await visitor.press('Sign in');
    await visitor.reads('Campaign “Spring” created.');
    const campaigns = await campaignsOf(service(), merchant);
    assert.deepEqual(
      campaigns.map(({ name, bid_amount }) => [name, bid_amount]),
      [['Spring', 0.35]],
    );
  });

  it('offers to sign in with another account when the session has expired', async (t) => {
    const as = await signedIn(service(), await service().newMerchant());
    const visitor = await open(t, { as });
    await visitor.goTo('/keys');
    await visitor.sees('API keys');
    await as.post('/auth/sign-out', {});
    visitor.expectFailure(401, '/console/api/overview');
    await visitor.follow('Overview');
    await visitor.press('Use another account');
    await visitor.sees('Sign in');
  });

  it('asks to reload after an update, and then works', async (t) => {
    const visitor = await open(t, { as: await signedIn(service(), await service().newMerchant()) });
    const { page } = visitor;
    await visitor.goTo('/');
    await visitor.sees('Overview');
    // As after an update, when the scripts have other names.
    await page.route('**/console/assets/*.js', (route) => route.fulfill({ status: 404 }));
    visitor.expectProblem(/^404 for GET .*\/console\/assets\/[\w-]+\.js$/);
    visitor.expectProblem(/^console: PageLoadError: This page could not be loaded\./);
    await visitor.follow('Sales');
    await visitor.reads('This page could not be loaded.');
    await visitor.reads('New version available');
    await page.unroute('**/console/assets/*.js');
    await visitor.press('Reload');
    await visitor.sees('Sales');
  });

  it('offers to reload the console only while the server is reachable', async (t) => {
    const visitor = await open(t, { as: await signedIn(service(), await service().newMerchant()) });
    const { page } = visitor;
    await visitor.goTo('/');
    await visitor.sees('Overview');
    await page.route('**/console/**', (route) => route.abort('connectionrefused'));
    visitor.expectProblem(/^net::ERR_CONNECTION_REFUSED for GET /);
    visitor.expectProblem(/^console: PageLoadError: This page could not be loaded\./);
    await visitor.follow('Team');
    await visitor.reads('This page could not be loaded.');
    await visitor.reads('Can’t reach the server. Retrying…');
    assert.equal(await page.getByRole('button', { name: 'Reload the console' }).count(), 0);
    await page.unroute('**/console/**');
    await visitor.sees('Team');
  });
});

describeInBrowser('a page whose server is down', () => {
  const service = useService(sqlite);
  const open = useBrowser(service);
  let again: TestService | undefined;
  after(() => again?.close());

  it('says so, keeps its input, and recovers when the server is back', async (t) => {
    const merchant = await service().newMerchant();
    const visitor = await open(t, { as: await signedIn(service(), merchant) });
    await visitor.goTo('/campaigns');
    await fillIn(visitor);
    const start = await stop(service());
    for (const path of ['/v1/campaigns.json', '/console/api/options']) visitor.expectFailure(null, path);
    await visitor.press('Create');
    await visitor.reads('Can’t reach the server. Retrying…');
    assert.equal(await visitor.field('Name').inputValue(), 'Spring');
    // The page retries without user action.
    await visitor.page.waitForEvent('requestfailed', (request) => request.url().endsWith('/options'));
    again = await start();
    await visitor.page.getByText('Can’t reach the server. Retrying…').waitFor({ state: 'detached' });
    await visitor.press('Create');
    await visitor.reads('Campaign “Spring” created.');
    assert.equal((await campaignsOf(again, merchant)).length, 1);
  });
});

describeInBrowser('a page whose server', () => {
  const service = useService(sqlite);
  const open = useBrowser(service);

  const startProcess = async (t: TestContext): Promise<ServerProcess> => {
    const { environment, baseUrl } = service();
    await service().stop();
    return await ServerProcess.start(t, { ...environment, PORT: new URL(baseUrl).port });
  };

  it('hangs says that it is still loading, then that it cannot reach the server, and recovers', async (t) => {
    const visitor = await open(t, { as: await signedIn(service(), await service().newMerchant()) });
    const server = await startProcess(t);
    await visitor.goTo('/');
    await visitor.sees('Overview');
    process.kill(server.pid, 'SIGSTOP');
    await visitor.follow('Sales');
    await visitor.reads('Still loading…');
    await visitor.reads('Can’t reach the server. Retrying…');
    assert.equal(await visitor.page.getByText('Still loading…').count(), 0);
    process.kill(server.pid, 'SIGCONT');
    await visitor.page.getByText('Can’t reach the server. Retrying…').waitFor({ state: 'detached' });
    await visitor.reads('No sales yet');
    assert.equal(await visitor.page.getByText('Still loading…').count(), 0);
  });
});
