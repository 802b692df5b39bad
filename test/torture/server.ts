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
import { freePort } from '../support/postgres-programs.ts';
import type { Owner } from '../support/process.ts';
import { until } from '../support/until.ts';

const COLLECTOR = join(import.meta.dirname, 'collect-garbage.ts');
const ERROR_LEVEL = 50;
const READINGS = 8;
const BETWEEN_READINGS_MS = 500;

/** Every request comes from one address here, and most with one key. */
const NO_LIMITS = {
  RATE_LIMIT: 'off',
  ADDRESS_RATE_LIMIT: 'off',
  AUTH_FAILURE_LIMIT: 'off',
  BUDGETS: 'campaigns_per_day=off',
};

export interface TorturedSettings extends Record<string, string> {
  DATA_DIR: string;
}

/** What a process holds, in MB. */
export interface Memory {
  resident: number;
  heap: number;
}

/** `tradepost serve` in a process of its own: default settings, but for the limits, the log's level and the port. */
export class TorturedServer {
  readonly port: number;
  /** Empty where it serves plain HTTP for a proxy. */
  readonly ca: string;
  /** What it said that only a defect has it say: errors, warnings of Node's, a crash. */
  readonly troubles: string[] = [];
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown[]>;
  #collected: ((heapUsed: number) => void) | undefined;

  private constructor(child: ChildProcess, port: number, ca: string) {
    this.#child = child;
    this.port = port;
    this.ca = ca;
    this.#exited = once(child, 'exit');
    assert(child.stderr !== null);
    createInterface({ input: child.stderr }).on('line', (line) => this.#hear(line));
  }

  /** Resolves once it answers; it ends with its owner. */
  static async start(
    t: Owner,
    settings: TorturedSettings,
    runner: readonly string[] = [],
  ): Promise<TorturedServer> {
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
    await (isPlain ? untilPlainAnswer(port) : untilResponse(`https://127.0.0.1:${port}/openapi.json`));
    const ca = isPlain ? '' : readFileSync(join(settings.DATA_DIR, 'tls-cert.pem'), 'utf8');
    return new TorturedServer(child, port, ca);
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

  /** Files and connections that it has open. */
  handles(): number {
    return readdirSync(`/proc/${this.pid}/fd`).length;
  }

  /** What it holds once garbage is collected: the least of several readings, as the allocator gives back late. */
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
    const least = (of: (memory: Memory) => number): number => Math.min(...readings.map(of));
    return { resident: least(({ resident }) => resident), heap: least(({ heap }) => heap) };
  }

  /** In MB, now. */
  resident(): number {
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  }

  /** Ends it as an operator does. @throws where it did not go with status 0 */
  async stop(): Promise<void> {
    this.#child.kill('SIGTERM');
    assert.deepEqual(await this.#exited, [0, null]);
  }

  /** Ends it at once. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#exited;
  }

  /** @throws where it has ended, or said that something failed */
  check(): void {
    assert.ok(this.isAlive, `it has ended: ${this.troubles.join('\n')}`);
    assert.deepEqual(this.troubles, []);
  }

  #hear(line: string): void {
    let said: unknown;
    try {
      said = JSON.parse(line);
    } catch {
      this.troubles.push(line);
      return;
    }
    if (typeof said !== 'object' || said === null) return;
    if ('collected' in said) {
      const { collected } = said as { collected: NodeJS.MemoryUsage };
      this.#collected?.(collected.heapUsed);
    } else if ('level' in said && Number(said.level) >= ERROR_LEVEL) this.troubles.push(line);
  }
}

/** Resolves at the first response of any status. */
async function untilPlainAnswer(port: number): Promise<void> {
  const url = `http://127.0.0.1:${port}/openapi.json`;
  await until(() => fetch(url).catch(() => undefined), { intervalMs: 5, message: `no response from ${url}` });
}
