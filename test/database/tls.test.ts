import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { generate } from 'selfsigned';
import { parseConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { statement } from '../../src/database/statement.ts';
import { expectStartFailure } from '../support/expect.ts';
import { PostgresNode } from '../support/postgres/node.ts';
import { type Owner, temporaryDirectory, tradepost } from '../support/process.ts';

const CLIENT = 'client';
// A client with a certificate needs no password. All others do, with or without TLS.
const ACCESS = `hostssl all ${CLIENT} all cert
host all all all scram-sha-256
local all all scram-sha-256
`;
const NO_TLS = /does not support TLS, which the sslmode in DATABASE_URL requires/;
const REJECTED_CERTIFICATE = /its certificate is not accepted: /;

async function createCertificate(name: string): Promise<{ cert: string; private: string }> {
  const extensions = [{ name: 'subjectAltName' as const, altNames: [{ type: 2 as const, value: name }] }];
  return await generate([{ name: 'commonName', value: name }], { keyType: 'ec', extensions });
}

/** Reports, as PostgreSQL does, that it has no TLS. Resolves to its port. */
async function serverWithoutTls(t: Owner): Promise<number> {
  const server = createServer((socket) => socket.once('data', () => socket.write('N')).on('error', () => {}));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

describe('TLS to the database server', () => {
  const cleanUps: (() => unknown)[] = [];
  const lasting: Owner = { after: (cleanUp: () => unknown) => void cleanUps.unshift(cleanUp) };
  let node: PostgresNode;
  let directory: string;
  let clientFiles: string;

  before(async () => {
    directory = await temporaryDirectory(lasting);
    const [server, other, client] = await Promise.all([
      createCertificate('localhost'),
      createCertificate('localhost'),
      createCertificate(CLIENT),
    ]);
    node = await PostgresNode.create(lasting, undefined);
    await node.start({
      unix_socket_directories: dirname(node.data),
      ssl: 'on',
      ssl_cert_file: await node.write('server.pem', server.cert),
      ssl_key_file: await node.write('server-key.pem', server.private),
      ssl_ca_file: await node.write('clients.pem', client.cert),
      hba_file: await node.write('access.conf', ACCESS),
    });
    const files = { 'right.pem': server.cert, 'wrong.pem': other.cert, 'client.pem': client.cert };
    for (const [name, content] of Object.entries({ ...files, 'client-key.pem': client.private }))
      await writeFile(join(directory, name), content);
    clientFiles = `sslcert=${join(directory, 'client.pem')}&sslkey=${join(directory, 'client-key.pem')}`;
    const database = await open(node.url);
    await database.transaction((connection) =>
      connection.run(statement<unknown, never>(`CREATE USER ${CLIENT} SUPERUSER`)),
    );
    await database.close();
  });

  after(async () => {
    for (const cleanUp of cleanUps) await cleanUp();
  });

  const open = (url: string) =>
    openDatabase(parseConfig({ DATA_DIR: directory, DATABASE_URL: url, DATABASE_WAIT: '0' }), Date.now());
  const withHost = (host: string): string => node.url.replace('127.0.0.1', host);
  const trust = (file: string): string => `sslrootcert=${join(directory, file)}`;

  async function session(url: string): Promise<{ tls: number; client: string | null }> {
    const database = await open(url);
    try {
      const sql = `SELECT CASE WHEN ssl THEN 1 ELSE 0 END AS tls, client_dn AS client
        FROM pg_stat_ssl WHERE pid = pg_backend_pid()`;
      const row = await database.first(statement<unknown, { tls: number; client: string | null }>(sql));
      assert(row !== undefined);
      return row;
    } finally {
      await database.close();
    }
  }

  for (const [parameters, tls] of [
    ['', 1],
    ['sslmode=disable', 0],
    ['sslmode=allow', 1],
    ['sslmode=prefer', 1],
    ['sslmode=require', 1],
  ] as const) {
    it(`${tls === 1 ? 'is' : 'is not'} used with "${parameters}"`, async () => {
      assert.equal((await session(`${withHost('localhost')}?${parameters}`)).tls, tls);
    });
  }

  for (const mode of ['require', 'verify-ca', 'verify-full']) {
    it(`${mode} accepts only a certificate signed by the given root`, async () => {
      const url = `${withHost('localhost')}?sslmode=${mode}`;
      assert.equal((await session(`${url}&${trust('right.pem')}`)).tls, 1);
      await assert.rejects(open(`${url}&${trust('wrong.pem')}`), REJECTED_CERTIFICATE);
    });
  }

  it('verify-full rejects a certificate for another name, and verify-ca accepts it', async () => {
    const url = `${withHost('127.0.0.1')}?${trust('right.pem')}`;
    await assert.rejects(open(`${url}&sslmode=verify-full`), REJECTED_CERTIFICATE);
    assert.equal((await session(`${url}&sslmode=verify-ca`)).tls, 1);
  });

  it('verify-full accepts only well-known authorities if no root is given', async () => {
    await assert.rejects(open(`${withHost('localhost')}?sslmode=verify-full`), REJECTED_CERTIFICATE);
  });

  it('is never used on a Unix socket', async () => {
    const host = `${dirname(node.data)}:${node.port}`;
    const url = withHost('').replace(`:${node.port}`, '');
    for (const mode of ['prefer', 'verify-full'])
      assert.equal((await session(`${url}?host=${host}&sslmode=${mode}`)).tls, 0);
  });

  it('names the file that cannot be read', async () => {
    await assert.rejects(
      open(`${node.url}?sslmode=verify-ca&${trust('nowhere.pem')}`),
      /^DatabaseUnusable: DATABASE_URL cannot be used: parameter sslrootcert names a file that cannot be read: .*nowhere\.pem/,
    );
  });

  it('presents a client certificate', async () => {
    const url = `${withHost('localhost').replace(/\/\/.*@/, `//${CLIENT}@`)}?sslmode=require`;
    assert.deepEqual(await session(`${url}&${clientFiles}`), { tls: 1, client: `/CN=${CLIENT}` });
    await assert.rejects(
      open(url),
      /rejected the connection: connection requires a valid client certificate/,
    );
  });

  it('is required if requested: otherwise the database is not opened', async (t) => {
    const plain = await serverWithoutTls(t);
    const url = `postgres://user:secret@127.0.0.1:${plain}/?sslmode=require`;
    await assert.rejects(open(url), NO_TLS);
    await assert.rejects(open(url.replace('require', 'verify-full')), NO_TLS);
  });

  it('otherwise the service exits with status 1, one line and no password', async () => {
    const url = `${withHost('localhost')}?sslmode=verify-full&${trust('wrong.pem')}`;
    const ended = await tradepost(['serve'], { DATA_DIR: directory, DATABASE_URL: url, PORT: '0' });
    expectStartFailure(ended, REJECTED_CERTIFICATE);
    assert.equal(ended.stderr.includes(new URL(url).password), false);
  });
});
