import assert from 'node:assert/strict';
import { copyFile, readFile } from 'node:fs/promises';
import { after, before, it, type TestContext } from 'node:test';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import type { Database } from '../../src/database/database.ts';
import { OPERATOR_ID } from '../../src/database/sides.ts';
import { readKeyFile } from '../../src/encryption/key-file.ts';
import { beginRotation } from '../../src/key-management/begin-rotation.ts';
import { createKeys } from '../../src/key-management/create-keys.ts';
import { finishRotation } from '../../src/key-management/finish-rotation.ts';
import { listKeyIds, type WebhookRow } from '../../src/webhooks/queries.ts';
import { runCommand } from '../commands/run-command.ts';
import { type Engine, forEachEngine } from '../support/engines.ts';
import { temporaryDirectory } from '../support/process.ts';
import { startTestService, type TestMerchant, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { addressesOf, WebhookReceiver } from '../support/webhook-receiver.ts';
import { addWebhook, readWebhook, rotate, storeSecret } from './webhooks.ts';

const idOf = (secret: string | null): string | undefined => secret?.split(':')[1];
const usedIds = async ({ database }: TestService): Promise<string[]> =>
  (await database.all(listKeyIds)).map(({ id }) => id);
const fileIds = async ({ config }: TestService): Promise<[id: string, isNext: boolean][]> =>
  (await readKeyFile(config.encryptionKeyFile)).keys.map(({ id, isNext }) => [id, isNext]);

forEachEngine((engine) => {
  let receiver: WebhookReceiver;
  before(async () => {
    receiver = await WebhookReceiver.start();
  });
  after(() => receiver.close());

  const start = async (
    t: TestContext,
    database: Record<string, string>,
    DATA_DIR: string,
  ): Promise<TestService> => {
    const shared: Engine = { name: engine.name, environment: async () => ({ ...database, DATA_DIR }) };
    const service = await startTestService(shared, { findAddress: addressesOf(() => [receiver]) });
    t.after(() => service.stop());
    return service;
  };
  /** Sends an event, and checks that the message has a signature of each secret. */
  const assertSigned = async (
    service: TestService,
    { token }: TestMerchant,
    ...secrets: string[]
  ): Promise<void> => {
    const json = { access_token: token, name: 'Spring', type: 'T' };
    const response = await service.request('POST', '/campaigns.json', { json });
    const { internal_id: id } = response.json<{ internal_id: string }>();
    const message = await until(() => receiver.received.find(({ body }) => body.includes(id)));
    for (const secret of secrets)
      new StandardWebhook(secret).verify(message.body, message.headers as Record<string, string>);
  };

  it('rotating the keys encrypts the secrets of webhooks again, and their messages are signed before, between and after', async (t) => {
    const [database, directory] = [await engine.environment(), await temporaryDirectory(t)];
    const service = await start(t, database, directory);
    const run = async (...words: string[]): Promise<string> => {
      const { status, stdout, stderr } = await runCommand(['encryption', ...words], service.environment);
      assert.deepEqual([status, stderr], [0, '']);
      return stdout;
    };
    const merchant = await service.newMerchant();
    const webhook = await addWebhook(service, merchant.id, receiver.url);
    const rotated = await rotate(service, webhook);
    const [oldId = ''] = await usedIds(service);
    await assertSigned(service, merchant, webhook.plainSecret, rotated);

    const begun = await run('rotate');
    const [, [newId = '', isNext] = []] = await fileIds(service);
    assert.equal(isNext, true);
    assert.ok(
      begun.includes(`encryption.keys has the new keys ${newId}, which encrypt nothing yet. Next:\n1. `),
    );
    assert.match(begun, /\n2\. Run "tradepost encryption rotate --finish" on this machine\.\n$/);
    assert.equal(await run('rotate'), begun, 'repeated, it adds nothing');
    await addWebhook(service, merchant.id, 'https://shop.example/');
    assert.deepEqual(await usedIds(service), [oldId]);
    await assertSigned(service, merchant, webhook.plainSecret, rotated);

    assert.match(await run('rotate', '--finish'), /The secrets of 2 webhooks were encrypted again\. Next:/);
    assert.deepEqual(await usedIds(service), [newId]);
    const row = await readWebhook(service.database, webhook);
    assert.deepEqual([idOf(row.secret), idOf(row.former_secret)], [newId, newId]);
    await assertSigned(service, merchant, webhook.plainSecret, rotated);
    const later = await rotate(service, webhook);
    assert.deepEqual(await usedIds(service), [newId]);
    await assertSigned(service, merchant, rotated, later);
    assert.match(await run('rotate', '--finish'), /has no new keys, and its newest key encrypts/);

    assert.match(await run('remove-unused'), new RegExp(`^Removed the keys ${oldId}\\. Next:\n1\\. `));
    assert.match(await run('remove-unused'), /has no old keys/);
    assert.deepEqual(await fileIds(service), [[newId, false]]);
    await service.stop();
    const again = await start(t, database, directory);
    await assertSigned(again, merchant, rotated, later);
  });

  it('a rotation that was interrupted is finished later, and changed secrets are named, without stopping it', async (t) => {
    const service = await start(t, await engine.environment(), await temporaryDirectory(t));
    const { database, config } = service;
    const file = config.encryptionKeyFile;
    const webhooks: WebhookRow[] = [];
    while (webhooks.length < 120) {
      const { id } = await service.newMerchant();
      for (let count = 0; count < 20; count += 1)
        webhooks.push(await addWebhook(service, id, 'https://shop.example/'));
    }
    const [oldId = ''] = await usedIds(service);
    const [newId = ''] = await beginRotation({ database, file }, service.now());
    let transactions = 0;
    const failing = Object.assign(Object.create(database) as Database, {
      transaction: ((...call) => {
        transactions += 1;
        if (transactions === 2) throw new Error('interrupted');
        return database.transaction(...call);
      }) as Database['transaction'],
      all: database.all.bind(database),
    });
    await assert.rejects(finishRotation({ database: failing, file }), /interrupted/);
    assert.deepEqual((await usedIds(service)).sort(), [oldId, newId].sort());
    const changed = webhooks.toSorted((one, two) => (one.id < two.id ? -1 : 1)).at(-1) ?? assert.fail();
    await storeSecret(database, changed, `enc:${oldId}:AAAA`);
    const { status, stdout, stderr } = await runCommand(
      ['encryption', 'rotate', '--finish'],
      service.environment,
    );
    assert.equal(status, 1);
    assert.match(stdout, /The secrets of 19 webhooks were encrypted again/);
    assert.ok(stderr.includes(`because they were changed in the database: ${changed.id}. `), stderr);
    assert.deepEqual((await usedIds(service)).sort(), [oldId, newId].sort());
    const kept = await runCommand(['encryption', 'remove-unused'], service.environment);
    assert.match(kept.stdout, /has no old keys, or their values are not encrypted with the newest key yet/);
  });

  it('keys can be created before there is a webhook, and are removed only if the newest one is used', async (t) => {
    const service = await start(t, await engine.environment(), await temporaryDirectory(t));
    const { database, config } = service;
    const file = config.encryptionKeyFile;
    const run = (...words: string[]) => runCommand(['encryption', ...words], service.environment);
    const nothing = await run('rotate');
    assert.equal(nothing.status, 1);
    assert.match(nothing.stderr, /has no key yet, or does not exist/);
    assert.match(
      (await run('create')).stdout,
      /encryption\.keys has a key of each kind\. Next:\n1\. Replace the/,
    );
    const content = await readFile(file, 'utf8');
    assert.match(content, /^[0-9a-f]{8} [\w-]{43}\nmonthly \d{4}-\d\d [0-9a-f]{8} [\w-]{43}\n$/);
    await createKeys({ database, file }, service.now());
    assert.equal(await readFile(file, 'utf8'), content);
    await beginRotation({ database, file }, service.now());
    await finishRotation({ database, file });
    assert.match((await run('remove-unused')).stdout, /has no old keys/);
    assert.equal((await readKeyFile(file)).keys.length, 2);
    const { id } = await service.newMerchant();
    const webhook = await addWebhook(service, id, 'https://shop.example/');
    assert.match((await run('remove-unused')).stdout, /^Removed the keys /);
    const { secrets } = service.webhooksOf(OPERATOR_ID);
    assert.deepEqual(await secrets.decrypt(await readWebhook(database, webhook), service.now()), [
      webhook.plainSecret,
    ]);
  });

  // SQLite's file is in the data directory: its processes share one.
  if (engine.name !== 'postgres') return;

  it('a node with the file of the first step needs no second copy, and a node without it says which key it lacks', async (t) => {
    const database = await engine.environment();
    const first = await start(t, database, await temporaryDirectory(t));
    const merchant = await first.newMerchant();
    const webhook = await addWebhook(first, merchant.id, receiver.url);
    const others = [await temporaryDirectory(t), await temporaryDirectory(t)] as const;
    for (const directory of others)
      await copyFile(first.config.encryptionKeyFile, `${directory}/encryption.keys`);
    const [copied, old] = [await start(t, database, others[0]), await start(t, database, others[1])];
    const file = first.config.encryptionKeyFile;
    const [newId = ''] = await beginRotation({ database: first.database, file }, first.now());
    await copyFile(file, copied.config.encryptionKeyFile);
    const { used } = await finishRotation({ database: first.database, file });
    assert.deepEqual(used, [newId]);

    const rotated = await rotate(copied, webhook);
    assert.deepEqual(await usedIds(first), [newId]);
    assert.deepEqual((await fileIds(copied)).at(-1), [newId, true]);
    const lacks = { name: 'KeyFileUnusable', message: new RegExp(`does not have the key ${newId}`) };
    await assert.rejects(rotate(old, webhook), lacks);
    await assert.rejects(
      finishRotation({ database: old.database, file: old.config.encryptionKeyFile }),
      lacks,
    );
    // Until then, it delays the messages that it takes.
    await copyFile(file, old.config.encryptionKeyFile);
    await assertSigned(first, merchant, webhook.plainSecret, rotated);
    const { secrets } = old.webhooksOf(OPERATOR_ID);
    const row = await readWebhook(old.database, webhook);
    assert.deepEqual(await secrets.decrypt(row, old.now()), [rotated, webhook.plainSecret]);
  });
});
