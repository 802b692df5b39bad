import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { it } from 'node:test';
import postgres, { type Sql } from 'postgres';
import { expectStartFailure } from '../support/expect.ts';
import { createDatabase } from '../support/postgres/databases.ts';
import {
  type CommandResult,
  type Owner,
  ServerProcess,
  temporaryDirectory,
  tradepost,
} from '../support/process.ts';
import { runCommand } from './run-command.ts';

const SECRET = 's3cret';

type Run = (environment: Record<string, string>) => Promise<CommandResult>;
const serve: Run = (environment) => tradepost(['serve'], environment);
const listMerchants: Run = (environment) => runCommand(['merchants', 'list'], environment);

/** The command fails with one line that names the reason but not the password. */
async function expectFailure(t: Owner, url: string, message: RegExp, run = listMerchants): Promise<void> {
  const environment = { DATA_DIR: await temporaryDirectory(t), DATABASE_URL: url, PORT: '0' };
  const ended = await run(environment);
  expectStartFailure(ended, message);
  assert.equal(ended.stderr.includes(SECRET), false);
}

it('rejects an invalid address and an unknown parameter', async (t) => {
  await expectFailure(
    t,
    `postgres://user:${SECRET}@db 1:x/shop`,
    /DATABASE_URL cannot be used: invalid host/,
  );
  await expectFailure(
    t,
    `postgres://user:${SECRET}@db1/shop?ssl=on`,
    /DATABASE_URL cannot be used: unknown parameter ssl/,
    serve,
  );
});

it('rejects a server that is too old', async (t) => {
  const url = new URL(await createDatabase());
  const sql = postgres(url.href, { max: 1 });
  const [row] = await sql`SELECT current_setting('server_version_num') AS version`;
  await sql.end();
  const newer = { host: url.hostname, port: Number(url.port || 5432) };
  // Reports PostgreSQL 14.
  const old = createServer((socket) => {
    const server = connect(newer);
    for (const side of [socket, server]) side.on('error', () => {});
    socket.pipe(server);
    server.on('data', (data: Buffer) =>
      socket.write(Buffer.from(data.toString('latin1').replace(row?.version, '140012'), 'latin1')),
    );
    server.on('close', () => socket.destroy());
    socket.on('close', () => server.destroy());
  }).listen(0, '127.0.0.1');
  await once(old, 'listening');
  t.after(() => old.close());
  url.host = `127.0.0.1:${(old.address() as AddressInfo).port}`;
  await expectFailure(t, url.href, /127\.0\.0\.1:\d+ is PostgreSQL 14\. Version 15 or newer is required/);
});

it('rejects a database whose encoding is not UTF-8', async (t) => {
  await expectFailure(
    t,
    await createDatabase("ENCODING 'LATIN1' LOCALE 'C'"),
    /has the encoding LATIN1\. Create it/,
  );
});

it('exits if it cannot listen on its ports', async (t) => {
  const DATABASE_URL = await createDatabase();
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  t.after(() => taken.close());
  const { port } = taken.address() as AddressInfo;
  for (const [settings, message] of [
    [{ PORT: String(port) }, /^tradepost: PORT is \d+, which is in use/m],
    [
      { PORT: '0', OPERATOR_ADDRESS: `127.0.0.1:${port}` },
      /^tradepost: OPERATOR_ADDRESS is \S+, which cannot be/m,
    ],
  ] as const) {
    const environment = { DATA_DIR: await temporaryDirectory(t), DATABASE_URL, METRICS_ADDRESS: 'off' };
    const { status, stderr } = await tradepost(['serve'], { ...environment, ...settings });
    assert.equal(status, 1);
    assert.match(stderr, message);
  }
});

it('waits for the database server to come up, and then serves', async (t) => {
  const url = new URL(await createDatabase());
  const target = { host: url.hostname, port: Number(url.port) };
  // A proxy to the server, on a port that stays closed at first.
  const proxy = createServer((socket) => {
    const server = connect(target);
    socket.pipe(server).pipe(socket);
    for (const end of [socket, server])
      end.on('error', () => socket.destroy(server.destroy().errored ?? undefined));
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  proxy.close();
  await once(proxy, 'close');
  t.after(() => proxy.close());
  url.host = `127.0.0.1:${port}`;

  const environment = { DATA_DIR: await temporaryDirectory(t), DATABASE_URL: url.href, DATABASE_WAIT: '60' };
  const server = await ServerProcess.start(t, environment, async (log) => {
    await log.line('Waiting for the database server');
    proxy.listen(port, '127.0.0.1');
  });
  assert.equal(server.log.lines.filter((line) => line.includes('Waiting for the database server')).length, 1);
  assert.deepEqual(await server.end('SIGTERM'), [0, null]);
});

async function createUser(t: Owner, sql: Sql): Promise<string> {
  const name = `tradepost_test_${randomUUID().replaceAll('-', '')}`;
  await sql.unsafe(`CREATE ROLE ${name} LOGIN PASSWORD '${SECRET}'`);
  t.after(async () => {
    await sql.unsafe(`DROP OWNED BY ${name}`);
    await sql.unsafe(`DROP ROLE ${name}`);
    await sql.end();
  });
  return name;
}

it('rejects a user who cannot create tables, until the tables exist and the user has access to them', async (t) => {
  const url = await createDatabase();
  const sql = postgres(url, { max: 1 });
  const user = await createUser(t, sql);
  const limited = new URL(url);
  Object.assign(limited, { username: user, password: SECRET });
  await expectFailure(
    t,
    limited.href,
    /server rejected a statement: permission denied for schema public\.$/m,
    serve,
  );

  const migrated = await runCommand(['migrate'], {
    DATA_DIR: await temporaryDirectory(t),
    DATABASE_URL: url,
  });
  assert.equal(migrated.status, 0, migrated.stderr);
  await expectFailure(
    t,
    limited.href,
    /server rejected a statement: permission denied for table tradepost_migrations\.$/m,
  );

  await sql.unsafe(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${user}`);
  const environment = { DATA_DIR: await temporaryDirectory(t), DATABASE_URL: limited.href };
  const created = await runCommand(['merchants', 'create', '--name', 'Acme'], environment);
  assert.equal(created.status, 0, created.stderr);
  assert.deepEqual(await (await ServerProcess.start(t, environment)).end('SIGTERM'), [0, null]);
});
