import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { join } from 'node:path';
import { it } from 'node:test';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import type { MonthlySales } from '../../src/sales/monthly-sales.ts';
import { describeInBrowser, useBrowser } from '../support/browser/browser.ts';
import { PASSWORD } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { tradepost } from '../support/process.ts';
import { type TestService, useService } from '../support/service.ts';
import { pointAtMonth, shownMonth, shownSales } from './sales.ts';

const EMAIL = 'ann@example.com';
const SHOPIFY = `Handle,Title,Body (HTML),Vendor,Type,Published,Option1 Name,Option1 Value,Variant SKU,Variant Inventory Qty,Variant Price,Status
clay-pot,Clay pot,<p>Fired <b>twice</b>.</p>,Harbour,Pots,true,Size,S,POT-S,4,12.50,active
clay-pot,,,,,,,L,POT-L,20,18.00,
steel-pan,Steel pan,,Harbour,Pans,true,Title,Default Title,PAN-7,30,30.00,active
bread-knife,Bread knife,,Harbour,Knives,true,Title,Default Title,KNIFE,9,a lot,active
`;
const SCHEDULES = `schedule_id,product_identifier,scheduled_at,sold,sale_price,rating
1,clay-pot,2026-01-05T18:00:00Z,true,19.99,4.5
2,clay-pot,2026-01-06T18:00:00Z,true,1234.56,4
3,steel-pan,2026-01-07T18:00:00Z,false,,
4,steel-pan,2026-03-01T09:00:00Z,true,31.00,
5,clay-pot,2026-03-02T09:00:00Z,false,,
6,clay-pot,2026-03-03T09:00:00Z,false,,
`;

