import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKey } from '../src/api-keys/create-key.ts';
import { parseConfig } from '../src/config.ts';
import { openDatabase } from '../src/database/open-database.ts';
import { findMerchant } from '../src/merchants/find-merchant.ts';
import { untilAnswer } from './client.ts';

const program = join(import.meta.dirname, '..', 'bin', 'tradepost.js');

/** A server in a process of its own. */
export interface Server extends AsyncDisposable {
  baseUrl: string;
  /** Milliseconds from the start of the process to its first answer. */
  readyAfter: number;
  /** Resident memory in MB, now. */
  resident(): number;
}

/** Serves a data directory as production does, with its default settings but for the port and the log. */
export async function serve(dataDirectory: string): Promise<Server> {
  const port = await freePort();
  const environment = { ...process.env, DATA_DIR: dataDirectory, PORT: String(port), LOG_LEVEL: 'warn' };
  const begun = performance.now();
  const child = spawn(process.execPath, [program, 'serve'], { env: environment, stdio: 'inherit' });
  const baseUrl = `https://127.0.0.1:${port}/v1`;
  await untilAnswer(`${baseUrl}/products.json`);
  return { baseUrl, readyAfter: performance.now() - begun, ...ownProcess(child) };
}

/** The bare limit: Node's own HTTPS server sending this body from memory, with the same certificate. */
export async function serveBare(body: Uint8Array, dataDirectory: string): Promise<Server> {
  const bodyFile = join(tmpdir(), `tradepost-bench-body-${process.pid}`);
  writeFileSync(bodyFile, body);
  const files = [join(dataDirectory, 'tls-cert.pem'), join(dataDirectory, 'tls-key.pem'), bodyFile];
  const begun = performance.now();
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bare-server.ts'), ...files], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout, 'data');
  rmSync(bodyFile);
  return { baseUrl: String(line).trim(), readyAfter: performance.now() - begun, ...ownProcess(child) };
}

function ownProcess(child: ChildProcess): Pick<Server, 'resident' | typeof Symbol.asyncDispose> {
  return {
    resident: () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
    [Symbol.asyncDispose]: async () => {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** A new token of a merchant, by its name. */
export async function tokenOf(dataDirectory: string, merchantName: string): Promise<string> {
  const database = await openDatabase(parseConfig({ DATA_DIR: dataDirectory }), Date.now());
  try {
    const merchant = await findMerchant({ database }, merchantName);
    if (merchant === undefined) throw new Error(`no merchant ${merchantName}`);
    const key = { merchantId: merchant.id, name: 'bench', expiresAt: null };
    return (await createKey({ database, now: Date.now }, key)).token;
  } finally {
    await database.close();
  }
}
