import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { untilResponse } from '../../bench/measuring/client.ts';
import { cpuSecondsOf } from '../../bench/measuring/cpu-time.ts';
import { deployed, program } from '../../bench/service/servers.ts';
import { freePort } from '../support/postgres/programs.ts';
import type { Owner } from '../support/process.ts';
import { until } from '../support/until.ts';

const COLLECTOR = join(import.meta.dirname, 'collect-garbage.ts');
const ERROR_LEVEL = 50;
const READINGS = 8;
const BETWEEN_READINGS_MS = 500;

/** All requests come from a few addresses and keys. */
const NO_LIMITS = {
  RATE_LIMIT: 'off',
  ADDRESS_RATE_LIMIT: 'off',
  AUTH_FAILURE_LIMIT: 'off',
  BUDGETS: 'campaigns_per_day=off,campaign_changes_per_day=off,webhook_attempts_per_day=off',
};

export interface StressedSettings extends Record<string, string> {
  DATA_DIR: string;
}

/** The memory of a process, in MB. */
export interface Memory {
  resident: number;
  heap: number;
}

/** Runs `tradepost serve` with default settings except limits, log level and port. */
export class StressedServer {
  readonly port: number;
  /** Empty if the server serves plain HTTP for a proxy. */
  readonly ca: string;
  /** Log lines that indicate a defect: errors, Node.js warnings, a crash. */
  readonly problems: string[] = [];
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown[]>;
  #collected: ((heapUsed: number) => void) | undefined;

  private constructor(child: ChildProcess, port: number, ca: string) {
    this.#child = child;
    this.port = port;
    this.ca = ca;
    this.#exited = once(child, 'exit');
    assert(child.stderr !== null);
    createInterface({ input: child.stderr }).on('line', (line) => this.#onLine(line));
  }

  /** Resolves once it responds. It ends with its owner. */
  static async start(
    t: Owner,
    settings: StressedSettings,
    runner: readonly string[] = [],
  ): Promise<StressedServer> {
    const port = await freePort();
    const environment = {
      PATH: process.env.PATH,
      ...deployed.environment,
      ...NO_LIMITS,
      PORT: String(port),
      LOG_LEVEL: 'warn',
      METRICS_ADDRESS: 'off',
      NODE_OPTIONS: `--import=${COLLECTOR}`,
      ...settings,
    };
    const serve = [process.execPath, ...deployed.flags, program, 'serve'];
    const [command = process.execPath, ...parameters] = [...runner, ...serve];
    const child = spawn(command, parameters, { env: environment, stdio: ['ignore', 'ignore', 'pipe'] });
    t.after(() => child.kill('SIGKILL'));
    const isPlain = settings.TLS === 'proxy';
    await (isPlain ? untilPlainResponse(port) : untilResponse(`https://127.0.0.1:${port}/openapi.json`));
    const ca = isPlain ? '' : readFileSync(join(settings.DATA_DIR, 'tls-cert.pem'), 'utf8');
    return new StressedServer(child, port, ca);
  }

  get pid(): number {
    assert(this.#child.pid !== undefined);
    return this.#child.pid;
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  get origin(): string {
    return `https://127.0.0.1:${this.port}`;
  }

  cpuSeconds(): number {
    return cpuSecondsOf(this.pid);
  }

  handles(): number {
    return readdirSync(`/proc/${this.pid}/fd`).length;
  }

  /** After garbage collection: the minimum of several readings, because memory is freed late. */
  async memory(times = READINGS): Promise<Memory> {
    const readings: Memory[] = [];
    for (let reading = 0; reading < times; reading += 1) {
      const { promise, resolve } = Promise.withResolvers<number>();
      this.#collected = resolve;
      this.#child.kill('SIGUSR2');
      const heapUsed = await Promise.race([promise, this.#exited.then(() => Number.NaN)]);
      readings.push({ resident: this.resident(), heap: heapUsed / 2 ** 20 });
      await pause(BETWEEN_READINGS_MS);
    }
    const minimum = (of: (memory: Memory) => number): number => Math.min(...readings.map(of));
    return { resident: minimum(({ resident }) => resident), heap: minimum(({ heap }) => heap) };
  }

  /** Resident memory, in MB. */
  resident(): number {
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  }

  /** With SIGTERM. @throws if it does not exit with status 0 */
  async stop(): Promise<void> {
    this.#child.kill('SIGTERM');
    assert.deepEqual(await this.#exited, [0, null]);
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#exited;
  }

  /** @throws if the server has ended or logged a problem */
  check(): void {
    assert.ok(this.isAlive, `the server has ended: ${this.problems.join('\n')}`);
    assert.deepEqual(this.problems, []);
  }

  #onLine(line: string): void {
    let entry: unknown;
    try {
      entry = JSON.parse(line);
    } catch {
      this.problems.push(line);
      return;
    }
    if (typeof entry !== 'object' || entry === null) return;
    if ('collected' in entry) {
      const { collected } = entry as { collected: NodeJS.MemoryUsage };
      this.#collected?.(collected.heapUsed);
    } else if ('level' in entry && Number(entry.level) >= ERROR_LEVEL) this.problems.push(line);
  }
}

async function untilPlainResponse(port: number): Promise<void> {
  const url = `http://127.0.0.1:${port}/openapi.json`;
  await until(() => fetch(url).catch(() => undefined), { intervalMs: 5, message: `no response from ${url}` });
}
