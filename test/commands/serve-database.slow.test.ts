import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { parseConfig } from '../../src/config.ts';
import { DatabaseUnusable } from '../../src/database/database.ts';
import { openPostgres } from '../../src/database/postgres/open.ts';
import { forEachEngine, postgres } from '../support/engines.ts';
import { expectStartFailure } from '../support/expect.ts';
import { type CommandResult, temporaryDirectory, tradepost } from '../support/process.ts';
import { execute } from '../support/stored.ts';

const serve = (environment: Record<string, string>): Promise<CommandResult> =>
  tradepost(['serve'], { PORT: '0', ...environment });

forEachEngine((engine) => {
  it('rejects a database of another program, and does not change it', async (t) => {
    const environment = {
      DATA_DIR: await temporaryDirectory(t),
      ...(await engine.environment({ empty: true })),
    };
    await execute(environment, 'CREATE TABLE users (name text)', "INSERT INTO users VALUES ('x')");
    expectStartFailure(await serve(environment), /belongs to another program/);
    assert.deepEqual(await execute(environment), ['users']);
  });

  it('rejects a database of a newer version of itself', async (t) => {
    const environment = { DATA_DIR: await temporaryDirectory(t), ...(await engine.environment()) };
    assert.equal((await tradepost(['migrate'], environment)).status, 0);
    await execute(environment, 'INSERT INTO tradepost_migrations VALUES (999, 0, 999)');
    for (const command of ['serve', 'migrate']) {
      expectStartFailure(
        await tradepost([command], { PORT: '0', ...environment }),
        /schema version 999, but this program supports only \d+/,
      );
    }
  });

  it('exits if the link that sets up the marketplace cannot be stored', async (t) => {
    const environment = { DATA_DIR: await temporaryDirectory(t), ...(await engine.environment()) };
    assert.equal((await tradepost(['migrate'], environment)).status, 0);
    await execute(environment, 'ALTER TABLE user_verifications RENAME TO renamed');
    for (const WORKERS of ['1', '2']) {
      const { status, stderr } = await serve({ ...environment, WORKERS, METRICS_ADDRESS: 'off' });
      assert.equal(status, 1, stderr);
      assert.match(stderr, /^tradepost: /m);
    }
  });
});

it('on sqlite: rejects a file that is not a database, and does not change it', async (t) => {
  const DATA_DIR = await temporaryDirectory(t);
  const file = join(DATA_DIR, 'tradepost.db');
  const letter = 'not a database, but a letter\n'.repeat(100);
  await writeFile(file, letter);
  expectStartFailure(await serve({ DATA_DIR }), /tradepost\.db cannot be used/);
  assert.equal(await readFile(file, 'utf8'), letter);

  const folder = join(DATA_DIR, 'folder');
  await mkdir(join(folder, 'tradepost.db'), { recursive: true });
  expectStartFailure(await serve({ DATA_DIR: folder }), /tradepost\.db cannot be used/);
});

it('on postgres: rejects a wrong password and an unknown database, without printing the password', async (t) => {
  const DATA_DIR = await temporaryDirectory(t);
  const { DATABASE_URL = '' } = await postgres.environment();
  const [wrongPassword, wrongDatabase] = [new URL(DATABASE_URL), new URL(DATABASE_URL)];
  wrongPassword.password = 'not-the-password';
  wrongDatabase.pathname = '/tradepost_nowhere';
  const rejected: [URL, RegExp][] = [
    [wrongPassword, /rejected the connection: password authentication failed for user/],
    [wrongDatabase, /rejected the connection: database "tradepost_nowhere" does not exist/],
  ];
  for (const [{ href, password }, message] of rejected) {
    const ended = await serve({ DATA_DIR, DATABASE_URL: href });
    expectStartFailure(ended, message);
    assert.equal(ended.stderr.includes(password), false);
  }
});

/** New connections get no response or are closed. Resolves to the port. */
async function listen(t: TestContext, onConnection: 'nothing' | 'close'): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    if (onConnection === 'close') socket.once('data', () => socket.end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

it('on postgres: waits for an unavailable server, reports it once, and gives up', async (t) => {
  const DATA_DIR = await temporaryDirectory(t);
  const silent = await listen(t, 'nothing');
  const closing = await listen(t, 'close');
  // Each wait is longer than one attempt takes.
  const unavailable: [commandLine: string, port: number, wait: string, reason: RegExp][] = [
    ['serve', 1, '1', /ECONNREFUSED/],
    ['merchants list', 1, '1', /ECONNREFUSED/],
    ['serve', silent, '4', /it does not respond/],
    ['serve', closing, '1', /it closes new connections/],
  ];
  for (const [commandLine, port, wait, reason] of unavailable) {
    const DATABASE_URL = `postgres://user:secret@127.0.0.1:${port}/tradepost`;
    const environment = { DATA_DIR, DATABASE_URL, DATABASE_WAIT: wait, PORT: '0' };
    const { status, stdout, stderr } = await tradepost(commandLine.split(' '), environment);
    assert.deepEqual([status, stdout], [1, '']);
    const [waiting = '', gaveUp = '', ...rest] = stderr.trimEnd().split('\n');
    assert.match(waiting, new RegExp(`Waiting for the database server at 127\\.0\\.0\\.1:${port}: `));
    assert.match(gaveUp, reason);
    assert.match(gaveUp, new RegExp(`^tradepost: .* gave up after ${wait} s \\(DATABASE_WAIT\\)\\.$`));
    assert.deepEqual(rest, []);
    assert.equal(stderr.includes('secret'), false);
  }
});

it('on postgres: gives up when DATABASE_WAIT is over', async (t) => {
  for (const port of [1, await listen(t, 'nothing'), await listen(t, 'close')]) {
    const DATABASE_URL = `postgres://user:secret@127.0.0.1:${port}/tradepost`;
    const { postgres: address, databaseWaitMs } = parseConfig({ DATABASE_URL, DATABASE_WAIT: '1' });
    assert.ok(address);
    const startedAt = performance.now();
    const opening = openPostgres(address, { waitMs: databaseWaitMs, onWaiting: () => {} });
    await assert.rejects(opening, DatabaseUnusable);
    const waitedMs = performance.now() - startedAt;
    assert.ok(waitedMs > databaseWaitMs, `${waitedMs} ms`);
    // One attempt at a server that does not respond takes some seconds itself.
    assert.ok(waitedMs < databaseWaitMs + 15_000, `${waitedMs} ms`);
  }
});
