import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { chown } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import {
  copyOfBinaries,
  installedBinaries,
  unprivilegedAccount,
} from '../../test/support/postgres/binaries.ts';
import {
  freePort,
  initializeCluster,
  type Programs,
  startServer,
} from '../../test/support/postgres/programs.ts';
import { dataRoot } from './engine.ts';

const USER = 'tradepost';
const directory = join(dataRoot, 'postgres');
const data = join(directory, 'data');
/** The usual tuning for a machine with no other work. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'on',
  synchronous_commit: 'on',
  shared_buffers: '1GB',
  effective_cache_size: `${Math.floor(totalmem() / 2 ** 31)}GB`,
  max_wal_size: '8GB',
  jit: 'off',
};
/** The kernel stops the server when this process ends in any way. */
const STOP_WITH_PARENT = ['setpriv', '--pdeathsig', 'INT'];

export interface PostgresServer extends AsyncDisposable {
  url: string;
  /** Undefined if the server was not started here. */
  pid: number | undefined;
}

/** Connects to BENCH_DATABASE_URL, or starts a server whose data is kept between runs. */
export async function startPostgres(): Promise<PostgresServer> {
  const { BENCH_DATABASE_URL: external } = process.env;
  if (external) return { url: external, pid: undefined, [Symbol.asyncDispose]: async () => {} };
  mkdirSync(directory, { recursive: true });
  const account = await unprivilegedAccount();
  if (account !== undefined) await chown(directory, account.uid, account.gid);
  const bin = account === undefined ? installedBinaries() : await copyOfBinaries(directory);
  const password = await ensureCluster({ bin, account, directory });
  const port = await freePort();
  const server = startServer(
    { bin, account, directory },
    data,
    { ...SETTINGS, port: String(port) },
    STOP_WITH_PARENT,
  );
  await server.ready;
  return {
    url: `postgres://${USER}:${password}@127.0.0.1:${port}/postgres`,
    pid: server.process.pid,
    [Symbol.asyncDispose]: async () => {
      server.process.kill('SIGINT');
      await server.ended;
    },
  };
}

/** Resolves to the cluster's password. */
async function ensureCluster(programs: Programs): Promise<string> {
  const passwordFile = join(directory, 'password');
  if (!existsSync(data)) {
    const draft = `${data}.unfinished`;
    rmSync(draft, { recursive: true, force: true });
    await initializeCluster(programs, draft, { user: USER, password: crypto.randomUUID() });
    renameSync(draft, data);
  }
  return readFileSync(passwordFile, 'utf8');
}
