import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { appendFile, chmod, copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, before, beforeEach, describe, it, type TestContext } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { type Database, statement } from '../../src/database/database.ts';
import { Encryption } from '../../src/encryption/encryption.ts';
import { KeyFileUnusable, readKeyFile } from '../../src/encryption/key-file.ts';
import { encryptStoredSecrets } from '../../src/webhooks/encrypt-stored-secrets.ts';
import { EndpointSecrets } from '../../src/webhooks/endpoint-secrets.ts';
import { createEndpoint, type NewEndpoint, rotateSecret } from '../../src/webhooks/manage-endpoints.ts';
import { type EndpointRow, findEndpoint } from '../../src/webhooks/queries.ts';
import { newSecret } from '../../src/webhooks/signature.ts';
import { type Engine, forEachEngine } from '../support/engines.ts';
import { temporaryDirectory } from '../support/process.ts';
import { startTestService, type TestMerchant, type TestService, useService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { addressesOf, WebhookReceiver } from '../support/webhook-receiver.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const readTable = statement<unknown, Record<string, unknown>>('SELECT * FROM webhook_endpoints');
const setSecret = statement<{ id: string; secret: string; former: string | null }, never>(
  'UPDATE webhook_endpoints SET secret = :secret, former_secret = :former WHERE id = :id',
);
const setLeaseUntil = statement<{ id: string; until: number }, never>(
  'UPDATE webhook_endpoints SET lease_until = :until WHERE id = :id',
);

/** Returns the parts of a secret that must not be found anywhere. */
const partsOf = (secret: string): string[] => ['whsec_', secret.slice('whsec_'.length)];
const change = (database: Database, row: { id: string }, secret: string, former: string | null = null) =>
  database.transaction((connection) => connection.run(setSecret, { id: row.id, secret, former }));
const read = async (database: Database, { merchant_id: merchantId, id }: EndpointRow): Promise<EndpointRow> =>
  (await database.first(findEndpoint, { merchantId, id })) ?? assert.fail('no endpoint');
const addEndpoint = (service: TestService, merchantId: number, url: string): Promise<NewEndpoint> =>
  service.database.transaction((connection) =>
    createEndpoint(
      connection,
      merchantId,
      { url, types: ['campaign.created'], description: '' },
      service.endpointChange(),
    ),
  );
const rotate = async (service: TestService, row: EndpointRow): Promise<string> => {
  const name = { merchantId: row.merchant_id, id: row.id };
  const secret = await service.database.transaction((connection) =>
    rotateSecret(connection, name, service.endpointChange()),
  );
  return secret ?? assert.fail('no endpoint');
};
const createCampaign = async (service: TestService, { token }: TestMerchant): Promise<void> => {
  const json = { access_token: token, name: 'Spring', type: 'T' };
  const response = await service.request('POST', '/campaigns.json', { json });
  assert.equal(response.status, 200, response.text);
};

/** Starts services on one database, each with the key file of its own data directory. */
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
  let receiver: WebhookReceiver;
  before(async () => {
    receiver = await WebhookReceiver.start();
  });
  after(() => receiver.close());

  describe('the secrets of webhooks', () => {
    const service = useService(engine, { findAddress: addressesOf(() => [receiver]) });
    let merchant: TestMerchant;
    beforeEach(async () => {
      receiver.received.length = 0;
      merchant = await service().newMerchant();
    });
    /** Checks that the newest message is signed by exactly these secrets. */
    const assertSignedBy = (...secrets: string[]): void => {
      const { body, headers } = receiver.received.at(-1) ?? assert.fail('nothing received');
      assert.equal(String(headers['webhook-signature']).split(' ').length, secrets.length);
      for (const secret of secrets) new Webhook(secret).verify(body, headers as Record<string, string>);
    };
    const arrival = (count: number): Promise<unknown> => until(() => receiver.received.length === count);

    it('are in the database only encrypted, and sign messages, also the former one after a rotation', async () => {
      const endpoint = await addEndpoint(service(), merchant.id, receiver.url);
      await createCampaign(service(), merchant);
      await arrival(1);
      assertSignedBy(endpoint.plainSecret);
      const rotated = await rotate(service(), endpoint);
      await createCampaign(service(), merchant);
      await arrival(2);
      assertSignedBy(rotated, endpoint.plainSecret);
      const stored = JSON.stringify(await service().database.all(readTable));
      for (const part of [endpoint.plainSecret, rotated].flatMap(partsOf))
        assert.ok(!stored.includes(part), part);
      const { secret, former_secret: former } = await read(service().database, endpoint);
      for (const value of [secret, former]) assert.match(value ?? '', /^enc:[0-9a-f]{8}:[\w-]+$/);
    });

    it('are refused in the row of another webhook, of another merchant, or as a text', async () => {
      const { database } = service();
      const { secrets } = service().endpointChange();
      const [mine, theirs] = [
        await addEndpoint(service(), merchant.id, receiver.url),
        await addEndpoint(service(), (await service().newMerchant()).id, receiver.url),
      ];
      const row = await read(database, mine);
      assert.deepEqual(await secrets.decrypt(row, service().now()), [mine.plainSecret]);
      for (const moved of [
        { ...theirs, secret: row.secret },
        { ...row, merchant_id: -row.merchant_id },
        { ...row, secret: `${row.secret.slice(0, -5)}AAAAA` },
      ])
        await assert.rejects(
          secrets.decrypt(moved, service().now()),
          /was changed, or belongs to another row/,
        );
    });

    it('of a row that was changed delay only its own messages', async () => {
      const [changed, intact] = [
        await addEndpoint(service(), merchant.id, receiver.url),
        await addEndpoint(service(), merchant.id, receiver.url),
      ];
      await change(service().database, changed, (await read(service().database, intact)).secret);
      await createCampaign(service(), merchant);
      await arrival(1);
      assertSignedBy(intact.plainSecret);
      await until(() => service().log.some((line) => line.includes('belongs to another row')));
      assert.equal(receiver.received.length, 1);
      await change(service().database, changed, changed.secret);
      await service().database.transaction((connection) =>
        connection.run(setLeaseUntil, { id: changed.id, until: 0 }),
      );
      await arrival(2);
      assertSignedBy(changed.plainSecret);
    });

    it('that another node encrypted with a newer key are decrypted after reading the file again', async () => {
      const endpoint = await addEndpoint(service(), merchant.id, receiver.url);
      const { encryptionKeyFile: file } = service().config;
      const kept = `${file}.kept`;
      await copyFile(file, kept);
      await appendFile(file, `0000000a ${randomBytes(32).toString('base64url')}\n`);
      const rotated = await rotate(service(), endpoint);
      assert.match((await read(service().database, endpoint)).secret, /^enc:0000000a:/);
      await createCampaign(service(), merchant);
      await arrival(1);
      assertSignedBy(rotated, endpoint.plainSecret);
    });

    it('are encrypted in batches if an earlier version stored them as text, and still sign', async () => {
      const { database } = service();
      const { secrets } = service().endpointChange();
      const endpoint = await addEndpoint(service(), merchant.id, receiver.url);
      await rotate(service(), endpoint);
      const many: NewEndpoint[] = [];
      for (let count = 0; count < 12; count += 1) {
        const { id } = await service().newMerchant();
        for (let each = 0; each < 20; each += 1) many.push(await addEndpoint(service(), id, receiver.url));
      }
      const [current, former] = [newSecret(), newSecret()];
      await change(database, endpoint, current, former);
      for (const each of many) await change(database, each, each.plainSecret);
      await createCampaign(service(), merchant);
      await arrival(1);
      assertSignedBy(current, former);
      await Promise.all([encryptStoredSecrets(database, secrets), encryptStoredSecrets(database, secrets)]);
      const row = await read(database, endpoint);
      assert.deepEqual(await secrets.decrypt(row, service().now()), [current, former]);
      assert.deepEqual(await secrets.decrypt(row, service().now() + DAY_MS), [current]);
      for (const each of many)
        assert.deepEqual(await secrets.decrypt(await read(database, each), service().now()), [
          each.plainSecret,
        ]);
      assert.ok(!JSON.stringify(await database.all(readTable)).includes('whsec_'));
    });
  });

  describe('the key file', () => {
    it('is created with the first webhook, and a restarted service keeps it', async (t) => {
      const { start, newDirectory } = await onOneDatabase(t, engine);
      const directory = await newDirectory();
      const first = await start(directory);
      const { encryptionKeyFile: file } = first.config;
      assert.equal(file, join(directory, 'encryption.keys'));
      assert.deepEqual(await readKeyFile(file), []);
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
      await addEndpoint(service, id, receiver.url);
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
      await refused(/does not exist, but the key [0-9a-f]{8} encrypts .* from another node or from a backup/);
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
      const created = await Promise.all(services.map((service) => addEndpoint(service, id, receiver.url)));
      assert.equal((await readKeyFile(join(other, 'my.keys'))).length, 1);
      for (const [index, endpoint] of created.entries()) {
        const reader = services[1 - index] ?? assert.fail();
        const { secrets } = reader.endpointChange();
        const row = await read(reader.database, endpoint);
        assert.deepEqual(await secrets.decrypt(row, reader.now()), [endpoint.plainSecret]);
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
      nodes.map((node, index) => addEndpoint(node, merchants[index]?.id ?? 0, 'https://shop.example/')),
    );
    const loser = results.findIndex(({ status }) => status === 'rejected');
    assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    const { reason } = results[loser] as PromiseRejectedResult;
    assert.ok(reason instanceof KeyFileUnusable, String(reason));
    const [file, other] = [loser, 1 - loser].map((index) => nodes[index]?.config.encryptionKeyFile ?? '');
    assert.match(reason.message, /does not exist, but the key [0-9a-f]{8} encrypts/);
    assert.ok(reason.message.includes(file ?? ''));
    await copyFile(other ?? '', file ?? '');
    await addEndpoint(nodes[loser] ?? assert.fail(), merchants[loser]?.id ?? 0, 'https://shop.example/');
  });

  it('of two nodes that encrypt stored secrets at once, only one creates a key', async (t) => {
    const { start, newDirectory } = await onOneDatabase(t, engine);
    const first = await start(await newDirectory());
    const { id } = await first.newMerchant();
    const endpoint = await addEndpoint(first, id, 'https://shop.example/');
    await change(first.database, endpoint, endpoint.plainSecret);
    const secrets = await Promise.all(
      Array.from({ length: 2 }, async () => {
        const encryption = new Encryption({
          file: join(await newDirectory(), 'encryption.keys'),
          onCreated: () => {},
        });
        return new EndpointSecrets(encryption, first.database.dialect);
      }),
    );
    const results = await Promise.allSettled(
      secrets.map((each) => encryptStoredSecrets(first.database, each)),
    );
    const row = await read(first.database, endpoint);
    const readable = await Promise.allSettled(secrets.map((each) => each.decrypt(row, 0)));
    assert.deepEqual(readable.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    assert.deepEqual(
      readable.map(({ status }) => status),
      results.map(({ status }) => status),
    );
  });
});
