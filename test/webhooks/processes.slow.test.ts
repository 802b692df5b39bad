import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { type Engine, forEachEngine } from '../support/engines.ts';
import { type CommandResult, ServerProcess, temporaryDirectory, tradepost } from '../support/process.ts';
import { newMerchant, onDatabase } from '../support/stored.ts';
import { until } from '../support/until.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';

/** A database, a receiver at 127.0.0.1, and the settings that let the operator use it. */
async function prepare(t: TestContext, engine: Engine) {
  const receiver = await WebhookReceiver.startLocal();
  t.after(() => receiver.close());
  const DATA_DIR = await temporaryDirectory(t);
  const certificate = join(DATA_DIR, 'receiver.pem');
  await writeFile(certificate, receiver.certificate);
  const environment = {
    ...(await engine.environment()),
    DATA_DIR,
    WEBHOOK_NETWORKS: '127.0.0.0/8',
    NODE_EXTRA_CA_CERTS: certificate,
  };
  const run = (...words: string[]): Promise<CommandResult> => tradepost(['webhooks', ...words], environment);
  const runJson = async <Shape>(...words: string[]): Promise<Shape> => {
    const { status, stdout, stderr } = await run(...words, '--json');
    assert.deepEqual([status, stderr.replace(/^Created the key file .*\n/, '')], [0, '']);
    return JSON.parse(stdout) as Shape;
  };
  return { receiver, environment, run, runJson };
}

forEachEngine((engine) => {
  it('processes that start at once agree on one key file', async (t) => {
    const { receiver, environment, runJson } = await prepare(t, engine);
    const file = join(environment.DATA_DIR, 'encryption.keys');
    const create = () => runJson<{ id: string; secret: string }>('create', '--url', receiver.url);
    await onDatabase(environment, async () => {});
    const created = await Promise.all([create(), create(), create()]);
    assert.match(await readFile(file, 'utf8'), /^[0-9a-f]{8} [\w-]{43}\n$/);
    const test = async (): Promise<void> => {
      for (const { id, secret } of created) {
        assert.equal((await runJson<{ status: number }[]>('test', id))[0]?.status, 204);
        const { body, headers } = receiver.received.at(-1) ?? assert.fail('nothing received');
        new StandardWebhook(secret).verify(body, headers as Record<string, string>);
      }
    };
    await test();
    const server = await ServerProcess.start(t, { ...environment, WORKERS: '3' });
    await test();
    await server.end('SIGTERM');
  });

  for (const WORKERS of ['1', '2'])
    it(`a service of WORKERS=${WORKERS} exits with a message if the key file is missing`, async (t) => {
      const { receiver, environment, runJson } = await prepare(t, engine);
      await runJson('create', '--url', receiver.url);
      await rm(join(environment.DATA_DIR, 'encryption.keys'));
      const settings = { ...environment, WORKERS, PORT: '0', METRICS_ADDRESS: 'off' };
      const { status, stderr } = await tradepost(['serve'], settings);
      assert.equal(status, 1);
      assert.match(
        stderr,
        /^tradepost: .*encryption\.keys does not exist, but the key [0-9a-f]{8} encrypts/m,
      );
    });

  it('tradepost webhooks creates, tests, replays, rotates, disables and deletes webhooks of the operator', async (t) => {
    const { receiver, environment, run, runJson } = await prepare(t, engine);
    const created = await runJson<{ id: string; secret: string }>(
      ...['create', '--url', receiver.url, '--types', 'campaign.created', '--description', 'Orders'],
    );
    const [attempt] = await runJson<{ status: number }[]>('test', created.id);
    assert.equal(attempt?.status, 204);
    const server = await ServerProcess.start(t, environment);
    const merchant = await newMerchant(environment);
    const json = { access_token: merchant.token, name: 'Spring', type: 'T' };
    assert.equal((await server.client.request('POST', '/v1/campaigns', { json })).status, 200);
    const ofCampaign = (): typeof receiver.received =>
      receiver.received.filter(({ body }) => JSON.parse(body).type === 'campaign.created');
    await until(() => ofCampaign().length === 1);
    const { secret } = await runJson<{ secret: string }>('rotate', created.id);
    assert.equal(
      (await run('replay', created.id, '--last', '1h', '--all')).stdout,
      'Sending 1 event again.\n',
    );
    await until(() => ofCampaign().length === 2);
    const [first, second] = ofCampaign();
    assert.equal(first?.headers['webhook-id'], second?.headers['webhook-id']);
    for (const each of [created.secret, secret])
      new StandardWebhook(each).verify(second?.body ?? '', second?.headers as Record<string, string>);
    assert.equal((await run('disable', created.id)).stdout, `Disabled webhook ${created.id}.\n`);
    const [listed] = await runJson<{ state: string; url: string }[]>('list');
    assert.deepEqual([listed?.state, listed?.url], ['disabled', receiver.url]);
    for (const [words, message] of [
      [['create', '--url', 'http://127.0.0.1/'], /^--url: expected a URL that begins with https/],
      [
        ['create', '--url', receiver.url, '--types', 'x'],
        /--types is "x": expected some of catalog\.changed/,
      ],
      [['replay', created.id, '--last', '1h'], /is disabled\. Run "tradepost webhooks enable/],
      [['replay', created.id], /Expected either --event or --last/],
      [['delete', 'we_0'], /There is no webhook "we_0"/],
    ] as const) {
      const { status, stderr } = await run(...words);
      assert.equal(status, 1);
      assert.match(stderr.replace(/^tradepost: /, ''), message);
    }
    assert.equal((await run('enable', created.id)).status, 0);
    assert.equal((await run('delete', created.id)).status, 0);
    assert.deepEqual(await runJson('list'), []);
  });
});
