/** A forked process with a server. It sends the URL, or why the start failed, and ends with its parent. */
import { randomBytes } from 'node:crypto';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyOfBinaries, installedBinaries, unprivilegedAccount } from './binaries.ts';
import { freePort, initializeCluster, startServer } from './programs.ts';
import type { Started } from './server.ts';

const USER = 'tradepost';
// Another collation than byte order exposes queries that rely on the database's default order.
const LOCALE = ['--locale=C', '--locale-provider=icu', '--icu-locale=en-US'];
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '300',
  shared_buffers: '64MB',
  fsync: 'off',
  full_page_writes: 'off',
};

const stop = new AbortController();
process.once('disconnect', () => stop.abort());

const directory = await mkdtemp(join(tmpdir(), 'tradepost-postgres-'));
try {
  await serve();
} catch (error) {
  if (!stop.signal.aborted) send({ failure: error instanceof Error ? error.message : 'unknown error' });
} finally {
  await rm(directory, { recursive: true, force: true, maxRetries: 10 });
}
if (process.connected) process.disconnect?.();

function send(started: Started): void {
  process.send?.(started);
}

async function serve(): Promise<void> {
  const account = await unprivilegedAccount();
  const bin = account === undefined ? installedBinaries() : await copyOfBinaries(directory);
  if (account !== undefined) await chown(directory, account.uid, account.gid);
  const programs = { bin, account, directory };
  const data = join(directory, 'data');
  const password = randomBytes(16).toString('hex');
  const { signal } = stop;
  await initializeCluster(programs, data, { user: USER, password, locale: LOCALE, signal });

  const port = await freePort();
  signal.throwIfAborted();
  const server = startServer(programs, data, { ...SETTINGS, port: String(port) });
  // Stops the server immediately, because its data is discarded.
  signal.addEventListener('abort', () => server.process.kill('SIGQUIT'));
  server.ready
    .then(() => send({ url: `postgres://${USER}:${password}@127.0.0.1:${port}/postgres` }))
    .catch(() => {});
  const lastLines = await server.ended;
  if (!signal.aborted) throw new Error(`PostgreSQL ended unexpectedly:\n${lastLines.join('\n')}`);
}
