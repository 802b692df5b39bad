import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { Client } from './client.ts';

const PROGRAM = join(import.meta.dirname, '../../bin/tradepost.js');

/** A directory for the length of a test. */
export async function temporaryDirectory(t: Pick<TestContext, 'after'>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'tradepost-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** How a command ended and what it said. */
export interface Ended {
  status: number | null;
  stdout: string;
  stderr: string;
}

function start(commandLine: string[], environment: Record<string, string>, cwd?: string): ChildProcess {
  // Nothing of the settings that this machine may have.
  const env = { PATH: process.env.PATH, ...environment };
  return spawn(process.execPath, [PROGRAM, ...commandLine], { env, cwd, stdio: 'pipe' });
}

/** Runs `tradepost` to its end, in the directory given. */
export async function tradepost(
  commandLine: string[],
  environment: Record<string, string>,
  { input = '', cwd }: { input?: string; cwd?: string } = {},
): Promise<Ended> {
  const child = start(commandLine, environment, cwd);
  const text = async (stream: NodeJS.ReadableStream | null): Promise<string> => {
    const chunks = await Array.fromAsync(stream ?? []);
    return Buffer.concat(chunks.map((chunk) => Buffer.from(chunk))).toString();
  };
  child.stdin?.on('error', () => {});
  child.stdin?.end(input);
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { status, stdout, stderr };
}

/** `tradepost serve`, as a process of its own. */
export class ServerProcess {
  readonly client: Client;
  readonly baseUrl: URL;
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown[]>;

  private constructor(child: ChildProcess, ended: Promise<unknown[]>, baseUrl: string, ca: string) {
    this.#child = child;
    this.#ended = ended;
    this.baseUrl = new URL(baseUrl);
    this.client = new Client(this.baseUrl.origin, ca);
  }

  /** Resolves once it listens; with the test it ends, if not before. */
  static async start(
    t: Pick<TestContext, 'after'>,
    environment: Record<string, string> & { DATA_DIR: string },
  ): Promise<ServerProcess> {
    const child = start(['serve'], { PORT: '0', ...environment });
    t.after(() => child.kill('SIGKILL'));
    const ended = once(child, 'exit');
    const lines: string[] = [];
    assert(child.stderr !== null);
    for await (const line of createInterface({ input: child.stderr })) {
      lines.push(line);
      if (!line.includes('"msg":"serving"')) continue;
      child.stderr.resume();
      const ca = await readFile(join(environment.DATA_DIR, 'tls-cert.pem'), 'utf8');
      return new ServerProcess(child, ended, JSON.parse(line).baseUrl, ca);
    }
    throw new Error(`it did not start to serve:\n${lines.join('\n')}`);
  }

  /** Resolves to the exit status and the signal that ended it. */
  async end(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<unknown[]> {
    this.#child.kill(signal);
    return await this.ended();
  }

  async ended(): Promise<unknown[]> {
    const ended = await this.#ended;
    this.client.close();
    return ended;
  }
}
