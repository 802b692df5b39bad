import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { before, beforeEach, it } from 'node:test';
import { parse } from 'csv-parse/sync';
import type { BulkPreview } from '../../src/console/catalog-api.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import { type ConsoleClient, signedIn } from '../support/console.ts';
import { untilState } from '../support/console-imports.ts';
import { forEachEngine } from '../support/engines.ts';
import { enlargeRecords, ReadWatch } from '../support/large-records.ts';
import { type TestMerchant, useService } from '../support/service.ts';
import { requestAndStall } from '../support/stalled-requests.ts';
import { until } from '../support/until.ts';

const MIB = 1024 * 1024;
/** Together more than the operating system's buffers for a connection. */
const PRODUCTS = 60;
const RECORD_BYTES = 300_000;
const EXPORT = '/products/export.csv';

forEachEngine((engine) => {
  const watch = new ReadWatch();
  const service = useService(engine, {
    environment: { BUDGETS: 'unread_bytes=8000000' },
    wrap: (database) => watch.wrap(database),
  });
  let merchant: TestMerchant;
  let console: ConsoleClient;

  before(async () => {
    merchant = await service().newMerchant();
    const drafts = Array.from({ length: PRODUCTS }, (_, index) =>
      draft(`P${index}`, { title: `no. ${index}`, buy_now_price: 10 }),
    );
    await importDrafts(service(), merchant, [drafts]);
    await enlargeRecords(service(), merchant, RECORD_BYTES);
    console = await signedIn(service(), merchant);
  });
  beforeEach(() => {
    watch.recordsOnLoop = 0;
    watch.largestStep = 0;
  });

  function expectSteps(): void {
    assert.equal(watch.recordsOnLoop, 0);
    assert.ok(watch.largestStep > 0 && watch.largestStep <= MIB, `${watch.largestStep} bytes in one step`);
  }

  it('an export has all products, newest first, and reads them in steps of 1 MiB off the event loop', async () => {
    const response = await console.get(EXPORT);
    const rows: string[][] = parse(response.text);
    const names = Array.from({ length: PRODUCTS }, (_, index) => `P${PRODUCTS - 1 - index}`);
    assert.deepEqual(
      rows.map(([name]) => name),
      ['identifier', ...names],
    );
    expectSteps();
    const head = await console.request('HEAD', EXPORT);
    assert.deepEqual([head.status, head.bytes.length], [200, 0]);
    for (const name of ['content-type', 'content-disposition', 'x-content-type-options'])
      assert.equal(head.header(name), response.header(name));
  });

  it('an export without products has the header line', async () => {
    const response = await console.get(`${EXPORT}?query=nothing`);
    assert.equal(response.status, 200);
    assert.match(response.text, /^identifier,[^\n]*\n$/);
  });

  it('a change of many products reads them in steps of 1 MiB off the event loop', async () => {
    const change = { all: true, kind: 'percent', field: 'buy_now_price', percent: 10 };
    const { id, products } = (await console.post('/products/bulk', change)).json<BulkPreview>();
    assert.equal(products, PRODUCTS);
    expectSteps();
    assert.equal((await untilState(console, id, 'checked')).summary?.updated, PRODUCTS);
  });

  it('429: exports that are not read use up the merchant’s budget of unread bytes, and others are served', async () => {
    const other = await signedIn(service(), await service().newMerchant());
    const cookie = [...console.cookies].map((pair) => pair.join('=')).join('; ');
    const stalled: Socket[] = [];
    const small = () => console.get('/products?per_page=1');
    let refused = '';
    await until(
      async () => {
        // Exports end when the budget is used up, so further ones replace them until enough have stalled.
        stalled.push(await requestAndStall(service(), `/console/api${EXPORT}`, cookie));
        const [list, head] = [await small(), await console.request('HEAD', EXPORT)];
        if (list.status !== 429 || head.status !== 429) return false;
        refused = list.message;
        return true;
      },
      { timeoutMs: 60_000, message: 'nothing is refused' },
    );
    assert.match(refused, /^Budget unread_bytes exceeded: at most 8,000,000 bytes of unread responses/);
    assert.equal((await other.get(EXPORT)).status, 200);
    for (const socket of stalled) socket.destroy();
    await until(async () => (await small()).status === 200, {
      timeoutMs: 60_000,
      message: 'nothing is served',
    });
    assert.equal((await console.get(EXPORT)).status, 200);
    const lines = service().log.map((line) => JSON.parse(line));
    assert.deepEqual(
      lines.filter(({ level }) => level >= 50),
      [],
    );
  });
});
