import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { statement } from '../../src/database/statement.ts';
import { allProducts, draft, importDrafts } from '../support/catalog.ts';
import type { Engine } from '../support/engines.ts';
import { createDatabase } from '../support/postgres/databases.ts';
import type { Owner } from '../support/process.ts';
import { startTestService, type TestMerchant, type TestService } from '../support/service.ts';
import { campaignsOf } from '../support/stored.ts';
import { hasPgBouncer, PgBouncer } from './pgbouncer.ts';

const skip = !(await hasPgBouncer()) && "needs PgBouncer: Debian's package pgbouncer";

const PRODUCTS = 200;
const PER_PAGE = 30;
const AT_ONCE = 40;

describe('behind PgBouncer in transaction mode', { skip }, () => {
  const cleanups: (() => unknown)[] = [];
  const owner: Owner = { after: (cleanup: () => unknown) => void cleanups.push(cleanup) };
  let bouncer: PgBouncer;
  let nodes: TestService[];
  let merchant: TestMerchant;
  const node = (index = 0): TestService => {
    const found = nodes[index % nodes.length];
    assert(found !== undefined);
    return found;
  };

  before(async () => {
    const url = await createDatabase();
    bouncer = await PgBouncer.start(owner, url);
    const engine: Engine = {
      name: 'pgbouncer',
      environment: async () => ({ DATABASE_URL: bouncer.address(url), RATE_LIMIT: '1000000' }),
    };
    // At the same time: one creates the schema, and the other waits.
    nodes = await Promise.all([startTestService(engine), startTestService(engine)]);
    merchant = await node().newMerchant();
  });

  after(async () => {
    for (const one of nodes) await one.close();
    for (const cleanup of cleanups) await cleanup();
  });

  const create = (index: number, name: string, key?: string) =>
    node(index).request('POST', '/campaigns.json', {
      form: { access_token: merchant.token, name, type: 'AuctionCampaign' },
      headers: key === undefined ? {} : { 'idempotency-key': key },
    });
  const namesOfCampaigns = async (): Promise<string[]> =>
    (await campaignsOf(node(), merchant)).map(({ name }) => name);

  it('imports catalogs concurrently and repeatedly, and lists them in pages', async () => {
    const drafts = Array.from({ length: PRODUCTS }, (_, number) =>
      draft(`P${number}`, { title: `Product ${number}` }, [{ identifier: `P${number}-1` }]),
    );
    const halves = [drafts.slice(0, PRODUCTS / 2), drafts.slice(PRODUCTS / 2)];
    const summaries = await Promise.all(
      halves.map((half, index) => importDrafts(node(index), merchant, [half])),
    );
    assert.deepEqual(
      summaries.map(({ created }) => created),
      [PRODUCTS / 2, PRODUCTS / 2],
    );
    assert.equal((await importDrafts(node(), merchant, [drafts])).unchanged, PRODUCTS);
    assert.equal((await allProducts(node(), merchant)).length, PRODUCTS);

    const pages = await Promise.all(
      Array.from({ length: Math.ceil(PRODUCTS / PER_PAGE) }, (_, index) =>
        node(index).get('/products.json', merchant, { per_page: `${PER_PAGE}`, page: `${index + 1}` }),
      ),
    );
    const listed = pages.flatMap((page) => page.json<{ identifier: string }[]>());
    assert.deepEqual(
      listed.map(({ identifier }) => identifier).sort(),
      drafts.map(({ identifier }) => identifier).sort(),
    );
    const variation = await node(1).get('/variations/retrieve.json', merchant, { identifier: 'P7-1' });
    assert.equal(variation.status, 200, variation.text);
    assert.equal((await node(1).get('/performance/sales.json', merchant)).status, 200);
  });

  it('responds to more statements at once than there are connections, with and without parameters', async () => {
    const { database } = node();
    const plain = statement<void, { one: number }>('SELECT 1 AS one');
    const echo = statement<{ value: number }, { value: number }>('SELECT CAST(:value AS bigint) AS value');
    const values = Array.from({ length: AT_ONCE }, (_, value) => value);
    const rows = await Promise.all(
      values.map(async (value) => {
        const [, found] = await Promise.all([database.first(plain), database.first(echo, { value })]);
        return found?.value;
      }),
    );
    assert.deepEqual(rows, values);
  });

  it('creates many campaigns at once, and one for each Idempotency-Key', async () => {
    const plain = Array.from({ length: AT_ONCE }, (_, index) => `plain ${index}`);
    for (const response of await Promise.all(plain.map((name, index) => create(index, name))))
      assert.equal(response.status, 200, response.text);
    const keyed = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, index) => create(index, 'keyed', 'key')),
    );
    assert.deepEqual(
      keyed.map(({ status }) => status).filter((status) => status !== 200 && status !== 400),
      [],
    );
    assert.equal((await create(1, 'keyed', 'key')).status, 200);
    assert.deepEqual((await namesOfCampaigns()).sort(), [...plain, 'keyed'].sort());
  });

  it('responds 503 while PgBouncer is unavailable, and recovers when it is back', async () => {
    const statuses = new Set<number>();
    const acknowledged: string[] = [];
    let restarted = false;
    const client = async (index: number): Promise<void> => {
      for (let number = 0; !restarted; number += 1) {
        const name = `while away ${index} ${number}`;
        const { status } = await create(index, name);
        statuses.add(status);
        if (status === 200) acknowledged.push(name);
      }
    };
    const clients = Promise.all(Array.from({ length: 8 }, (_, index) => client(index)));
    await pause(200);
    await bouncer.restart();
    restarted = true;
    await clients;
    assert.equal((await create(0, 'after')).status, 200);
    assert.deepEqual([...statuses].sort(), [200, 503]);
    const stored = new Set(await namesOfCampaigns());
    assert.deepEqual(
      acknowledged.filter((name) => !stored.has(name)),
      [],
    );
  });
});
