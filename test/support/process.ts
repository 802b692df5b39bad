import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from './client.ts';
import { until } from './until.ts';

const PROGRAM = join(import.meta.dirname, '../../bin/tradepost.js');
const LINE_TIMEOUT_MS = 120_000;
/** Variables of this process that commands get. The last three are for `npm run mutate`. */
const PASSED_VARIABLES = [
  'PATH',
  'NODE_COMPILE_CACHE',
  'NODE_OPTIONS',
  'MUTATION_COVERAGE',
  '__STRYKER_ACTIVE_MUTANT__',
];

/** The first words of a command line, and the variables of this process that it gets. */
export interface Program {
  readonly command: readonly [string, ...string[]];
  readonly passedVariables: readonly string[];
}

const SOURCES: Program = { command: [process.execPath, PROGRAM], passedVariables: PASSED_VARIABLES };

/** Runs cleanup functions when it ends. A test is one. */
export interface Owner {
  after(cleanup: () => unknown): void;
}

export async function temporaryDirectory(t: Owner): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'tradepost-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

export interface CommandResult {
  status: number | null;
  stdout: string;
  stderr: string;
}

function start(
  commandLine: string[],
  environment: Record<string, string>,
  { cwd, program = SOURCES }: { cwd?: string; program?: Program } = {},
): ChildProcess {
  // Without settings from this machine's environment.
  const passed = program.passedVariables.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  const env = { ...Object.fromEntries(passed), ...environment };
  const [executable, ...words] = program.command;
  return spawn(executable, [...words, ...commandLine], { env, cwd, stdio: 'pipe' });
}

/** Runs `tradepost` in `cwd` until it ends. */
export async function tradepost(
  commandLine: string[],
  environment: Record<string, string>,
  { input = '', ...options }: { input?: string; cwd?: string; program?: Program } = {},
): Promise<CommandResult> {
  const child = start(commandLine, environment, options);
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

class Log {
  readonly lines: string[] = [];
  #ended = false;

  constructor(stream: Readable) {
    const reader = createInterface({ input: stream });
    reader.on('line', (line) => this.lines.push(line));
    reader.on('close', () => {
      this.#ended = true;
    });
  }

  /** Resolves to the line with this text once it is written. Skips the first `after` matches. */
  async line(text: string, { after = 0 } = {}): Promise<string> {
    const message = (): string => `no line with ${text}:\n${this.lines.join('\n')}`;
    const find = (): string | undefined => {
      // Checked first, because the last line may be written just before the process ends.
      const ended = this.#ended;
      const found = this.lines.filter((line) => line.includes(text))[after];
      if (found === undefined && ended) throw new Error(message());
      return found;
    };
    return await until(find, { timeoutMs: LINE_TIMEOUT_MS, intervalMs: 5, message });
  }
}

/** Kills `tradepost` `delayMs` after a line with this text; resolves to whether it was still running. */
export async function killTradepost(
  commandLine: string[],
  environment: Record<string, string>,
  { line, delayMs }: { line: string; delayMs: number },
): Promise<boolean> {
  const child = start(commandLine, environment);
  const ended = once(child, 'exit');
  assert(child.stderr !== null);
  await new Log(child.stderr).line(line);
  await pause(delayMs);
  child.kill('SIGKILL');
  const [, signal] = await ended;
  return signal === 'SIGKILL';
}

export class ServerProcess {
  readonly client: Client;
  readonly baseUrl: URL;
  readonly log: Log;
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown[]>;

  private constructor(
    child: ChildProcess,
    log: Log,
    ended: Promise<unknown[]>,
    baseUrl: string,
    ca: string | null,
  ) {
    this.log = log;
    this.#child = child;
    this.#ended = ended;
    this.baseUrl = new URL(baseUrl);
    this.client = new Client(this.baseUrl.origin, ca);
  }

  /** Resolves once it listens. It ends with the test at the latest. `watch` gets its log meanwhile. */
  static async start(
    t: Owner,
    environment: Record<string, string> & { DATA_DIR: string },
    watch: (log: Pick<Log, 'line'>) => Promise<void> = async () => {},
    program = SOURCES,
  ): Promise<ServerProcess> {
    const settings = { PORT: '0', METRICS_ADDRESS: 'off', ...environment };
    const child = start(['serve'], settings, { program });
    t.after(() => child.kill('SIGKILL'));
    const ended = once(child, 'exit');
    assert(child.stderr !== null);
    const log = new Log(child.stderr);
    const [line] = await Promise.all([log.line('"msg":"serving"'), watch(log)]);
    const { baseUrl } = JSON.parse(line);
    const own = environment.TLS !== 'proxy';
    const ca = own ? await readFile(join(environment.DATA_DIR, 'tls-cert.pem'), 'utf8') : null;
    return new ServerProcess(child, log, ended, baseUrl, ca);
  }

  get pid(): number {
    assert(this.#child.pid !== undefined);
    return this.#child.pid;
  }

  signal(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL' | 'SIGHUP'): void {
    this.#child.kill(signal);
  }

  async end(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<unknown[]> {
    this.signal(signal);
    return await this.ended();
  }

  async ended(): Promise<unknown[]> {
    const ended = await this.#ended;
    this.client.close();
    return ended;
  }
}