forEachEngine((engine) => {
  describeInBrowser('a merchant created on the command line', () => {
    const service = useService(engine);
    const open = useBrowser(service);

    it('sets a password, creates a key, imports products, creates a campaign, reads sales and revokes the key', async (t) => {
      const directory = service().config.dataDirectory;
      const run = commandLine(service());
      const visitor = await open(t);
      const { page } = visitor;

      const output = await run('merchants', 'create', '--name', 'Acme Pots', '--email', EMAIL);
      const [link = ''] = /https:\S+/.exec(output) ?? [];
      await page.goto(link);
      await visitor.field('Password').fill(PASSWORD);
      await visitor.press('Set password');
      await visitor.follow('Sign in');
      await visitor.signIn(EMAIL, PASSWORD);
      await visitor.sees('Overview');
      await visitor.reads('Import products');

      await visitor.follow('API keys');
      await page.getByRole('button', { name: 'Create key' }).click();
      await visitor.field('Name').fill('Warehouse sync');
      await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
      await visitor.press('Copy token');
      const token = await clipboard(page);
      await visitor.press('Copy curl command');
      const [program, option, file = '', , header = '', url = ''] = await words(await clipboard(page));
      assert.deepEqual([program, option], ['curl', '--cacert']);
      assert.equal(header, `Authorization: Bearer ${token}`);
      assert.ok(url.startsWith(`${service().baseUrl}/products?`) && !url.includes(token), url);
      const download = page.waitForEvent('download');
      await visitor.follow(`download ${file}`);
      assert.equal((await download).suggestedFilename(), file);
      assert.equal(await statusOf(url, { ca: await readFile(await (await download).path()), token }), 200);
      await visitor.press('Done');
      assert.equal((await page.content()).includes(token), false);

      await visitor.follow('Products');
      await page.getByRole('link', { name: 'Upload file' }).first().click();
      await visitor.upload('products_export.csv', SHOPIFY);
      await page.getByRole('heading', { name: 'Preview' }).waitFor();
      assert.deepEqual(await figuresOf(page), { New: '2', Updated: '0', Unchanged: '0', Rejected: '1' });
      await page.getByRole('cell', { name: 'a lot' }).waitFor();
      await visitor.press('Import');
      await page.getByRole('heading', { name: 'Imported' }).waitFor();
      assert.deepEqual(await figuresOf(page), { New: '2', Updated: '0', Unchanged: '0', Rejected: '1' });
      await visitor.follow('View products');
      for (const title of ['Clay pot', 'Steel pan']) await page.getByRole('link', { name: title }).waitFor();
      const products = (await service().get('/products.json', { token })).json<{ title: string }[]>();
      assert.deepEqual(products.map(({ title }) => title).sort(), ['Clay pot', 'Steel pan']);

      await visitor.follow('Campaigns');
      await page.getByRole('button', { name: 'Create campaign' }).first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('Spring');
      await dialog.getByLabel('Bid amount').fill('a little');
      visitor.expectFailure(400, '/v1/campaigns.json');
      await visitor.press('Create');
      const field = dialog.getByLabel('Bid amount');
      await dialog.locator('[aria-invalid=true]').waitFor();
      const described = (await field.getAttribute('aria-describedby')) ?? '';
      const reason = (await page.locator(`#${described.split(' ').at(-1)}`).textContent()) ?? '';
      assert.equal(reason, 'Enter an amount of 0 or more, like 12.50');
      await field.fill('0.35');
      await visitor.press('Create');
      await page.getByRole('cell', { name: 'Spring AuctionCampaign' }).waitFor();

      const auctions = join(directory, 'auctions.csv');
      await writeFile(auctions, SCHEDULES);
      await run('import', 'schedules', auctions, '--merchant', 'Acme Pots');
      const months = (await service().get('/performance/sales.json', { token })).json<MonthlySales[]>();
      assert.equal(months.length, 2);
      await visitor.follow('Sales');
      await page.getByRole('combobox', { name: 'Range' }).selectOption('All time');
      const table = page.getByRole('region', { name: 'Table of monthly totals' });
      await table.getByRole('row', { name: 'January 2026' }).waitFor();
      const rows = await table.locator('tbody tr').all();
      assert.deepEqual(
        await Promise.all(rows.map((row) => row.locator('th, td').allInnerTexts())),
        months.toReversed().map((month) => shownSales(month)),
      );
      for (const [title, fields] of [
        ['Total sales', ['total_sales']],
        ['Auctions and sell rate', ['schedules', 'sell_rate']],
        ['Average selling price', ['asp']],
        ['Product rating', ['product_rating']],
      ] as const) {
        const chart = page.getByRole('region', { name: title, exact: true });
        for (const month of months) {
          const index = monthsFrom('2026-01', month.month);
          const shown = monthsFrom('2026-01', new Date().toISOString()) + 1;
          await pointAtMonth(chart.getByRole('application'), index, shown);
          await chart.getByText(shownMonth(month.month), { exact: true }).waitFor();
          assert.deepEqual(
            await chart.locator('dd').allInnerTexts(),
            shownSales(month, fields).slice(1),
            title,
          );
        }
      }

      assert.equal((await service().get('/products.json', { token })).status, 200);
      await visitor.follow('API keys');
      await visitor.press('Revoke Warehouse sync');
      await visitor.press('Revoke key');
      await visitor.reads('Key “Warehouse sync” revoked.');
      assert.equal((await service().get('/products.json', { token })).status, 401);
      await visitor.follow('Activity');
      await visitor.reads('Key revoked');
    });
  });
});

/** Returns how many months one is after another. */
function monthsFrom(first: string, month: string): number {
  const numberOf = (text: string): number => 12 * Number(text.slice(0, 4)) + Number(text.slice(5, 7));
  return numberOf(month) - numberOf(first);
}

function commandLine({ environment, baseUrl }: TestService): (...line: string[]) => Promise<string> {
  const settings = { ...environment, PUBLIC_URL: new URL(baseUrl).origin };
  return async (...line) => {
    const { status, stdout, stderr } = await tradepost(line, settings);
    assert.equal(status, 0, stderr);
    return stdout;
  };
}

function clipboard(page: Page): Promise<string> {
  return page.evaluate<string>('navigator.clipboard.readText()');
}

/** Splits a line as the shell does. */
async function words(line: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)('sh', ['-c', `printf '%s\\n' ${line}`]);
  return stdout.trimEnd().split('\n');
}

/** Trusts only the certificate `ca`, as `curl --cacert` does. */
async function statusOf(
  url: string,
  { ca, token }: { ca: Buffer; token: string },
): Promise<number | undefined> {
  const headers = { authorization: `Bearer ${token}` };
  const [response] = (await once(get(url, { ca, headers, agent: false }), 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

async function figuresOf(page: Page): Promise<Record<string, string>> {
  const [names, counts] = await Promise.all(
    ['dt', 'dd'].map((part) => page.getByRole('status').locator(part).allInnerTexts()),
  );
  return Object.fromEntries((names ?? []).map((name, index) => [name, counts?.[index] ?? '']));
}
