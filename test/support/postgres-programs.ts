import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

/** PostgreSQL's programs, and who runs them where. */
export interface Programs {
  bin: string;
  /** Undefined where it is whoever runs this. */
  account: { uid: number; gid: number } | undefined;
  /** Where it may write. */
  directory: string;
}

const LINES_KEPT = 20;
/** What makes the kernel end a program with this process, however that ends: put before its command line. */
export const END_WITH_US = process.platform === 'linux' ? ['setpriv', '--pdeathsig', 'QUIT'] : [];

/** Runs one of them to its end. @throws where its status is not 0 */
export async function runProgram(
  { bin, account, directory }: Programs,
  name: string,
  flags: string[],
  { environment = {}, signal }: { environment?: Record<string, string>; signal?: AbortSignal } = {},
): Promise<void> {
  const env = { ...process.env, LC_ALL: 'C', ...environment };
  await promisify(execFile)(join(bin, name), flags, {
    ...account,
    cwd: directory,
    env,
    ...(signal !== undefined && { signal }),
  });
}

/** Writes a file that the programs' account alone can read. */
export async function writeOwned({ account }: Programs, path: string, content: string): Promise<void> {
  await writeFile(path, content, { mode: 0o600 });
  if (account !== undefined) await chown(path, account.uid, account.gid);
}

/** Makes a cluster in `data`, which has one user with a password. */
export async function initializeCluster(
  programs: Programs,
  data: string,
  {
    user,
    password,
    locale = ['--no-locale'],
    signal,
  }: { user: string; password: string; locale?: string[]; signal?: AbortSignal },
): Promise<void> {
  const passwordFile = join(programs.directory, 'password');
  await writeOwned(programs, passwordFile, password);
  const access = [`--username=${user}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
  const flags = [
    `--pgdata=${data}`,
    ...access,
    '--encoding=UTF8',
    ...locale,
    '--no-sync',
    '--no-instructions',
  ];
  await runProgram(programs, 'initdb', flags, signal === undefined ? {} : { signal });
}

/** A server's process: `ready` resolves when it takes connections, `ended` with its last lines when it has ended. */
export interface RunningServer {
  process: ChildProcess;
  ready: Promise<void>;
  ended: Promise<string[]>;
}

/** Starts the server of a cluster. `before` is a command line that runs it. */
export function startServer(
  { bin, account, directory }: Programs,
  data: string,
  settings: Record<string, string>,
  before: string[] = [],
): RunningServer {
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const [program = '', ...rest] = [...before, join(bin, 'postgres'), '-D', data, ...flags];
  const server = spawn(program, rest, {
    ...account,
    cwd: directory,
    env: { ...process.env, LC_ALL: 'C' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ready = Promise.withResolvers<void>();
  const lines: string[] = [];
  createInterface({ input: server.stderr }).on('line', (line) => {
    if (/ready to accept (read-only )?connections$/.test(line)) ready.resolve();
    lines.push(line);
    if (lines.length > LINES_KEPT) lines.shift();
  });
  const ended = once(server, 'close').then(() => {
    ready.reject(new Error(`PostgreSQL ended by itself:\n${lines.join('\n')}`));
    return lines;
  });
  ready.promise.catch(() => {});
  return { process: server, ready: ready.promise, ended };
}

/** A port that nobody has just now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
