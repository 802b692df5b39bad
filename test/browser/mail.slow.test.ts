import assert from 'node:assert/strict';
import { after, before, beforeEach, it } from 'node:test';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import { ConsoleClient, newUser, PASSWORD } from '../support/console.ts';
import { checkFile, productLines } from '../support/console-imports.ts';
import { sqlite } from '../support/engines.ts';
import { MailServer } from '../support/mail-server.ts';
import { linkIn } from '../support/mail-service.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { inspectPage } from './inspect-page.ts';

describeInBrowser('pages of a service that sends mail', () => {
  let server: MailServer;
  let service: TestService;
  before(async () => {
    server = await MailServer.start();
    service = await startTestService(sqlite, server);
  });
  const open = useBrowser(() => service);
  after(async () => {
    await service.close();
    await server.close();
  });
  beforeEach(() => service.passTime(61 * 60_000));

  it('replace a forgotten password with the link of an email', async (t) => {
    const { email } = await newUser(service, await service.newMerchant());
    const visitor = await open(t);
    await visitor.goTo('/sign-in');
    await visitor.follow('Get a new link');
    await visitor.sees('Forgot your password?');
    visitor.expectFailure(400, '/console/api/password-links');
    await visitor.press('Send link');
    await visitor.reads('Enter your email.');
    await visitor.field('Email').fill('nobody');
    await visitor.press('Send link');
    await visitor.reads('Enter a valid email.');
    await visitor.field('Email').fill(email);
    await visitor.press('Send link');
    await visitor.sees('Check your email');
    const { pathname, hash } = linkIn(await server.mailTo(email));
    await visitor.goTo(`${pathname.replace('/console', '')}${hash}`);
    await visitor.field('Password').fill(`${PASSWORD} new`);
    await visitor.press('Set password');
    await visitor.sees('Your password is set');
    await visitor.follow('Sign in');
    await visitor.signIn(email, `${PASSWORD} new`);
    await visitor.sees('Overview');
  });

  it('pass axe in both themes and at three sizes, and fit the screen', async (t) => {
    const visitor = await open(t);
    await visitor.goTo('/sign-in');
    await visitor.reads('Get a new link');
    await inspectPage(visitor, 'sign-in-mail');
    await visitor.goTo('/set-password');
    await visitor.reads('Get a new link');
    await inspectPage(visitor, 'link-gone-mail');
    await visitor.goTo('/forgot-password');
    await visitor.sees('Forgot your password?');
    await inspectPage(visitor, 'forgot-password');
    await visitor.field('Email').fill('a.rather.long.address.of.a.user@a-long-domain-name.example.com');
    await visitor.press('Send link');
    await visitor.sees('Check your email');
    await inspectPage(visitor, 'link-sent');
  });

  it('offer a mail about the end of an import', async (t) => {
    const merchant = await service.newMerchant();
    const { email } = await newUser(service, merchant);
    const client = new ConsoleClient(service.client);
    await client.signIn(email);
    const { id } = await checkFile(client, 'pots.ndjson', productLines(2));
    const visitor = await open(t, { as: client });
    await visitor.goTo(`/products/import?id=${id}`);
    await visitor.page.getByLabel('Email me when the import finishes').check();
    await inspectPage(visitor, 'upload-mail');
    await visitor.press('Import');
    await visitor.page.getByRole('heading', { name: 'Imported' }).waitFor();
    const { pathname, search } = linkIn(await server.mailTo(email));
    assert.equal(`${pathname}${search}`, `/console/products/import?id=${id}`);
  });
});
