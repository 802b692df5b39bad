import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Owner } from '../support/process.ts';
import { until } from '../support/until.ts';

const PROGRAM = join(import.meta.dirname, '../../bin/tradepost.js');
/** Of this process, for the service. */
const PASSED_VARIABLES = ['PATH', 'NODE_COMPILE_CACHE', 'NODE_OPTIONS'];
/** Starts the service for each line that it reads, with its own sockets, from descriptor 3 on. */
const HOLDER = `
while read -r _; do
  sh -c 'echo "{\\"started\\":$$}" >&2; export LISTEN_PID=$$; exec "$@"' sh "$@" </dev/null
  echo "{\\"ended\\":$?}" >&2
done`;
const WAITING = { timeoutMs: 200_000, intervalMs: 5 };

interface LogLine {
  msg?: string;
  started?: number;
  ended?: number;
  pid?: number;
  /** The URL of health and metrics. */
  metrics?: string | null;
}

/** Holds listening sockets as systemd does, also while the service restarts. */
export class HeldSockets {
  readonly ports: readonly number[];
  /** Of all services so far, and what the holder writes. Lines that are not JSON are in `text`. */
  readonly log: LogLine[] = [];
  readonly text: string[] = [];
  readonly #holder: ChildProcess;

  private constructor(holder: ChildProcess, ports: readonly number[]) {
    this.#holder = holder;
    this.ports = ports;
    assert(holder.stderr !== null);
    createInterface({ input: holder.stderr }).on('line', (line) => {
      if (line.startsWith('{')) this.log.push(JSON.parse(line));
      else this.text.push(line);
    });
  }

  /** Opens a socket for each name, and starts no service yet. `settings` gets the ports. */
  static async open(
    t: Owner,
    names: readonly string[],
    settings: (ports: readonly number[]) => Record<string, string>,
  ): Promise<HeldSockets> {
    const servers = names.map(() => createServer().listen(0, '127.0.0.1'));
    await Promise.all(servers.map((server) => once(server, 'listening')));
    const ports = servers.map((server) => {
      const address = server.address();
      assert(typeof address === 'object' && address !== null);
      return address.port;
    });
    const passed = PASSED_VARIABLES.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    });
    const env = {
      ...Object.fromEntries(passed),
      METRICS_ADDRESS: 'off',
      ...settings(ports),
      LISTEN_FDS: String(names.length),
      LISTEN_FDNAMES: names.join(':'),
    };
    const descriptors: number[] = servers.map((server) => Reflect.get(Reflect.get(server, '_handle'), 'fd'));
    const holder = spawn('sh', ['-c', HOLDER, 'sh', process.execPath, PROGRAM, 'serve'], {
      env,
      stdio: ['pipe', 'ignore', 'pipe', ...descriptors],
    });
    // The holder has its own descriptors. Those of this process would accept connections.
    for (const server of servers) server.close();
    const held = new HeldSockets(holder, ports);
    t.after(() => held.close());
    return held;
  }

  /** The service starts, now or when the former one has ended. */
  start(): void {
    this.#holder.stdin?.write('\n');
  }

  /** Resolves once this many services have served. */
  async untilServed(count: number): Promise<void> {
    await this.#untilLines(({ msg }) => msg === 'serving', count);
  }

  /** Resolves to the status with which the service of this number, from 1, ended. */
  async untilEnded(count: number): Promise<number | undefined> {
    return (await this.#untilLines(({ ended }) => ended !== undefined, count))?.ended;
  }

  async #untilLines(isWanted: (line: LogLine) => boolean, count: number): Promise<LogLine | undefined> {
    const message = (): string => [...this.log.map((line) => JSON.stringify(line)), ...this.text].join('\n');
    await until(() => this.log.filter(isWanted).length >= count, { ...WAITING, message });
    return this.log.filter(isWanted)[count - 1];
  }

  /** The process that systemd would have started. */
  get servicePid(): number {
    return this.log.findLast(({ started }) => started !== undefined)?.started ?? assert.fail('not started');
  }

  /** The processes that have listened since the last service was started. */
  get workerPids(): number[] {
    const start = this.log.findLastIndex(({ started }) => started !== undefined);
    return this.log
      .slice(start)
      .filter(({ msg, pid }) => msg === 'listening' && pid !== undefined)
      .map(({ pid }) => pid ?? 0);
  }

  /** As `systemctl restart`: the next service starts when this one has ended. Resolves once it serves. */
  async restart(): Promise<void> {
    const served = this.log.filter(({ msg }) => msg === 'serving').length;
    this.start();
    process.kill(this.servicePid, 'SIGTERM');
    await this.untilServed(served + 1);
  }

  /** Ends the service, and then the holder. */
  async close(): Promise<void> {
    this.#holder.stdin?.end();
    const count = (isWanted: (line: LogLine) => boolean): number => this.log.filter(isWanted).length;
    if (count(({ started }) => started !== undefined) > count(({ ended }) => ended !== undefined))
      process.kill(this.servicePid, 'SIGTERM');
    if (this.#holder.exitCode === null) await once(this.#holder, 'exit');
  }
}
