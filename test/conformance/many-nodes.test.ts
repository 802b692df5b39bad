import assert from 'node:assert/strict';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { draft, importDrafts } from '../support/catalog.ts';
import { Client, type ClientResponse } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { revokeKey } from '../support/keys.ts';
import { startTestService, type TestMerchant, type TestService } from '../support/service.ts';
import { campaignsOf } from '../support/stored.ts';
import { patiently } from '../support/writes.ts';

const RATE_LIMIT = 100;

forEachEngine((engine) => {
  let one: TestService;
  let other: TestService;
  before(async () => {
    const environment = {
      ...(await engine.environment()),
      DATA_DIR: await mkdtemp(join(tmpdir(), 'tradepost-')),
      RATE_LIMIT: String(RATE_LIMIT),
    };
    const shared = { name: engine.name, environment: async () => environment };
    // At the same time: one creates the schema, and the other waits.
    [one, other] = await Promise.all([startTestService(shared), startTestService(shared)]);
  });
  after(async () => {
    await other.stop();
    await one.close();
  });
  const listAt = (node: TestService, key: { token: string }): Promise<ClientResponse> =>
    node.get('/products.json', key);

  it('401: a key revoked on one node is rejected by every node from the next request on', async () => {
    const merchant = await one.newMerchant();
    // Often enough that each node has cached the response.
    for (let time = 0; time < 5; time += 1) {
      for (const node of [one, other]) assert.equal((await listAt(node, merchant)).status, 200);
    }
    await revokeKey(one, merchant.keyId);
    expectError(await listAt(other, merchant), 401, /not valid/);
    expectError(await listAt(one, merchant), 401, /not valid/);
  });

  it('200: every node returns a change made on another node from the next request on', async () => {
    const merchant = await one.newMerchant();
    for (let products = 1; products <= 5; products += 1) {
      const [writing, reading] = products % 2 === 0 ? [one, other] : [other, one];
      for (let time = 0; time < 3; time += 1) await listAt(reading, merchant);
      await importDrafts(writing, merchant, [[draft(`P${products}`)]]);
      assert.equal((await listAt(reading, merchant)).json<unknown[]>().length, products);
    }
  });

  it('429: all nodes together admit at most the limit, and at least 98% of it', async () => {
    const merchant = await one.newMerchant();
    const statuses: number[] = [];
    // A few at a time: a busy machine would reject most of a hundred concurrent requests.
    while (statuses.length < 2 * RATE_LIMIT) {
      const batch = Array.from({ length: 8 }, (_, index) => listAt(index % 2 === 0 ? one : other, merchant));
      statuses.push(...(await Promise.all(batch)).map(({ status }) => status));
    }
    const allowed = statuses.filter((status) => status === 200).length;
    assert.equal(statuses.filter((status) => status === 429).length, statuses.length - allowed);
    assert.ok(allowed <= RATE_LIMIT && allowed >= RATE_LIMIT * 0.98, `${allowed} of ${RATE_LIMIT}`);
  });

  it('200 or 400: one Idempotency-Key used on several nodes at once creates one campaign', async () => {
    const create = (node: TestService, { token }: TestMerchant, key: string): Promise<ClientResponse> => {
      const form = { access_token: token, name: key, type: 'T' };
      return node.request('POST', '/campaigns.json', { form, headers: { 'idempotency-key': key } });
    };
    for (let round = 0; round < 10; round += 1) {
      const merchant = await one.newMerchant();
      const nodes = Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? one : other));
      const responses = await Promise.all(nodes.map((node) => create(node, merchant, 'key')));
      const created = responses.filter(({ status }) => status === 200);
      assert.ok(created.length > 0);
      assert.equal(new Set(created.map(({ text }) => text)).size, 1);
      for (const response of responses)
        if (response.status !== 200) expectError(response, 400, /still in progress/);
      assert.equal((await create(other, merchant, 'key')).text, created[0]?.text);
      assert.equal((await campaignsOf(one, merchant)).length, 1);
    }
  });

  it('200 or 400: one Idempotency-Key used on several nodes at once writes a product and its stock once', async () => {
    const onAll = async (
      path: string,
      { token: access_token }: TestMerchant,
      form: Record<string, string>,
      headers: Record<string, string>,
    ): Promise<string> => {
      const nodes = Array.from({ length: 8 }, (_, index) => (index % 2 === 0 ? one : other));
      const responses = await Promise.all(
        nodes.map((node) =>
          patiently(() => node.request('POST', path, { form: { ...form, access_token }, headers })),
        ),
      );
      const written = responses.filter(({ status }) => status === 200);
      for (const response of responses)
        if (response.status !== 200) expectError(response, 400, /still in progress/);
      assert.equal(new Set(written.map(({ text }) => text)).size, 1);
      return written[0]?.text ?? '';
    };
    for (let round = 0; round < 10; round += 1) {
      const merchant = await one.newMerchant();
      const product = { identifier: 'P', title: 'T', 'variations[V][quantity]': '9' };
      await onAll('/products', merchant, product, { 'idempotency-key': 'create' });
      const read = await one.get('/variations/retrieve', merchant, { identifier: 'V' });
      const headers = { 'idempotency-key': 'change', 'if-match': read.header('etag') };
      const change = { identifier: 'V', quantity_change: '-1' };
      assert.match(await onAll('/variations/update', merchant, change, headers), /"quantity":8,/);
    }
  });

  it('runs two imports of one catalog at the same time with correct totals', async () => {
    const merchant = await one.newMerchant();
    const drafts = (from: number): ReturnType<typeof draft>[] =>
      Array.from({ length: 600 }, (_, index) => draft(`P${from + index}`, { title: String(from) }));
    const [first, second] = await Promise.all([
      importDrafts(one, merchant, [drafts(0), drafts(0)]),
      importDrafts(other, merchant, [drafts(300), drafts(300)]),
    ]);
    assert.equal(first.created + second.created, 900);
    const response = await one.get('/products.json', merchant, { per_page: '1000', pagination: 'true' });
    const { results, total_entries } = response.json<{
      results: { internal_id: number }[];
      total_entries: number;
    }>();
    assert.equal(total_entries, 900);
    assert.equal(new Set(results.map(({ internal_id }) => internal_id)).size, 900);
  });

  it('200: invalid tokens do not lock out valid ones from the same address, on any node or after a restart', async () => {
    const merchants = await Promise.all(Array.from({ length: 20 }, () => one.newMerchant()));
    for (const node of [one, other]) {
      for (let time = 0; time < 60; time += 1) await listAt(node, { token: `bad-${time}` });
    }
    // Until the node knows that the address has exceeded its limit.
    const untilLimited = async (node: TestService): Promise<void> => {
      for (let time = 0; (await listAt(node, { token: `bad-${time}` })).status !== 429; time += 1)
        assert.ok(time < 200);
    };
    await untilLimited(other);
    const started = await startTestService({ name: engine.name, environment: async () => one.environment });
    try {
      await untilLimited(started);
      for (const node of [one, other, started]) {
        const responses = await Promise.all(
          merchants.map(async (merchant) => {
            const fresh = new Client(node.client.origin.href, await readFile(certificateOf(node), 'utf8'));
            const { status } = await fresh.request('GET', `/v1/products.json?access_token=${merchant.token}`);
            fresh.close();
            return status;
          }),
        );
        assert.deepEqual(responses, Array(20).fill(200));
      }
    } finally {
      await started.stop();
    }
  });
});

function certificateOf({ config }: TestService): string {
  return join(config.dataDirectory, 'tls-cert.pem');
}
