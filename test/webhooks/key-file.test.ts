import assert from 'node:assert/strict';
import { chmod, copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { OPERATOR_ID } from '../../src/database/sides.ts';
import { Encryption } from '../../src/encryption/encryption.ts';
import { KeyFileUnusable, readKeyFile } from '../../src/encryption/key-file.ts';
import { runCommand } from '../commands/run-command.ts';
import { type CopyDatabase, directions, newCopyDatabase } from '../support/copies.ts';
import { type Engine, forEachEngine } from '../support/engines.ts';
import { temporaryDirectory } from '../support/process.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { addWebhook, readWebhook, rotate } from './webhooks.ts';

const URL = 'https://shop.example/';

/** Each service has the key file of its own data directory. */
async function onOneDatabase(t: TestContext, engine: Engine) {
  const environment = await engine.environment();
  const start = async (DATA_DIR: string, settings: Record<string, string> = {}): Promise<TestService> => {
    const service = await startTestService({
      name: engine.name,
      environment: async () => ({ ...environment, DATA_DIR, ...settings }),
    });
    t.after(() => service.stop());
    return service;
  };
  return { start, newDirectory: () => temporaryDirectory(t) };
}

forEachEngine((engine) => {
  describe('the key file', () => {
    it('is created with the first webhook, and a restarted service keeps it', async (t) => {
      const { start, newDirectory } = await onOneDatabase(t, engine);
      const directory = await newDirectory();
      const first = await start(directory);
      const { encryptionKeyFile: file } = first.config;
      assert.equal(file, join(directory, 'encryption.keys'));
      assert.equal((await readKeyFile(file)).stats, undefined);
      const client = await first.newOperatorToken();
      const created = await first.operator('POST', '/webhooks', client, {
        json: { url: 'https://market.example/' },
      });
      assert.equal(created.status, 201);
      assert.ok(first.log.some((line) => line.includes(`Created the key file ${file}`)));
      const content = await readFile(file, 'utf8');
      assert.ok(!first.log.join('').includes(content.slice(9, 40)));
      await first.stop();
      const again = await start(directory);
      assert.equal(
        (await again.operator('POST', `/webhooks/${created.json<{ id: string }>().id}/secret`, client))
          .status,
        201,
      );
      assert.equal(await readFile(file, 'utf8'), content);
    });

    it('must exist, and have every key of the database, before a service starts', async (t) => {
      const { start, newDirectory } = await onOneDatabase(t, engine);
      const directory = await newDirectory();
      const service = await start(directory);
      const { id } = await service.newMerchant();
      await addWebhook(service, id, URL);
      const { encryptionKeyFile: file } = service.config;
      await service.stop();
      await copyFile(file, `${file}.kept`);
      const refused = (problem: RegExp): Promise<void> =>
        assert.rejects(start(directory), (error) => {
          assert.ok(error instanceof KeyFileUnusable, String(error));
          assert.ok(error.message.startsWith(`The key file ${file} `));
          assert.match(error.message, problem);
          return true;
        });
      await rm(file);
      await refused(
        /does not exist, but the key [0-9a-f]{8} encrypts .* from another node, or from where you keep/,
      );
      assert.ok(!(await readdir(dirname(file))).includes('encryption.keys'), 'no new key hides the problem');
      await new Encryption({ file, onCreated: () => {} }).createKeys();
      await refused(/does not have the key [0-9a-f]{8}, which encrypts/);
      await copyFile(`${file}.kept`, file);
      await start(directory);
    });

    it('must be usable before a service starts, even without a webhook', async (t) => {
      const { start, newDirectory } = await onOneDatabase(t, engine);
      const directory = await newDirectory();
      const file = join(directory, 'encryption.keys');
      await writeFile(file, 'other', { mode: 0o600 });
      await assert.rejects(start(directory), /has an invalid line 1: expected an ID/);
      await rm(file);
      await new Encryption({ file, onCreated: () => {} }).createKeys();
      await chmod(file, 0o644);
      await assert.rejects(start(directory), /is accessible to every user/);
      await chmod(file, 0o600);
      await start(directory);
    });

    it('may be anywhere, and is one for several services', async (t) => {
      const { start, newDirectory } = await onOneDatabase(t, engine);
      const [directory, other] = [await newDirectory(), await newDirectory()];
      const settings = { ENCRYPTION_KEY_FILE: join(other, 'my.keys') };
      const services = await Promise.all([start(directory, settings), start(directory, settings)]);
      const { id } = await services[0].newMerchant();
      const created = await Promise.all(services.map((service) => addWebhook(service, id, URL)));
      assert.equal((await readKeyFile(join(other, 'my.keys'))).keys.length, 1);
      for (const [index, webhook] of created.entries()) {
        const reader = services[1 - index] ?? assert.fail();
        const { secrets } = reader.webhooksOf(OPERATOR_ID);
        const row = await readWebhook(reader.database, webhook);
        assert.deepEqual(await secrets.decrypt(row, reader.now()), [webhook.plainSecret]);
      }
    });
  });
});

forEachEngine((engine) => {
  // SQLite's file is in the data directory: its processes share one.
  if (engine.name !== 'postgres') return;

  it('of two nodes that create the first webhooks at once, only one creates a key, and the other names its file', async (t) => {
    const { start, newDirectory } = await onOneDatabase(t, engine);
    const nodes = await Promise.all([await newDirectory(), await newDirectory()].map((path) => start(path)));
    const merchants = [
      await (nodes[0] ?? assert.fail()).newMerchant(),
      await (nodes[0] ?? assert.fail()).newMerchant(),
    ];
    const results = await Promise.allSettled(
      nodes.map((node, index) => addWebhook(node, merchants[index]?.id ?? 0, URL)),
    );
    const loser = results.findIndex(({ status }) => status === 'rejected');
    assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    const { reason } = results[loser] as PromiseRejectedResult;
    assert.ok(reason instanceof KeyFileUnusable, String(reason));
    const [file, other] = [loser, 1 - loser].map((index) => nodes[index]?.config.encryptionKeyFile ?? '');
    assert.match(reason.message, /does not exist, but the key [0-9a-f]{8} encrypts/);
    assert.ok(reason.message.includes(file ?? ''));
    await copyFile(other ?? '', file ?? '');
    await addWebhook(nodes[loser] ?? assert.fail(), merchants[loser]?.id ?? 0, URL);
  });

  it('of two nodes with different files, only the one that the database knows can store secrets', async (t) => {
    const { start, newDirectory } = await onOneDatabase(t, engine);
    const [known, other] = [await start(await newDirectory()), await start(await newDirectory())];
    const { id } = await known.newMerchant();
    const { encryptionKeyFile: file } = other.config;
    await new Encryption({ file, onCreated: () => {} }).createKeys();
    const webhook = await addWebhook(known, id, URL);
    const problem = { name: 'KeyFileUnusable', message: /does not have the key [0-9a-f]{8}, which encrypts/ };
    await assert.rejects(addWebhook(other, id, URL), problem);
    await assert.rejects(rotate(other, webhook), problem);
    const { secrets } = known.webhooksOf(OPERATOR_ID);
    const row = await readWebhook(known.database, webhook);
    assert.deepEqual(await secrets.decrypt(row, known.now()), [webhook.plainSecret]);
    await assert.rejects(other.webhooksOf(OPERATOR_ID).secrets.decrypt(row, other.now()), problem);
  });
});

for (const { from, to } of directions) {
  it(`a copy from ${from.name} to ${to.name} has the encrypted secrets as they are, for the same key file`, async (t) => {
    const [source, target] = [await newCopyDatabase(t, from), await newCopyDatabase(t, to)];
    const start = async ({ environment }: CopyDatabase, settings = {}): Promise<TestService> => {
      const service = await startTestService({
        name: 'copy',
        environment: async () => ({ ...environment, ...settings }),
      });
      t.after(() => service.stop());
      return service;
    };
    const service = await start(source);
    const webhook = await addWebhook(service, (await service.newMerchant()).id, URL);
    const { encryptionKeyFile: ENCRYPTION_KEY_FILE } = service.config;
    const row = await readWebhook(service.database, webhook);
    await service.stop();
    const words = ['copy', '--from', source.address, '--to', target.address];
    const { status, stderr } = await runCommand(words, source.environment);
    assert.equal(status, 0, stderr);
    await assert.rejects(start(target), /does not exist, but the key [0-9a-f]{8} encrypts/);
    const copied = await start(target, { ENCRYPTION_KEY_FILE });
    assert.equal((await readWebhook(copied.database, webhook)).secret, row.secret);
    const { secrets } = copied.webhooksOf(OPERATOR_ID);
    assert.deepEqual(await secrets.decrypt(row, copied.now()), [webhook.plainSecret]);
  });
}
