/**
 * A PostgreSQL server, as a process that is forked: it sends its address, or why there is none, and lasts
 * until whoever forked it disconnects or is no more, however that came about.
 */
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { copyOfBinaries, installedBinaries, unprivilegedAccount } from './postgres-binaries.ts';
import type { Started } from './postgres-server.ts';

const USER = 'tradepost';
// Where databases sort as people do, a query that leaves the order of text to them shows itself.
const LOCALE = ['--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en-US'];
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '300',
  shared_buffers: '64MB',
  fsync: 'off',
  full_page_writes: 'off',
};
const LINES_KEPT = 20;

const stop = new AbortController();
process.once('disconnect', () => stop.abort());

const directory = await mkdtemp(join(tmpdir(), 'tradepost-postgres-'));
try {
  await serve();
} catch (error) {
  if (!stop.signal.aborted) tell({ failure: error instanceof Error ? error.message : 'unknown error' });
} finally {
  await rm(directory, { recursive: true, force: true, maxRetries: 10 });
}
if (process.connected) process.disconnect?.();

function tell(started: Started): void {
  process.send?.(started);
}

async function serve(): Promise<void> {
  const account = await unprivilegedAccount();
  const bin = account === undefined ? installedBinaries() : await copyOfBinaries(directory);
  const [data, passwordFile] = [join(directory, 'data'), join(directory, 'password')];
  const password = randomBytes(16).toString('hex');
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (account !== undefined) {
    for (const path of [directory, passwordFile]) await chown(path, account.uid, account.gid);
  }
  const options = { ...account, cwd: directory, env: { ...process.env, LC_ALL: 'C' } };
  const user = [`--username=${USER}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
  const flags = [`--pgdata=${data}`, ...user, ...LOCALE, '--no-sync', '--no-instructions'];
  await promisify(execFile)(join(bin, 'initdb'), flags, { ...options, signal: stop.signal });

  const port = await freePort();
  const settings = Object.entries({ ...SETTINGS, port }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const server = spawn(join(bin, 'postgres'), ['-D', data, ...settings], {
    ...options,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  // Ends it at once: what it holds is thrown away.
  stop.signal.addEventListener('abort', () => server.kill('SIGQUIT'));
  const url = `postgres://${USER}:${password}@127.0.0.1:${port}/postgres`;
  const [lastLines] = await Promise.all([follow(server.stderr, url), once(server, 'close')]);
  if (!stop.signal.aborted) throw new Error(`PostgreSQL ended by itself:\n${lastLines.join('\n')}`);
}

/** Tells the address once the server says that it is ready; resolves to the last lines that it said. */
async function follow(log: Readable, url: string): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of createInterface({ input: log })) {
    if (line.endsWith('database system is ready to accept connections')) tell({ url });
    lines.push(line);
    if (lines.length > LINES_KEPT) lines.shift();
  }
  return lines;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
