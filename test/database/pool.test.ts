import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { parsePostgresAddress } from '../../src/database/postgres/address.ts';
import { Pool } from '../../src/database/postgres/pool.ts';

const ANSWER_AFTER_MS = 200;

it('an ended pool refuses what waits for a connection, and connects no more', async (t) => {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => {});
    socket.on('data', async () => {
      await pause(ANSWER_AFTER_MS);
      // That it has no TLS: the connection is made only now.
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
  const refused = assert.rejects(Promise.resolve(pool.sql.unsafe('SELECT 1')));
  while (connections === 0) await pause(10);
  // Also while it still lets end what is under way.
  await pool.end(2 * ANSWER_AFTER_MS);
  await refused;
  await pause(2 * ANSWER_AFTER_MS);
  assert.equal(connections, 1);
});
