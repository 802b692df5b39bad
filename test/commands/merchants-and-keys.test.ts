import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { crc32 } from 'node:zlib';
import type { MerchantSummary } from '../../src/merchants/list-merchants.ts';
import { type Engine, forEachEngine } from '../support/engines.ts';
import { type CommandResult, ServerProcess, temporaryDirectory, tradepost } from '../support/process.ts';
import { startTestService } from '../support/service.ts';
import { runCommand } from './run-command.ts';

async function newProgram(t: TestContext, engine: Engine) {
  const environment = { DATA_DIR: await temporaryDirectory(t), ...(await engine.environment()) };
  const run = (line: string, input = ''): Promise<CommandResult> =>
    runCommand(line.split(' '), environment, { input });
  const runJson = async <Shape>(line: string, input?: string): Promise<Shape> => {
    const { status, stdout, stderr } = await run(`${line} --json`, input);
    assert.equal(status, 0, stderr);
    assert.equal(stderr, '');
    return JSON.parse(stdout) as Shape;
  };
  return { environment, run, runJson };
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function inBase62(number: number): string {
  return Array.from({ length: 6 }, (_, index) => DIGITS[Math.floor(number / 62 ** (5 - index)) % 62]).join(
    '',
  );
}

function expectFailure({ status, stdout, stderr }: CommandResult, message: RegExp): void {
  assert.equal(status, 1);
  assert.equal(stdout, '');
  assert.match(stderr, /^[^\n]+\n$/);
  assert.match(stderr, message);
}

forEachEngine((engine) => {
  it('merchants create prints the ID and a token that works, and list prints no token', async (t) => {
    const { environment, run, runJson } = await newProgram(t, engine);
    const created = await runJson<{ id: number; access_token: string }>(
      'merchants create --name Acme --email shop@acme.example --time-zone Europe/Vienna',
    );
    assert.equal(created.id, 1);
    const [, random = '', checksum] =
      /^tp_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/.exec(created.access_token) ?? [];
    assert.equal(checksum, inBase62(crc32(random)), created.access_token);
    const listed = await run('merchants list --json');
    assert.equal(listed.stdout.includes(created.access_token), false);
    const [{ created_at, ...merchant }] = JSON.parse(listed.stdout);
    assert.deepEqual(merchant, {
      id: 1,
      external_id: '1',
      name: 'Acme',
      email: 'shop@acme.example',
      time_zone: 'Europe/Vienna',
      currency: 'USD',
      state: 'active',
      suspension_reason: null,
      request_limit: null,
      product_limit: null,
    });
    assert.match(created_at, /^\d{4}-\d{2}-\d{2}T.*Z$/);

    await using service = await startTestService({ ...engine, environment: async () => environment });
    assert.equal((await service.get('/products.json', { token: created.access_token })).status, 200);
  });

  it('merchants create rejects a name that is taken or looks like an ID, and an invalid email or time zone', async (t) => {
    const { run } = await newProgram(t, engine);
    assert.equal((await run('merchants create --name Acme')).status, 0);
    expectFailure(await run('merchants create --name Acme'), /merchant named "Acme" already/);
    expectFailure(await run('merchants create --name 12'), /"12" looks like an id/);
    expectFailure(
      await run('merchants create --name B --time-zone Mars/Base'),
      /"Mars\/Base" is not a time zone/,
    );
    expectFailure(await run('merchants create --name B --email nobody'), /"nobody" is not an email address/);
    assert.equal((await run('merchants create --name')).status, 1);
    assert.equal((await run('merchants create')).status, 1);
    assert.equal(JSON.parse((await run('merchants list --json')).stdout).length, 1);
  });

  it('merchants create and change give any external ID but the ones of merchants that register themselves', async (t) => {
    const { run, runJson } = await newProgram(t, engine);
    const reserved = 'registered:7d0a9f57';
    const refusal = /External IDs that begin with "registered:" are reserved/;
    expectFailure(await run(`merchants create --name Acme --external-id ${reserved}`), refusal);
    await runJson('merchants create --name Acme');
    expectFailure(await run(`merchants change Acme --external-id ${reserved}`), refusal);
    const changed = await runJson<{ external_id: string }>('merchants change Acme --external-id seller-1');
    assert.equal(changed.external_id, 'seller-1');
    const limits = await runJson<MerchantSummary>(
      'merchants change Acme --request-limit 600 --product-limit 50',
    );
    assert.deepEqual([limits.request_limit, limits.product_limit], [600, 50]);
    const cleared = await runJson<MerchantSummary>('merchants change Acme --request-limit none');
    assert.deepEqual([cleared.request_limit, cleared.product_limit], [null, 50]);
    expectFailure(await run('merchants change Acme --product-limit all'), /Expected a whole number from 1/);
  });

  it('keys are created, imported, listed without their tokens, and revoked', async (t) => {
    const { environment, run, runJson } = await newProgram(t, engine);
    await runJson('merchants create --name Acme');
    const created = await runJson<{ id: string; access_token: string }>(
      'keys create --merchant Acme --name ERP --expires-in 90d',
    );
    const own = 'token-from-elsewhere-1234';
    const command = 'keys import --merchant 1 --name old --json';
    const { stdout } = await tradepost(command.split(' '), environment, { input: `${own}\nnot this\n` });
    const imported = JSON.parse(stdout) as { id: string };

    const server = await ServerProcess.start(t, environment);
    const statusOf = async (token: string): Promise<number> =>
      (await server.client.request('GET', `/v1/products.json?access_token=${token}`)).status;
    assert.equal(await statusOf(created.access_token), 200);
    assert.equal(await statusOf(own), 200);

    const listed = await run('keys list --merchant Acme --json');
    assert.equal(listed.stdout.includes(created.access_token) || listed.stdout.includes(own), false);
    const keys: { id: string; name: string; state: string; expires_at: string | null }[] = JSON.parse(
      listed.stdout,
    );
    assert.deepEqual(
      keys.map(({ id, name, state }) => [id, name, state]),
      [
        ['1-1', 'default', 'active'],
        [created.id, 'ERP', 'active'],
        [imported.id, 'old', 'active'],
      ],
    );
    const [, { expires_at = null } = {}] = keys;
    const days = (Date.parse(String(expires_at)) - Date.now()) / 86_400_000;
    assert.ok(days > 89.9 && days <= 90);

    assert.deepEqual(await runJson(`keys revoke ${created.id}`), { id: created.id, state: 'revoked' });
    assert.equal(await statusOf(created.access_token), 401);
    assert.equal(await statusOf(own), 200);
    await server.end('SIGTERM');
    assert.match((await run('keys list --merchant Acme')).stdout, /ERP +revoked/);
  });

  it('test keys are created, imported, listed under their merchant, and revoked, apart from live ones', async (t) => {
    const { environment, run, runJson } = await newProgram(t, engine);
    await runJson('merchants create --name Acme');
    const created = await runJson<{ id: string; access_token: string }>(
      'keys create --merchant Acme --name Trial --test',
    );
    const own = 'tpt_from-elsewhere-1234';
    const imported = await runJson<{ id: string }>('keys import --merchant 1 --name old --test', own);
    assert.deepEqual([created.id, imported.id], ['1-t1', '1-t2']);
    assert.match(created.access_token, /^tpt_[0-9A-Za-z]{38}$/);
    expectFailure(await run('keys import --merchant 1 --name N', `${own}5`), /need --test/);
    expectFailure(await run('keys import --merchant 1 --name N --test', 'tp_from-elsewhere'), /need --test/);

    await using service = await startTestService({ ...engine, environment: async () => environment });
    const modeOf = async (token: string): Promise<string> =>
      (await service.get('/account', { token })).json<{ mode: string }>().mode;
    assert.deepEqual([await modeOf(created.access_token), await modeOf(own)], ['test', 'test']);
    const keys = await runJson<{ id: string; mode: string }[]>('keys list --merchant Acme');
    assert.deepEqual(
      keys.map(({ id, mode }) => [id, mode]),
      [
        ['1-1', 'live'],
        ['1-t1', 'test'],
        ['1-t2', 'test'],
      ],
    );
    assert.deepEqual(await runJson('keys revoke 1-t1'), { id: '1-t1', state: 'revoked' });
    assert.equal((await service.get('/account', { token: created.access_token })).status, 401);

    assert.equal((await runJson<unknown[]>('merchants list')).length, 1);
    expectFailure(await run('keys list --merchant -1'), /no merchant "-1"|unknown option/);
    assert.equal((await runJson<{ id: number }>('merchants create --name Other')).id, 2);
  });

  it('lists show names without terminal control characters', async (t) => {
    const { environment, run } = await newProgram(t, engine);
    await run('merchants create --name Acme');
    const name = '\u001b]0;owned\u0007\u009b31m\r\nred\u202e';
    const create = ['keys', 'create', '--merchant', 'Acme', '--name', name, '--json'];
    assert.equal((await runCommand(create, environment)).status, 0);
    const { stdout } = await run('keys list --merchant Acme');
    assert.match(stdout, /\ufffd\]0;owned\ufffd\ufffd31m\ufffd\ufffdred\ufffd/);
    assert.doesNotMatch(stdout.replaceAll('\n', ''), /[\p{Cc}\p{Bidi_Control}]/u);
    assert.equal(JSON.parse((await run('keys list --merchant Acme --json')).stdout)[1].name, name);
  });

  it('keys create --fields original makes a key for the fields of the original API', async (t) => {
    const { run } = await newProgram(t, engine);
    await run('merchants create --name Acme');
    assert.equal((await run('keys create --merchant Acme --name Old --fields original')).status, 0);
    expectFailure(await run('keys create --merchant Acme --name Old --fields all'), /--fields/);
    const keys = JSON.parse((await run('keys list --merchant Acme --json')).stdout);
    assert.deepEqual(
      keys.map(({ fields }: { fields: string }) => fields),
      ['standard', 'original'],
    );
  });

  it('keys create gives access to names and addresses of customers, stock alone and webhooks only if chosen', async (t) => {
    const { run } = await newProgram(t, engine);
    await run('merchants create --name Acme');
    await run('keys create --merchant Acme --name ERP');
    await run('keys create --merchant Acme --name Labels --scope orders,customers');
    await run('keys create --merchant Acme --name Counter --scope stock');
    await run('keys create --merchant Acme --name Hooks --scope webhooks,read');
    expectFailure(
      await run('keys create --merchant Acme --name N --scope stocks'),
      /--scope is "stocks": expected one or more of read, write, stock, .*, customers, webhooks, separated/,
    );
    const keys = JSON.parse((await run('keys list --merchant Acme --json')).stdout);
    const usual = ['read', 'write', 'campaigns', 'orders', 'fulfillment'];
    assert.deepEqual(
      keys.map(({ scopes }: { scopes: string[] }) => scopes),
      [usual, usual, ['orders', 'customers'], ['stock'], ['read', 'webhooks']],
    );
  });

  it('keys rejects unknown merchants and keys, tokens that are taken or malformed, and invalid times', async (t) => {
    const { run } = await newProgram(t, engine);
    await run('merchants create --name Acme');
    expectFailure(await run('keys create --merchant Other --name N'), /no merchant "Other"/);
    expectFailure(await run('keys list --merchant 7'), /no merchant "7"/);
    for (const id of ['1-9', '9-1', 'x', '1'])
      expectFailure(await run(`keys revoke ${id}`), new RegExp(`no key "${id}"`));
    for (const time of ['90', '0d', '-1d', 'd', '1y']) {
      expectFailure(
        await run(`keys create --merchant Acme --name N --expires-in=${time}`),
        /--expires-in is ".*": expected/,
      );
    }
    for (const token of ['', 'short', 'two words of a token', 'x'.repeat(256)]) {
      expectFailure(await run('keys import --merchant Acme --name N', token), /16 to 255 visible ASCII/);
    }
    assert.equal((await run('keys import --merchant Acme --name N', 'x'.repeat(16))).status, 0);
    expectFailure(await run('keys import --merchant Acme --name N', 'x'.repeat(16)), /already in use/);
    assert.equal(JSON.parse((await run('keys list --merchant Acme --json')).stdout).length, 2);
  });
});

it('an invalid command line exits with 1, and --help with 0', async (t) => {
  const DATA_DIR = await temporaryDirectory(t);
  const run = (line: string): Promise<CommandResult> => runCommand(line.split(' '), { DATA_DIR });
  for (const line of [
    'nonsense',
    'keys',
    'merchants create --nam X',
    'import products',
    'export products --format xml',
  ]) {
    const { status, stdout, stderr } = await run(line);
    assert.equal(status, 1, line);
    assert.equal(stdout, '');
    assert.match(stderr, /./);
  }
  const { status, stdout } = await run('--help');
  assert.equal(status, 0);
  for (const command of ['serve', 'migrate', 'merchants', 'keys', 'import', 'export'])
    assert.ok(stdout.includes(command));
});
