import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { parsePostgresAddress } from '../../src/database/postgres/address.ts';
import { Pool } from '../../src/database/postgres/pool.ts';
import { until } from '../support/until.ts';

const RESPONSE_DELAY_MS = 200;

it('a closed pool rejects queries that wait for a connection, and opens no more connections', async (t) => {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => {});
    socket.on('data', async () => {
      await pause(RESPONSE_DELAY_MS);
      // Reports that the server has no TLS. The connection is established only now.
      socket.write('N');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const bound = server.address();
  assert(typeof bound === 'object' && bound !== null);
  const address = parsePostgresAddress(`postgres://user@127.0.0.1:${bound.port}/database`);
  const [host] = address.hosts;
  assert(host !== undefined);
  const pool = new Pool(address, host, () => {});
  const rejected = assert.rejects(Promise.resolve(pool.sql.unsafe('SELECT 1')), {
    code: 'ECONNABORTED',
  });
  await until(() => connections > 0);
  // This also holds during the grace period for queries in progress.
  await pool.end(2 * RESPONSE_DELAY_MS);
  await rejected;
  await pause(2 * RESPONSE_DELAY_MS);
  assert.equal(connections, 1);
});
