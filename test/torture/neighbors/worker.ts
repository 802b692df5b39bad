// A separate process, so that its CPU time does not slow down what it measures.
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { quantile } from '../scenario.ts';
import { Connection, openSocket, requestBytes } from './connection.ts';
import type { KindResult, Target, TestRequest, WorkerMessage, Workload, WorkloadResult } from './workload.ts';

const TICK_MS = 1;
const OVERDUE_MS = 2_000;

interface Measurement {
  kind: string;
  status: number;
  elapsed: number;
}

class Worker {
  readonly #target: Target;
  readonly #work: Workload;
  readonly #connections: Connection[];
  readonly #free: Connection[];
  readonly #sockets = new Set<Socket>();
  #measurements: Measurement[] = [];
  #number = process.pid * 1_000_000;
  #nextRequest = 0;
  #bytes = 0;
  #lost = 0;
  #missed = 0;
  #inProgress = 0;
  #late: number[] = [];

  constructor(target: Target, work: Workload) {
    this.#target = target;
    this.#work = work;
    const connections = work.action === 'request' ? work.connections : 0;
    this.#connections = Array.from({ length: connections }, (_, index) => {
      return new Connection(target, index, (count) => (this.#bytes += count));
    });
    this.#free = [...this.#connections];
  }

  async run(seconds: number): Promise<WorkloadResult> {
    this.#measurements = [];
    [this.#bytes, this.#lost, this.#missed, this.#late] = [0, 0, 0, []];
    const cpu = process.cpuUsage();
    const begun = performance.now();
    const end = begun + seconds * 1_000;
    const work = this.#work;
    if (work.action === 'request') {
      if (work.rate === null) await this.#closedLoop(work.requests, end);
      else await this.#openLoop(work.requests, work.rate, begun, end);
    } else if (work.action === 'read-slowly') await this.#readSlowly(work, end);
    else if (work.action === 'connect') await this.#hold(work.connections, end);
    else await this.#handshake(work.connections, end);
    const { user, system } = process.cpuUsage(cpu);
    return {
      kinds: Object.fromEntries(
        Map.groupBy(this.#measurements, ({ kind }) => kind)
          .entries()
          .map(([kind, measurements]) => [kind, summarize(measurements)]),
      ),
      all: summarize(this.#measurements),
      bytes: this.#bytes,
      missed: this.#missed,
      lost: this.#lost,
      pending: this.#inProgress,
      lateMs: quantile(this.#late, 0.99),
      cpu: (user + system) / 1e3 / (performance.now() - begun),
    };
  }

  async #closedLoop(requests: readonly TestRequest[], end: number): Promise<void> {
    const loops = this.#connections.map(async (connection) => {
      while (performance.now() < end) {
        const isSuccess = await this.#send(connection, requests, performance.now());
        // Avoids a busy loop if the connection fails.
        if (!isSuccess) await pause(10);
      }
    });
    await Promise.race([Promise.all(loops), pause(end - performance.now())]);
    this.close();
  }

  async #openLoop(requests: readonly TestRequest[], rate: number, begun: number, end: number): Promise<void> {
    const queue: number[] = [];
    let scheduled = 0;
    for (let now = performance.now(); now < end; now = performance.now()) {
      for (;;) {
        const due = begun + (scheduled * 1_000) / rate;
        if (due > now) break;
        scheduled += 1;
        this.#late.push(now - due);
        // From here on, it waits only for the server.
        queue.push(now);
      }
      let at = 0;
      for (; at < queue.length; at += 1) {
        const since = queue[at] ?? now;
        if (now - since > OVERDUE_MS) {
          this.#missed += 1;
          continue;
        }
        const connection = this.#free.shift();
        if (connection === undefined) break;
        void this.#send(connection, requests, since).finally(() => this.#free.push(connection));
      }
      queue.splice(0, at);
      await pause(TICK_MS);
    }
    this.#missed += queue.length;
    const deadline = performance.now() + OVERDUE_MS;
    while (this.#inProgress > 0 && performance.now() < deadline) await pause(5);
  }

  /** Resolves to false if the connection closed without a response. */
  async #send(connection: Connection, requests: readonly TestRequest[], since: number): Promise<boolean> {
    const request = requests[this.#nextRequest++ % requests.length];
    if (request === undefined) throw new Error('the workload has no requests');
    this.#inProgress += 1;
    const status = await connection.send(request, this.#number++);
    this.#inProgress -= 1;
    if (status === undefined) this.#lost += 1;
    else this.#measurements.push({ kind: request.kind, status, elapsed: performance.now() - since });
    return status !== undefined;
  }

  /** One request per connection. Reopens closed connections. */
  async #readSlowly(
    { requests, connections, bytesPerSecond }: Extract<Workload, { action: 'read-slowly' }>,
    end: number,
  ): Promise<void> {
    const begin = (index: number): void => {
      if (performance.now() >= end) return;
      const request = requests[this.#nextRequest++ % requests.length];
      const socket = this.#connect(index);
      if (request !== undefined) socket.write(requestBytes(request, this.#number++));
      socket.pause();
      const reading = setInterval(() => {
        const read: Buffer | null = socket.read(Math.min(bytesPerSecond, socket.readableLength || 1));
        this.#bytes += read?.length ?? 0;
      }, 1_000);
      socket.on('readable', () => {});
      socket.on('close', () => {
        clearInterval(reading);
        if (performance.now() < end) this.#lost += 1;
        setTimeout(() => begin(index), 100);
      });
    };
    for (let index = 0; index < connections; index += 1) begin(index);
    await pause(end - performance.now());
    this.close();
  }

  /** Silent ones, half of them without a TLS handshake. Reopens closed ones. */
  async #hold(connections: number, end: number): Promise<void> {
    const begin = (index: number): void => {
      if (performance.now() >= end) return;
      const target = index % 2 === 0 ? this.#target : { ...this.#target, ca: '' };
      this.#connect(index, target).on('close', () => {
        if (performance.now() < end) this.#lost += 1;
        setTimeout(() => begin(index), 100);
      });
    };
    for (let index = 0; index < connections; index += 1) begin(index);
    await pause(end - performance.now());
    this.close();
  }

  async #handshake(connections: number, end: number): Promise<void> {
    const loop = async (index: number): Promise<void> => {
      while (performance.now() < end) {
        const since = performance.now();
        const socket = this.#connect(index);
        await Promise.race([once(socket, 'secureConnect'), once(socket, 'close')]).catch(() => {});
        this.#measurements.push({ kind: 'handshake', status: 0, elapsed: performance.now() - since });
        socket.destroy();
      }
    };
    await Promise.all(Array.from({ length: connections }, (_, index) => loop(index)));
  }

  #connect(index: number, target = this.#target): Socket {
    const socket = openSocket(target, index);
    socket.on('error', () => {});
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    return socket;
  }

  close(): void {
    for (const connection of this.#connections) connection.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}

function summarize(measurements: readonly Measurement[]): KindResult {
  const times = measurements.map(({ elapsed }) => elapsed);
  const statuses = Map.groupBy(measurements, ({ status }) => status);
  return {
    count: measurements.length,
    byStatus: Object.fromEntries(statuses.entries().map(([status, { length }]) => [status, length])),
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    longest: quantile(times, 1),
  };
}

let worker: Worker | undefined;
process.on('message', async (order: WorkerMessage) => {
  if ('work' in order) {
    worker?.close();
    worker = new Worker(order.target, order.work);
  } else process.send?.(await worker?.run(order.seconds));
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
