import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import type { KeyList } from '../../src/console/console-api.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import { type ConsoleClient, signedIn } from '../support/console.ts';
import { sqlite } from '../support/engines.ts';
import { useService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { choose, tabTo, untilFocused, untilFocusKept } from './keyboard.ts';

const DAY_MS = 86_400_000;

function rowOf(page: Page, name: string): Locator {
  return page.getByRole('row').filter({ hasText: name });
}

/** A key's use is recorded shortly after it. */
async function untilUsed(client: ConsoleClient, name: string): Promise<void> {
  const deadline = performance.now() + 10_000;
  for (;;) {
    const { keys } = (await client.get('/keys')).json<KeyList>();
    if (keys.some((key) => key.name === name && key.last_used_at !== null)) return;
    assert.ok(performance.now() < deadline, 'the use was not recorded');
    await pause(50);
  }
}

describeInBrowser('the API keys page', () => {
  const service = useService(sqlite);
  const open = useBrowser(service);

  it('creates keys that expire as chosen, and shows which client used one last', async (t) => {
    const merchant = await service().newMerchant();
    const as = await signedIn(service(), merchant);
    await service().newKey(merchant, service().now() + 1000);
    service().passTime(1000);
    const visitor = await open(t, { as });
    const { page } = visitor;
    await visitor.goTo('/keys');
    const expired = rowOf(page, 'further');
    await expired.getByText('expired').waitFor();
    assert.equal(await expired.getByRole('button').count(), 0);

    const create = page.locator('#main').getByRole('button', { name: 'Create key' });
    await create.click();
    await visitor.field('Expiration').selectOption('Never');
    await visitor.field('Name').fill('Sync');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    const token = await page.getByRole('dialog').locator('pre').first().innerText();
    await visitor.press('Done');
    await rowOf(page, 'Sync').getByText('No expiration').waitFor();
    await rowOf(page, 'Sync').getByText(token.slice(-4)).waitFor();
    assert.equal((await page.content()).includes(token), false);

    const day = new Date(Date.now() + 3 * DAY_MS).toISOString().slice(0, 10);
    await create.click();
    await visitor.field('Name').fill('Trial');
    await visitor.field('Expiration').selectOption('Custom date');
    await visitor.field('Expiration date').fill(day);
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    await visitor.press('Done');
    const shown = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
    await rowOf(page, 'Trial')
      .getByText(`Expires ${shown.format(new Date(day))}`)
      .waitFor();

    const headers = { 'x-erp-name': 'Stock-o-mat 3', 'user-agent': 'stock-client/3.1' };
    await service().request('GET', `/products.json?access_token=${token}`, { headers });
    await untilUsed(as, 'Sync');
    await page.reload();
    for (const words of Object.values(headers)) await rowOf(page, 'Sync').getByText(words).waitFor();
  });

  it('rotates a key whose old token stops at once, and revokes one only after confirmation', async (t) => {
    const merchant = await service().newMerchant();
    const visitor = await open(t, { as: await signedIn(service(), merchant) });
    const { page } = visitor;
    const statusOf = async (token: string): Promise<number> =>
      (await service().get('/products.json', { token })).status;
    await visitor.goTo('/keys');
    await page.getByRole('button', { name: /^Rotate/ }).click();
    await visitor.field('Old token expires').selectOption('Immediately');
    await visitor.press('Rotate key');
    await visitor.reads('Copy your token now.');
    const token = await page.getByRole('dialog').locator('pre').first().innerText();
    await visitor.press('Done');
    await page.getByText(/^Old token works until/).waitFor({ state: 'detached' });
    assert.deepEqual([await statusOf(merchant.token), await statusOf(token)], [401, 200]);

    const revoke = page.getByRole('button', { name: /^Revoke/ });
    await revoke.click();
    assert.equal(await visitor.focused(), 'Cancel');
    await visitor.press('Cancel');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await revoke.click();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    assert.match(await visitor.focused(), /^Revoke/);
    assert.equal(await statusOf(token), 200);
    await revoke.click();
    await visitor.press('Revoke key');
    await rowOf(page, 'revoked').waitFor();
    assert.equal(await statusOf(token), 401);
  });

  it('creates, rotates and revokes keys with the keyboard alone, and the focus stays', async (t) => {
    const merchant = await service().newMerchant();
    const as = await signedIn(service(), merchant);
    const visitor = await open(t, { as });
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    await visitor.goTo('/keys');
    await rowOf(page, 'default').waitFor();
    await choose(visitor, 'Create key');
    await untilFocused(visitor, 'Name *');
    await page.keyboard.type('Trial');
    await tabTo(visitor, 'Test key');
    await page.keyboard.press('Space');
    for (const permission of [
      'Change products and stock, and import files',
      'Change stock, and nothing else about products',
      'Create and change campaigns',
      'Read orders, without names and addresses',
      'Ship, refund, and cancel orders',
    ]) {
      await tabTo(visitor, permission);
      await page.keyboard.press('Space');
    }
    await tabTo(visitor, 'Expiration');
    await page.keyboard.type('Custom date');
    await tabTo(visitor, 'Expiration date *');
    const year = new Date().getFullYear() + 1;
    const date = visitor.field('Expiration date');
    // A part of a date forgets a digit if the next one comes late, as on a busy machine.
    await until(async () => {
      await date.blur();
      await date.focus();
      // The same in countries that write the month first.
      await page.keyboard.type(`0101${year}`);
      return (await date.inputValue()) === `${year}-01-01`;
    });
    await choose(visitor, 'Create key');
    await visitor.reads('Copy your token now.');
    await untilFocusKept(visitor);
    const token = await dialog.locator('pre').first().innerText();
    await choose(visitor, 'Copy token');
    await choose(visitor, 'Done');
    await untilFocused(visitor, 'Create key');
    const [key] = (await as.get('/keys')).json<KeyList>().keys.filter(({ name }) => name === 'Trial');
    assert.deepEqual([key?.mode, key?.scopes], ['test', ['read', 'stock']]);
    assert.match(key?.expires_at ?? '', new RegExp(`^${year}-01-01`));

    await choose(visitor, 'Rotate Trial');
    await untilFocused(visitor, 'Old token expires');
    await page.keyboard.type('In 1 hour');
    await choose(visitor, 'Rotate key');
    await visitor.reads('Copy your token now.');
    await untilFocusKept(visitor);
    await choose(visitor, 'Done');
    await dialog.waitFor({ state: 'detached' });
    await untilFocused(visitor, 'Rotate Trial');
    await rowOf(page, 'Trial')
      .getByText(/^Old token works until/)
      .waitFor();
    assert.equal((await service().get('/products.json', { token })).status, 200);

    await choose(visitor, 'Revoke Trial');
    await untilFocused(visitor, 'Cancel');
    await choose(visitor, 'Revoke key');
    await rowOf(page, 'Trial').getByText('Revoked').waitFor();
    await untilFocusKept(visitor);
  });

  it('lists keys newest first, and older ones on request', async (t) => {
    const as = await signedIn(service(), await service().newMerchant());
    for (let number = 1; number <= 50; number += 1) {
      await as.post('/keys', { name: `Key no. ${number}`, expires_at: null });
    }
    const visitor = await open(t, { as });
    await visitor.goTo('/keys');
    const rows = visitor.page.locator('tbody').getByRole('row');
    await rows.nth(49).waitFor();
    assert.match(await rows.first().innerText(), /Key no\. 50/);
    assert.equal(await rows.count(), 50);
    await visitor.press('Show older keys');
    await rows.nth(50).waitFor();
    assert.match(await rows.last().innerText(), /default/);
    await visitor.page.getByRole('button', { name: 'Show older keys' }).waitFor({ state: 'detached' });
    await rows
      .last()
      .getByRole('button', { name: /^Revoke/ })
      .click();
    await visitor.press('Revoke key');
    await rows.last().getByText('revoked').waitFor();
    assert.equal(await rows.count(), 51);
  });
});
