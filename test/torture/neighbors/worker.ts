// A process of its own, so that what it takes is not taken from what it measures.
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { quantile } from '../scenario.ts';
import { Line, openSocket, requestBytes } from './line.ts';
import type { Ask, KindOutcome, Order, Outcome, Target, Work } from './work.ts';

const TICK_MS = 1;
const OVERDUE_MS = 2_000;

interface Note {
  kind: string;
  status: number;
  took: number;
}

class Worker {
  readonly #target: Target;
  readonly #work: Work;
  readonly #lines: Line[];
  readonly #free: Line[];
  readonly #sockets = new Set<Socket>();
  #notes: Note[] = [];
  #number = process.pid * 1_000_000;
  #turn = 0;
  #bytes = 0;
  #broken = 0;
  #missed = 0;
  #underWay = 0;
  #late: number[] = [];

  constructor(target: Target, work: Work) {
    this.#target = target;
    this.#work = work;
    const connections = work.does === 'ask' ? work.connections : 0;
    this.#lines = Array.from({ length: connections }, (_, index) => {
      return new Line(target, index, (count) => (this.#bytes += count));
    });
    this.#free = [...this.#lines];
  }

  async run(seconds: number): Promise<Outcome> {
    this.#notes = [];
    [this.#bytes, this.#broken, this.#missed, this.#late] = [0, 0, 0, []];
    const cpu = process.cpuUsage();
    const begun = performance.now();
    const end = begun + seconds * 1_000;
    const work = this.#work;
    if (work.does === 'ask') {
      if (work.rate === null) await this.#closed(work.asks, end);
      else await this.#openly(work.asks, work.rate, begun, end);
    } else if (work.does === 'read slowly') await this.#readSlowly(work, end);
    else if (work.does === 'connect') await this.#hold(work.connections, end);
    else await this.#greet(work.connections, end);
    const { user, system } = process.cpuUsage(cpu);
    return {
      kinds: Object.fromEntries(
        Map.groupBy(this.#notes, ({ kind }) => kind)
          .entries()
          .map(([kind, notes]) => [kind, summary(notes)]),
      ),
      all: summary(this.#notes),
      bytes: this.#bytes,
      missed: this.#missed,
      broken: this.#broken,
      unanswered: this.#underWay,
      lateMs: quantile(this.#late, 0.99),
      cpu: (user + system) / 1e3 / (performance.now() - begun),
    };
  }

  async #closed(asks: readonly Ask[], end: number): Promise<void> {
    const loops = this.#lines.map(async (line) => {
      while (performance.now() < end) {
        const wasAnswered = await this.#send(line, asks, performance.now());
        // One that cannot connect would turn for ever.
        if (!wasAnswered) await pause(10);
      }
    });
    await Promise.race([Promise.all(loops), pause(end - performance.now())]);
    this.close();
  }

  async #openly(asks: readonly Ask[], rate: number, begun: number, end: number): Promise<void> {
    const queue: number[] = [];
    let scheduled = 0;
    for (let now = performance.now(); now < end; now = performance.now()) {
      for (;;) {
        const due = begun + (scheduled * 1_000) / rate;
        if (due > now) break;
        scheduled += 1;
        this.#late.push(now - due);
        // From here on it waits for the server alone.
        queue.push(now);
      }
      let at = 0;
      for (; at < queue.length; at += 1) {
        const since = queue[at] ?? now;
        if (now - since > OVERDUE_MS) {
          this.#missed += 1;
          continue;
        }
        const line = this.#free.shift();
        if (line === undefined) break;
        void this.#send(line, asks, since).finally(() => this.#free.push(line));
      }
      queue.splice(0, at);
      await pause(TICK_MS);
    }
    this.#missed += queue.length;
    const patience = performance.now() + OVERDUE_MS;
    while (this.#underWay > 0 && performance.now() < patience) await pause(5);
  }

  /** False where the connection closed without an answer. */
  async #send(line: Line, asks: readonly Ask[], since: number): Promise<boolean> {
    const ask = asks[this.#turn++ % asks.length];
    if (ask === undefined) throw new Error('nothing to ask for');
    this.#underWay += 1;
    const status = await line.send(ask, this.#number++);
    this.#underWay -= 1;
    if (status === undefined) this.#broken += 1;
    else this.#notes.push({ kind: ask.kind, status, took: performance.now() - since });
    return status !== undefined;
  }

  /** Each connection asks once and then reads so many bytes a second; one that is closed is opened again. */
  async #readSlowly(
    { asks, connections, bytesPerSecond }: Extract<Work, { does: 'read slowly' }>,
    end: number,
  ): Promise<void> {
    const begin = (index: number): void => {
      if (performance.now() >= end) return;
      const ask = asks[this.#turn++ % asks.length];
      const socket = this.#connect(index);
      if (ask !== undefined) socket.write(requestBytes(ask, this.#number++));
      socket.pause();
      const reading = setInterval(() => {
        const read: Buffer | null = socket.read(Math.min(bytesPerSecond, socket.readableLength || 1));
        this.#bytes += read?.length ?? 0;
      }, 1_000);
      socket.on('readable', () => {});
      socket.on('close', () => {
        clearInterval(reading);
        if (performance.now() < end) this.#broken += 1;
        setTimeout(() => begin(index), 100);
      });
    };
    for (let index = 0; index < connections; index += 1) begin(index);
    await pause(end - performance.now());
    this.close();
  }

  /** Connections without a word: half of them do not even greet. */
  async #hold(connections: number, end: number): Promise<void> {
    const begin = (index: number): void => {
      if (performance.now() >= end) return;
      const target = index % 2 === 0 ? this.#target : { ...this.#target, ca: '' };
      this.#connect(index, target).on('close', () => {
        if (performance.now() < end) this.#broken += 1;
        setTimeout(() => begin(index), 100);
      });
    };
    for (let index = 0; index < connections; index += 1) begin(index);
    await pause(end - performance.now());
    this.close();
  }

  /** TLS handshakes, each on a new connection. */
  async #greet(connections: number, end: number): Promise<void> {
    const loop = async (index: number): Promise<void> => {
      while (performance.now() < end) {
        const since = performance.now();
        const socket = this.#connect(index);
        await Promise.race([once(socket, 'secureConnect'), once(socket, 'close')]).catch(() => {});
        this.#notes.push({ kind: 'handshake', status: 0, took: performance.now() - since });
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
    for (const line of this.#lines) line.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}

function summary(notes: readonly Note[]): KindOutcome {
  const times = notes.map(({ took }) => took);
  const statuses = Map.groupBy(notes, ({ status }) => status);
  return {
    count: notes.length,
    byStatus: Object.fromEntries(statuses.entries().map(([status, { length }]) => [status, length])),
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    longest: quantile(times, 1),
  };
}

let worker: Worker | undefined;
process.on('message', async (order: Order) => {
  if ('work' in order) {
    worker?.close();
    worker = new Worker(order.target, order.work);
  } else process.send?.(await worker?.run(order.seconds));
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
