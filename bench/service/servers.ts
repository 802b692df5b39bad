import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { findMerchant } from '../../src/merchants/find-merchant.ts';
import { createKey } from '../../test/support/keys.ts';
import { freePort } from '../../test/support/postgres/programs.ts';
import type { Settings } from '../engines/engine.ts';
import { untilResponse } from '../measuring/client.ts';
import { cpuSecondsOf, residentOf } from '../measuring/cpu-time.ts';

export const program = join(import.meta.dirname, '..', '..', 'bin', 'tradepost.js');

/** As in deploy/systemd and the container, so that memory is measured as in production. */
export const deployed = {
  flags: ['--max-semi-space-size=4'],
  environment: { MALLOC_ARENA_MAX: '1' },
};

export interface Server extends AsyncDisposable {
  baseUrl: string;
  /** Milliseconds from the start to the first response. */
  readyAfter: number;
  /** In MB, of the first process. */
  resident(): number;
  /** In MB, of all processes. */
  residentOfAll(): number;
  cpuSeconds(): number;
}

/** The benchmark sends hundreds of thousands of requests per minute with one key. */
export const NO_LIMITS = {
  RATE_LIMIT: 'off',
  ADDRESS_RATE_LIMIT: 'off',
  AUTH_FAILURE_LIMIT: 'off',
  BUDGETS: 'campaigns_per_day=off,campaign_changes_per_day=off,webhook_attempts_per_day=off',
};

/** The first words of a command line that runs Tradepost. */
export type Command = readonly [string, ...string[]];
export const sources: Command = [process.execPath, ...deployed.flags, program];

/** As in production. Defaults except for the port, log, limits, metrics and `others`. */
export async function serve(
  settings: Settings,
  others: Record<string, string> = {},
  [executable, ...words]: Command = sources,
): Promise<Server> {
  const port = await freePort();
  const environment = {
    ...process.env,
    ...settings,
    PORT: String(port),
    LOG_LEVEL: 'warn',
    ...NO_LIMITS,
    METRICS_ADDRESS: '127.0.0.1:0',
    ...deployed.environment,
    ...others,
  };
  const start = performance.now();
  const child = spawn(executable, [...words, 'serve'], {
    env: environment,
    stdio: 'inherit',
  });
  const baseUrl = `https://127.0.0.1:${port}/v1`;
  await untilResponse(`${baseUrl}/products.json`);
  return { baseUrl, readyAfter: performance.now() - start, ...ownProcess(child) };
}

/** Runs a script of `bench/plain` with the database's certificate. It prints its URL. */
export async function servePlain(
  script: string,
  { DATA_DIR }: Settings,
  ...parameters: string[]
): Promise<Server> {
  const files = [join(DATA_DIR, 'tls-cert.pem'), join(DATA_DIR, 'tls-key.pem')];
  const start = performance.now();
  const path = join(import.meta.dirname, '..', 'plain', script);
  const child = spawn(process.execPath, [path, ...files, ...parameters], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  if (child.exitCode !== null) throw new Error(`${script} ended with status ${child.exitCode}`);
  return { baseUrl: String(line).trim(), readyAfter: performance.now() - start, ...ownProcess(child) };
}

export async function serveBytes(body: Uint8Array, settings: Settings): Promise<Server> {
  const file = join(tmpdir(), `tradepost-bench-body-${process.pid}`);
  writeFileSync(file, body);
  const server = await servePlain('from-memory.ts', settings, file);
  rmSync(file);
  return server;
}

function ownProcess(child: ChildProcess): Omit<Server, 'baseUrl' | 'readyAfter'> {
  return {
    resident: () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
    residentOfAll: () => residentOf(child.pid ?? 0),
    cpuSeconds: () => cpuSecondsOf(child.pid ?? 0),
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** Creates a key. */
export async function tokenOf(settings: Settings, merchantName: string): Promise<string> {
  const database = await openDatabase(parseConfig(settings), Date.now());
  try {
    const merchant = await findMerchant({ database }, merchantName);
    if (merchant === undefined) throw new Error(`no merchant ${merchantName}`);
    const key = { merchantId: merchant.id, name: 'bench', expiresAt: null };
    return (await createKey({ database, now: Date.now }, key)).token;
  } finally {
    await database.close();
  }
}
