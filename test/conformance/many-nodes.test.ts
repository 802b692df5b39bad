import assert from 'node:assert/strict';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { revokeKey } from '../../src/api-keys/revoke-key.ts';
import { campaignsOf } from '../support/campaigns.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import { type Answer, Client } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { startTestService, type TestMerchant, type TestService } from '../support/service.ts';

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
    // At once: whichever comes first migrates, and the other waits for it.
    [one, other] = await Promise.all([startTestService(shared), startTestService(shared)]);
  });
  after(async () => {
    await other.stop();
    await one.close();
  });
  const listAt = (node: TestService, key: { token: string }): Promise<Answer> =>
    node.get('/products.json', key);

  it('401 on every node, from the next request on, once a key is revoked on one', async () => {
    const merchant = await one.newMerchant();
    // Often enough that each node knows the answer by heart.
    for (let time = 0; time < 5; time += 1) {
      for (const node of [one, other]) assert.equal((await listAt(node, merchant)).status, 200);
    }
    await revokeKey(one, merchant.keyId);
    expectError(await listAt(other, merchant), 401, /not valid/);
    expectError(await listAt(one, merchant), 401, /not valid/);
  });

  it('200: every node shows a change that one has made, from the next request on', async () => {
    const merchant = await one.newMerchant();
    for (let products = 1; products <= 5; products += 1) {
      const [writing, reading] = products % 2 === 0 ? [one, other] : [other, one];
      for (let time = 0; time < 3; time += 1) await listAt(reading, merchant);
      await importDrafts(writing, merchant, [[draft(`P${products}`)]]);
      assert.equal((await listAt(reading, merchant)).json<unknown[]>().length, products);
    }
  });

  it('429: the nodes together let no more through than the limit, and hardly fewer', async () => {
    const merchant = await one.newMerchant();
    const statuses: number[] = [];
    // A few at a time: a machine that is busy would turn away most of a hundred that come at once.
    while (statuses.length < 2 * RATE_LIMIT) {
      const asked = Array.from({ length: 8 }, (_, index) => listAt(index % 2 === 0 ? one : other, merchant));
      statuses.push(...(await Promise.all(asked)).map(({ status }) => status));
    }
    const allowed = statuses.filter((status) => status === 200).length;
    assert.equal(statuses.filter((status) => status === 429).length, statuses.length - allowed);
    assert.ok(allowed <= RATE_LIMIT && allowed >= RATE_LIMIT * 0.98, `${allowed} of ${RATE_LIMIT}`);
  });

  it('200 or 409: one Idempotency-Key on many nodes at once creates one campaign', async () => {
    const create = (node: TestService, { token }: TestMerchant, key: string): Promise<Answer> => {
      const form = { access_token: token, name: key, type: 'T' };
      return node.request('POST', '/campaigns.json', { form, headers: { 'idempotency-key': key } });
    };
    for (let round = 0; round < 10; round += 1) {
      const merchant = await one.newMerchant();
      const nodes = Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? one : other));
      const answers = await Promise.all(nodes.map((node) => create(node, merchant, 'key')));
      const created = answers.filter(({ status }) => status === 200);
      assert.ok(created.length > 0);
      assert.equal(new Set(created.map(({ text }) => text)).size, 1);
      for (const answer of answers) if (answer.status !== 200) expectError(answer, 409, /still in progress/);
      assert.equal((await create(other, merchant, 'key')).text, created[0]?.text);
      assert.equal((await campaignsOf(one, merchant)).length, 1);
    }
  });

  it('brings two imports of one catalog in side by side, every figure right', async () => {
    const merchant = await one.newMerchant();
    const drafts = (from: number): ReturnType<typeof draft>[] =>
      Array.from({ length: 600 }, (_, index) => draft(`P${from + index}`, { title: String(from) }));
    const [first, second] = await Promise.all([
      importDrafts(one, merchant, [drafts(0), drafts(0)]),
      importDrafts(other, merchant, [drafts(300), drafts(300)]),
    ]);
    assert.equal(first.created + second.created, 900);
    const answer = await one.get('/products.json', merchant, { per_page: '1000', pagination: 'true' });
    const { results, total_entries } = answer.json<{
      results: { internal_id: number }[];
      total_entries: number;
    }>();
    assert.equal(total_entries, 900);
    assert.equal(new Set(results.map(({ internal_id }) => internal_id)).size, 900);
  });

  it('200 on every node, and after a restart: bad tokens do not lock out good ones from the same address', async () => {
    const merchants = await Promise.all(Array.from({ length: 20 }, () => one.newMerchant()));
    for (const node of [one, other]) {
      for (let time = 0; time < 60; time += 1) await listAt(node, { token: `bad-${time}` });
    }
    assert.equal((await listAt(other, { token: 'bad' })).status, 429);
    const started = await startTestService({ name: engine.name, environment: async () => one.environment });
    try {
      // The restarted node learns that the address is past its limit.
      for (let time = 0; (await listAt(started, { token: `bad-${time}` })).status !== 429; time += 1) {
        assert.ok(time < 200);
      }
      for (const node of [one, other, started]) {
        const answers = await Promise.all(
          merchants.map(async (merchant) => {
            const fresh = new Client(node.client.origin.href, await readFile(certificateOf(node), 'utf8'));
            const { status } = await fresh.request('GET', `/v1/products.json?access_token=${merchant.token}`);
            fresh.close();
            return status;
          }),
        );
        assert.deepEqual(answers, Array(20).fill(200));
      }
    } finally {
      await started.stop();
    }
  });
});

function certificateOf({ config }: TestService): string {
  return join(config.dataDirectory, 'tls-cert.pem');
}
