import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { it } from 'node:test';
import postgres, { type Sql } from 'postgres';
import { expectNoStart } from '../support/expect.ts';
import { createDatabase } from '../support/postgres-databases.ts';
import { type Owner, ServerProcess, temporaryDirectory, tradepost } from '../support/process.ts';

const SECRET = 's3cret';
const COMMANDS = ['serve', 'merchants list'];

/** Each command on this database says one line of why it does not run, and not the password. */
async function expectRefusals(t: Owner, url: string, message: RegExp): Promise<void> {
  const environment = { DATA_DIR: await temporaryDirectory(t), DATABASE_URL: url, PORT: '0' };
  for (const command of COMMANDS) {
    const ended = await tradepost(command.split(' '), environment);
    expectNoStart(ended, message);
    assert.equal(ended.stderr.includes(SECRET), false);
  }
}

it('refuses an address that is none, and a parameter that is not known', async (t) => {
  await expectRefusals(
    t,
    `postgres://user:${SECRET}@db 1:x/shop`,
    /DATABASE_URL cannot be used: invalid host/,
  );
  await expectRefusals(
    t,
    `postgres://user:${SECRET}@db1/shop?ssl=on`,
    /DATABASE_URL cannot be used: unknown parameter ssl/,
  );
});

it('refuses a server that is too old', async (t) => {
  const url = new URL(await createDatabase());
  const sql = postgres(url.href, { max: 1 });
  const [row] = await sql`SELECT current_setting('server_version_num') AS version`;
  await sql.end();
  const newer = { host: url.hostname, port: Number(url.port || 5432) };
  // What stands in front of it has it say that it is PostgreSQL 14.
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
  await expectRefusals(t, url.href, /127\.0\.0\.1:\d+ is PostgreSQL 14\. Version 15 or newer is required/);
});

it('refuses a database that cannot hold every text', async (t) => {
  await expectRefusals(
    t,
    await createDatabase("ENCODING 'LATIN1' LOCALE 'C'"),
    /has the encoding LATIN1\. Create it/,
  );
});

it('serves when the server comes up while it waits for it', async (t) => {
  const url = new URL(await createDatabase());
  const target = { host: url.hostname, port: Number(url.port) };
  // Nobody listens yet; what does later passes everything on to the server.
  const place = createServer((socket) => {
    const server = connect(target);
    socket.pipe(server).pipe(socket);
    for (const end of [socket, server])
      end.on('error', () => socket.destroy(server.destroy().errored ?? undefined));
  });
  place.listen(0, '127.0.0.1');
  await once(place, 'listening');
  const { port } = place.address() as AddressInfo;
  place.close();
  await once(place, 'close');
  t.after(() => place.close());
  url.host = `127.0.0.1:${port}`;

  const environment = { DATA_DIR: await temporaryDirectory(t), DATABASE_URL: url.href, DATABASE_WAIT: '60' };
  const server = await ServerProcess.start(t, environment, async (log) => {
    await log.line('Waiting for the database server');
    place.listen(port, '127.0.0.1');
  });
  assert.equal(server.log.lines.filter((line) => line.includes('Waiting for the database server')).length, 1);
  assert.deepEqual(await server.end('SIGTERM'), [0, null]);
});

/** A user who may do no more than connect. */
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

it('refuses a user who may not make tables, until they are there and the user may use them', async (t) => {
  const url = await createDatabase();
  const sql = postgres(url, { max: 1 });
  const user = await createUser(t, sql);
  const lowly = new URL(url);
  Object.assign(lowly, { username: user, password: SECRET });
  await expectRefusals(t, lowly.href, /server rejected a statement: permission denied for schema public\.$/m);

  const migrated = await tradepost(['migrate'], { DATA_DIR: await temporaryDirectory(t), DATABASE_URL: url });
  assert.equal(migrated.status, 0, migrated.stderr);
  await expectRefusals(
    t,
    lowly.href,
    /server rejected a statement: permission denied for table tradepost_migrations\.$/m,
  );

  await sql.unsafe(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${user}`);
  const environment = { DATA_DIR: await temporaryDirectory(t), DATABASE_URL: lowly.href };
  const made = await tradepost(['merchants', 'create', '--name', 'Acme'], environment);
  assert.equal(made.status, 0, made.stderr);
  assert.deepEqual(await (await ServerProcess.start(t, environment)).end('SIGTERM'), [0, null]);
});
