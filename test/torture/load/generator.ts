// A separate process, so that its CPU time is not part of what it measures.
import { performance } from 'node:perf_hooks';
import { connect, type TLSSocket } from 'node:tls';
import { ResponseReader } from '../response-reader.ts';
import { quantile } from '../scenario.ts';
import type { LoadOptions, LoadResult, LoadTarget, ResponseTimes } from './load-generator.ts';

const TICK_MS = 1;
/** Requests that found no free connection for this long are dropped. */
const OVERDUE_MS = 1_000;
const CONCURRENT_OPENS = 20;

interface Connection {
  socket: TLSSocket;
  /** When the request in progress was due, and when it was sent. */
  pending: { due: number; sent: number } | undefined;
}

interface Measurement {
  status: number;
  /** From sending the request to the end of the response, in ms. */
  elapsed: number;
  /** The delay from the due time to sending, in ms. */
  late: number;
  /** The second of the run in which the response ended. */
  second: number;
}

class Generator {
  readonly #target: LoadTarget;
  readonly #free: Connection[] = [];
  #measurements: Measurement[] = [];
  #lost = 0;
  #startTime = 0;
  #nextPath = 0;
  #onFree: (connection: Connection) => void = (connection) => void this.#free.push(connection);

  constructor(target: LoadTarget) {
    this.#target = target;
  }

  async open(): Promise<void> {
    let left = this.#target.connections;
    const worker = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        this.#free.push(await this.#connect());
      }
    };
    await Promise.all(Array.from({ length: CONCURRENT_OPENS }, worker));
  }

  /** Sends at a rate, or else continuously over a number of connections. */
  async run({ rate, connections, seconds }: LoadOptions): Promise<LoadResult> {
    this.#measurements = [];
    this.#lost = 0;
    const cpu = process.cpuUsage();
    this.#startTime = performance.now();
    const end = this.#startTime + seconds * 1_000;
    const missed = rate === null ? await this.#closedLoop(connections, end) : await this.#openLoop(rate, end);
    const elapsed = (performance.now() - this.#startTime) / 1_000;
    const { user, system } = process.cpuUsage(cpu);
    return {
      ...summarize(this.#measurements, seconds),
      missed,
      lost: this.#lost,
      cpu: (user + system) / 1e6 / elapsed,
    };
  }

  async #closedLoop(connections: number, end: number): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<void>();
    let busy = 0;
    const next = (connection: Connection): void => {
      if (performance.now() < end) this.#send(connection, performance.now());
      else {
        this.#free.push(connection);
        busy -= 1;
        if (busy === 0) resolve();
      }
    };
    this.#onFree = next;
    for (const connection of this.#free.splice(0, connections)) {
      busy += 1;
      this.#send(connection, performance.now());
    }
    await promise;
    this.#onFree = (connection) => void this.#free.push(connection);
    return 0;
  }

  async #openLoop(rate: number, end: number): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const due: number[] = [];
    let [scheduled, missed] = [0, 0];
    const tick = setInterval(() => {
      const now = performance.now();
      const until = Math.min(now, end);
      for (;;) {
        const at = this.#startTime + (scheduled * 1_000) / rate;
        if (at >= until) break;
        due.push(at);
        scheduled += 1;
      }
      let handled = 0;
      for (const at of due) {
        if (now - at > OVERDUE_MS) missed += 1;
        else {
          const connection = this.#free.shift();
          if (connection === undefined) break;
          this.#send(connection, at);
        }
        handled += 1;
      }
      due.splice(0, handled);
      if (now < end) return;
      missed += due.length;
      clearInterval(tick);
      resolve();
    }, TICK_MS);
    await promise;
    await this.#untilIdle();
    return missed;
  }

  async #untilIdle(): Promise<void> {
    const deadline = performance.now() + 5_000;
    while (this.#free.length + this.#lost < this.#target.connections && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  #send(connection: Connection, due: number): void {
    const { paths } = this.#target;
    const path = paths[this.#nextPath++ % paths.length];
    connection.pending = { due, sent: performance.now() };
    connection.socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
  }

  async #connect(): Promise<Connection> {
    const { promise, resolve, reject } = Promise.withResolvers<Connection>();
    const { port, ca } = this.#target;
    const socket = connect({ host: '127.0.0.1', port, ca });
    const connection: Connection = { socket, pending: undefined };
    const reader = new ResponseReader(
      () => false,
      ({ status }) => {
        const now = performance.now();
        const { pending } = connection;
        if (pending === undefined) return resolve(connection);
        connection.pending = undefined;
        const { due, sent } = pending;
        const second = Math.floor((now - this.#startTime) / 1_000);
        this.#measurements.push({ status, elapsed: now - sent, late: sent - due, second });
        this.#onFree(connection);
      },
    );
    socket.setNoDelay(true);
    // The service soon closes connections without a request, and hundreds of reconnects would add load.
    socket.on('secureConnect', () => socket.write('GET /v1/none HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'));
    socket.on('data', (chunk: Buffer) => reader.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => {
      const at = this.#free.indexOf(connection);
      if (at < 0) this.#lost += 1;
      else {
        // The service closed an idle connection.
        this.#free.splice(at, 1);
        this.#connect().then(
          (other) => this.#free.push(other),
          () => {
            this.#lost += 1;
          },
        );
      }
    });
    return await promise;
  }
}

function summarize(
  measurements: Measurement[],
  seconds: number,
): Omit<LoadResult, 'missed' | 'lost' | 'cpu'> {
  const statuses = [...new Set(measurements.map(({ status }) => status))].sort();
  const perSecond = Array.from({ length: seconds }, () => 0);
  for (const { status, second } of measurements) {
    if (status === 200 && second < seconds) perSecond[second] = (perSecond[second] ?? 0) + 1;
  }
  return {
    seconds,
    sent: measurements.length,
    byStatus: Object.fromEntries(statuses.map((status) => [status, timesOf(measurements, status)])),
    late: quantile(
      measurements.map(({ late }) => late),
      0.99,
    ),
    acceptedPerSecond: perSecond,
  };
}

function timesOf(all: Measurement[], status: number): ResponseTimes {
  const times = all.filter((one) => one.status === status).map(({ elapsed }) => elapsed);
  return {
    count: times.length,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    longest: quantile(times, 1),
  };
}

let generator: Generator | undefined;
process.on('message', async (message: { target: LoadTarget } | { options: LoadOptions }) => {
  if ('target' in message) {
    generator = new Generator(message.target);
    await generator.open();
    process.send?.('open');
  } else process.send?.(await generator?.run(message.options));
});
process.on('disconnect', () => process.exit());
