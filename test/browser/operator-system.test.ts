import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { INTERVAL_MS, KEPT_MS } from '../../src/nodes/intervals.ts';
import { insertNodeMetrics, upsertNode } from '../../src/nodes/queries.ts';
import { findNewRelease } from '../../src/releases/release-notice.ts';
import { FeedServer } from '../releases/feed-server.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import { sqlite } from '../support/engines.ts';
import { signedInOperator } from '../support/operators.ts';
import { type TestService, useService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { inspectPage } from './inspect-page.ts';

/** Adds a process on another machine, which has measured something in each five minutes of the last day. */
async function addMeasuredNode(service: TestService): Promise<void> {
  const now = service.now();
  const id = randomUUIDv7();
  const node = { id, host: 'shop-2', pid: 4711, version: '0.1.0', started_at: now - KEPT_MS, seen_at: now };
  const last = now - (now % INTERVAL_MS) - INTERVAL_MS;
  const points = Array.from({ length: KEPT_MS / INTERVAL_MS - 1 }, (_, index) => {
    const wave = Math.round(200 * Math.sin(index / 30));
    return {
      at: last - index * INTERVAL_MS,
      node_id: id,
      requests: 400 + wave,
      errors: index % 50 === 0 ? 3 : 0,
      p50: 1_800 + wave,
      p99: 21_000 + 40 * wave,
      loop_delay: 3_000 + 5 * wave,
      memory_bytes: 150_000_000 + 100_000 * index,
      outbox_seconds: index === 40 ? 12 : 0,
    };
  });
  await service.database.transaction(async (connection) => {
    await connection.run(upsertNode, node);
    await connection.runEach(insertNodeMetrics, points);
  });
}

describeInBrowser('the operator’s pages about the service and the marketplace', () => {
  const backups = mkdtempSync(join(tmpdir(), 'tradepost-backups-'));
  after(() => rmSync(backups, { recursive: true }));
  const environment = {
    BACKUP_TO: backups,
    BACKUP_EVERY: 'off',
    SMTP_URL: 'smtp://mailer:canary7f3a@127.0.0.1:2525',
    MAIL_FROM: 'Shop <shop@shop.example>',
    BUDGETS: 'keys=200,campaigns_per_day=off',
  };
  const service = useService(sqlite, { environment });
  const open = useBrowser(service);

  it('lead from an empty marketplace to its name and its first merchant with a key that works', async (t) => {
    const { client } = await signedInOperator(service());
    const visitor = await open(t, { as: client, base: '/operator' });
    const { page } = visitor;
    await visitor.goTo('/');
    await visitor.reads('Create the first merchant');
    await inspectPage(visitor, 'operator-first-steps');
    await visitor.follow('Name the marketplace');
    await visitor.sees('Settings');
    visitor.expectFailure(400, '/operator/v1/marketplace');
    await visitor.field('Name of the marketplace').fill('42');
    await visitor.field('Time zone').selectOption('Europe/Vienna');
    await visitor.press('Save');
    await visitor.reads(/“?"?42"? looks like an id/);
    await inspectPage(visitor, 'operator-marketplace');
    await visitor.field('Name of the marketplace').fill('Alpine Market');
    await visitor.field('Currency').selectOption('EUR');
    await visitor.press('Save');
    await visitor.reads('Settings saved.');
    await page.getByRole('navigation', { name: 'Operator' }).getByText('Alpine Market').waitFor();
    await visitor.follow('Overview');
    await visitor.press('Create the first merchant');
    assert.equal(await visitor.field('Time zone').inputValue(), 'Europe/Vienna');
    await visitor.field('Name').fill('Alpine Vases');
    await visitor.field('ID').fill('seller-1');
    // The screen asks whether the ID is taken.
    visitor.expectFailure(404, '/operator/v1/merchants/seller-1');
    await visitor.press('Create merchant');
    await visitor.reads('Copy the token now.');
    const [, token = ''] = /Bearer (tp_[\w-]+)/.exec(await page.innerText('body')) ?? [];
    assert.equal((await service().get('/account.json', { token })).status, 200);
  });

  it('show the service, without its secrets, and back it up', async (t) => {
    await addMeasuredNode(service());
    const { client } = await signedInOperator(service());
    const visitor = await open(t, { as: client, base: '/operator' });
    const { page } = visitor;
    await visitor.goTo('/system');
    await visitor.sees('System');
    await page.getByRole('application', { name: 'Requests' }).waitFor();
    await visitor.reads('shop-2');
    await visitor.reads('smtp://***@127.0.0.1:2525');
    assert.ok(!(await page.content()).includes('canary7f3a'));
    await inspectPage(visitor, 'operator-system');
    await page.getByRole('application', { name: 'Response time' }).press('End');
    await visitor.reads(/Median/);
    await page.locator('summary').click();
    await page.getByRole('table', { name: 'Figures by hour' }).waitFor();
    await inspectPage(visitor, 'operator-system-hours');
    await page.locator('summary').click();
    await visitor.press('Back up now');
    await visitor.reads(/Backup tradepost-.*\.db is complete/);
    const [file = ''] = readdirSync(backups);
    await page.getByRole('row').filter({ hasText: file }).waitFor();
    await page.getByLabel('Only those that are set').check();
    await page.getByRole('row').filter({ hasText: 'WORKERS' }).waitFor({ state: 'detached' });
    await page.getByRole('row').filter({ hasText: 'BACKUP_TO' }).waitFor();
    await inspectPage(visitor, 'operator-system-settings');
  });

  it('let viewers read, and change nothing', async (t) => {
    const { client } = await signedInOperator(service(), 'viewer');
    const visitor = await open(t, { as: client, base: '/operator' });
    const { page } = visitor;
    await visitor.goTo('/system');
    await visitor.reads('shop-2');
    assert.equal(await page.getByRole('button', { name: 'Back up now' }).count(), 0);
    await visitor.goTo('/marketplace');
    await visitor.reads('Admins can change it.');
    assert.equal(await page.getByRole('button', { name: 'Save' }).count(), 0);
  });
});

describeInBrowser('the notice of a new version', () => {
  const page = 'https://shop.example/upgrade';
  const environment: Record<string, string> = {};
  let feed: FeedServer;
  before(async () => {
    feed = await FeedServer.start();
    feed.publish({ version: '99.0.0', security: '99.0.0', url: page });
    environment.RELEASE_FEED = feed.url;
  });
  after(() => feed[Symbol.asyncDispose]());
  const service = useService(sqlite, { environment });
  const open = useBrowser(service);

  it('leads from the overview and the page System to the guide', async (t) => {
    await until(
      async () => (await findNewRelease(service().database, service().config.releaseFeed)) !== null,
    );
    const { client } = await signedInOperator(service());
    const visitor = await open(t, { as: client, base: '/operator' });
    const link = visitor.page.getByRole('link', { name: 'How to upgrade' });
    await visitor.goTo('/');
    await visitor.reads('1 security release');
    await visitor.reads('Version 99.0.0 is available and fixes a vulnerability in this version');
    assert.equal(await link.getAttribute('href'), page);
    await inspectPage(visitor, 'operator-security-release');
    await visitor.goTo('/system');
    await visitor.reads('Version 99.0.0 is available and fixes a vulnerability in this one.');
    assert.equal(await link.getAttribute('href'), page);
    await inspectPage(visitor, 'operator-system-new-version');
  });
});
