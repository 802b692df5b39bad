import assert from 'node:assert/strict';
import { after, before, beforeEach, it } from 'node:test';
import { findMerchantById } from '../../src/merchants/queries.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import type { Visitor } from '../support/browser/visitor.ts';
import { newUser, PASSWORD } from '../support/console.ts';
import { sqlite } from '../support/engines.ts';
import { MailServer } from '../support/mail-server.ts';
import { linkIn } from '../support/mail-service.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { addUser } from '../support/users.ts';
import { inspectPage } from './inspect-page.ts';

describeInBrowser('pages of a service that mails links to register', () => {
  let server: MailServer;
  let service: TestService;
  before(async () => {
    server = await MailServer.start();
    const environment = { ...server.environment, SELF_REGISTRATION: 'on' };
    service = await startTestService(sqlite, { environment });
  });
  const open = useBrowser(() => service);
  after(async () => {
    await service.close();
    await server.close();
  });
  // Uses of links are limited by the minute.
  beforeEach(() => service.passTime(61_000));

  const mailedPath = async (visitor: Visitor, email: string): Promise<string> => {
    await visitor.goTo('/sign-in');
    await visitor.follow('Register your shop');
    await visitor.sees('Register your shop');
    assert.equal(await visitor.page.locator('input').count(), 1);
    await visitor.field('Email').fill(email);
    await visitor.press('Send link');
    await visitor.sees('Check your email');
    await visitor.reads(`A link is on its way to ${email}`);
    const { pathname, hash } = linkIn(await server.mailTo(email));
    return `${pathname.replace('/console', '')}${hash}`;
  };
  const refuse = (visitor: Visitor): void => visitor.expectFailure(400, '/console/api/registration');

  it('register a shop with the link of an email, which then says that it was used', async (t) => {
    const email = 'cora@example.com';
    const taken = await service.newMerchant();
    const known = await service.database.first(findMerchantById, { merchantId: taken.id });
    const visitor = await open(t);
    const path = await mailedPath(visitor, email);
    const other = await open(t);
    for (const each of [visitor, other]) {
      await each.goTo(path);
      await each.sees('Register your shop');
    }
    assert.equal(await visitor.field('Email').inputValue(), email);
    assert.equal(await visitor.field('Email').getAttribute('readonly'), '');
    refuse(visitor);
    await visitor.press('Register');
    await visitor.reads('Enter a shop name.');
    assert.equal(await visitor.page.locator('[aria-invalid=true]').count(), 3);
    await visitor.field('Shop name').fill(known?.name.toUpperCase() ?? '');
    await visitor.field('Your name').fill('Cora');
    await visitor.field('Password').fill(PASSWORD);
    refuse(visitor);
    await visitor.press('Register');
    await visitor.reads('This shop name isn’t available. Choose another one.');
    await inspectPage(visitor, 'finish-registration-taken');
    await visitor.field('Shop name').fill('Corner shop');
    await visitor.field('Time zone').selectOption('Europe/Lisbon');
    await visitor.press('Register');
    await visitor.sees('Overview');
    await visitor.reads('Make your first API request');
    await visitor.goTo('/account');
    await visitor.reads('Europe/Lisbon');

    await other.field('Shop name').fill('Corner shop two');
    await other.field('Your name').fill('Cora');
    await other.field('Password').fill(PASSWORD);
    refuse(other);
    await other.press('Register');
    await other.sees('This link has expired or was already used');
    await inspectPage(other, 'registration-link-gone');
    await other.follow('Get a new link');
    await other.sees('Register your shop');
  });

  it('say that an email has an account by now, or already', async (t) => {
    const email = 'dora.with.a.long.address@domainwithoutanyhyphenswhatsoever.example.com';
    const visitor = await open(t);
    const path = await mailedPath(visitor, email);
    const { id: merchantId } = await service.newMerchant();
    const user = { merchantId, email, name: 'Dora' };
    await addUser(service, user);
    await visitor.goTo(path);
    await visitor.sees('You already have an account');
    await inspectPage(visitor, 'registration-account');
    await visitor.follow('Forgot your password?');
    await visitor.sees('Forgot your password?');

    const known = await newUser(service, await service.newMerchant());
    assert.equal(await mailedPath(visitor, known.email), '/sign-in');
  });

  it('pass axe in both themes and at three sizes, and fit the screen', async (t) => {
    const visitor = await open(t);
    await visitor.goTo('/register');
    await visitor.sees('Register your shop');
    await inspectPage(visitor, 'register-mail');
    visitor.expectFailure(400, '/console/api/registration-links');
    await visitor.press('Send link');
    await visitor.reads('Enter your email.');
    const email = 'another.rather.long.address@a-long-domain-name.example.com';
    const path = await mailedPath(visitor, email);
    await inspectPage(visitor, 'registration-link-sent');
    await visitor.goTo(path);
    await visitor.reads('Your email is confirmed.');
    await inspectPage(visitor, 'finish-registration');
    await visitor.goTo('/finish-registration');
    await visitor.sees('This link has expired or was already used');
  });
});
