import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

export interface Programs {
  bin: string;
  account: { uid: number; gid: number } | undefined;
  directory: string;
}

const LINES_KEPT = 20;
/** Makes the kernel end a program when this process ends for any reason. */
export const EXIT_WITH_PARENT = process.platform === 'linux' ? ['setpriv', '--pdeathsig', 'QUIT'] : [];

/** @throws if the exit status is not 0 */
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

/** Only the programs' account can read it. */
export async function writeOwned({ account }: Programs, path: string, content: string): Promise<void> {
  await writeFile(path, content, { mode: 0o600 });
  if (account !== undefined) await chown(path, account.uid, account.gid);
}

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

/** `ready` resolves when it accepts connections; `ended` resolves to its last lines. */
export interface RunningServer {
  process: ChildProcess;
  ready: Promise<void>;
  ended: Promise<string[]>;
}

/** `prefix` is prepended to the command line. */
export function startServer(
  { bin, account, directory }: Programs,
  data: string,
  settings: Record<string, string>,
  prefix: string[] = [],
): RunningServer {
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const [program = '', ...rest] = [...prefix, join(bin, 'postgres'), '-D', data, ...flags];
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
    ready.reject(new Error(`PostgreSQL ended unexpectedly:\n${lines.join('\n')}`));
    return lines;
  });
  ready.promise.catch(() => {});
  return { process: server, ready: ready.promise, ended };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
