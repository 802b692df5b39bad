// A process of its own, so that what it takes is told apart from what it measures.
import { performance } from 'node:perf_hooks';
import { connect, type TLSSocket } from 'node:tls';
import { AnswerReader } from '../answer-reader.ts';
import { quantile } from '../scenario.ts';
import type { Bunch, Offered, Offering, Task } from './offering.ts';

const TICK_MS = 1;
/** What was to be sent so long ago and found no connection free is not sent any more. */
const OVERDUE_MS = 1_000;
const OPENING_AT_ONCE = 20;

interface Line {
  socket: TLSSocket;
  /** When what waits for its answer was to be sent, and when it was; undefined when nothing does. */
  pending: { due: number; sent: number } | undefined;
}

interface Note {
  status: number;
  /** Since it was sent, in ms. */
  took: number;
  /** By how much later it was sent than it was due, in ms. */
  late: number;
  second: number;
}

class Generator {
  readonly #task: Task;
  readonly #free: Line[] = [];
  #notes: Note[] = [];
  #broken = 0;
  #begun = 0;
  #turn = 0;
  /** Called when a connection is free. */
  #onFree: (line: Line) => void = (line) => void this.#free.push(line);

  constructor(task: Task) {
    this.#task = task;
  }

  async open(): Promise<void> {
    let left = this.#task.connections;
    const worker = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        this.#free.push(await this.#connect());
      }
    };
    await Promise.all(Array.from({ length: OPENING_AT_ONCE }, worker));
  }

  /** Offers requests for so long, at a rate or, without one, over so many connections as fast as answers come. */
  async offer({ rate, connections, seconds }: Offering): Promise<Offered> {
    this.#notes = [];
    this.#broken = 0;
    const cpu = process.cpuUsage();
    this.#begun = performance.now();
    const end = this.#begun + seconds * 1_000;
    const missed = rate === null ? await this.#closed(connections, end) : await this.#openly(rate, end);
    const elapsed = (performance.now() - this.#begun) / 1_000;
    const { user, system } = process.cpuUsage(cpu);
    return {
      ...summary(this.#notes, seconds),
      missed,
      broken: this.#broken,
      cpu: (user + system) / 1e6 / elapsed,
    };
  }

  async #closed(connections: number, end: number): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<void>();
    let busy = 0;
    const next = (line: Line): void => {
      if (performance.now() < end) this.#send(line, performance.now());
      else {
        this.#free.push(line);
        busy -= 1;
        if (busy === 0) resolve();
      }
    };
    this.#onFree = next;
    for (const line of this.#free.splice(0, connections)) {
      busy += 1;
      this.#send(line, performance.now());
    }
    await promise;
    this.#onFree = (line) => void this.#free.push(line);
    return 0;
  }

  async #openly(rate: number, end: number): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const due: number[] = [];
    let [scheduled, missed] = [0, 0];
    const tick = setInterval(() => {
      const now = performance.now();
      const until = Math.min(now, end);
      for (;;) {
        const at = this.#begun + (scheduled * 1_000) / rate;
        if (at >= until) break;
        due.push(at);
        scheduled += 1;
      }
      let taken = 0;
      for (const at of due) {
        if (now - at > OVERDUE_MS) missed += 1;
        else {
          const line = this.#free.shift();
          if (line === undefined) break;
          this.#send(line, at);
        }
        taken += 1;
      }
      due.splice(0, taken);
      if (now < end) return;
      missed += due.length;
      clearInterval(tick);
      resolve();
    }, TICK_MS);
    await promise;
    await this.#untilAnswered();
    return missed;
  }

  async #untilAnswered(): Promise<void> {
    const patience = performance.now() + 5_000;
    while (this.#free.length + this.#broken < this.#task.connections && performance.now() < patience) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  #send(line: Line, due: number): void {
    const { paths } = this.#task;
    const path = paths[this.#turn++ % paths.length];
    line.pending = { due, sent: performance.now() };
    line.socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
  }

  async #connect(): Promise<Line> {
    const { promise, resolve, reject } = Promise.withResolvers<Line>();
    const { port, ca } = this.#task;
    const socket = connect({ host: '127.0.0.1', port, ca });
    const line: Line = { socket, pending: undefined };
    const reader = new AnswerReader(
      () => false,
      ({ status }) => {
        const now = performance.now();
        const { pending } = line;
        if (pending === undefined) return resolve(line);
        line.pending = undefined;
        const { due, sent } = pending;
        const second = Math.floor((now - this.#begun) / 1_000);
        this.#notes.push({ status, took: now - sent, late: sent - due, second });
        this.#onFree(line);
      },
    );
    socket.setNoDelay(true);
    // One that never asked anything would be cut soon, and hundreds that come again at once are another load.
    socket.on('secureConnect', () => socket.write('GET /v1/none HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'));
    socket.on('data', (chunk: Buffer) => reader.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => {
      const at = this.#free.indexOf(line);
      if (at < 0) this.#broken += 1;
      else {
        // The service cuts what says nothing for long: whoever is to ask later comes again.
        this.#free.splice(at, 1);
        this.#connect().then(
          (other) => this.#free.push(other),
          () => {
            this.#broken += 1;
          },
        );
      }
    });
    return await promise;
  }
}

function summary(notes: Note[], seconds: number): Omit<Offered, 'missed' | 'broken' | 'cpu'> {
  const statuses = [...new Set(notes.map(({ status }) => status))].sort();
  const perSecond = Array.from({ length: seconds }, () => 0);
  for (const { status, second } of notes) {
    if (status === 200 && second < seconds) perSecond[second] = (perSecond[second] ?? 0) + 1;
  }
  return {
    seconds,
    sent: notes.length,
    byStatus: Object.fromEntries(statuses.map((status) => [status, bunch(notes, status)])),
    late: quantile(
      notes.map(({ late }) => late),
      0.99,
    ),
    acceptedPerSecond: perSecond,
  };
}

function bunch(all: Note[], status: number): Bunch {
  const times = all.filter((note) => note.status === status).map(({ took }) => took);
  return {
    count: times.length,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    longest: quantile(times, 1),
  };
}

let generator: Generator | undefined;
process.on('message', async (message: { task: Task } | { offering: Offering }) => {
  if ('task' in message) {
    generator = new Generator(message.task);
    await generator.open();
    process.send?.('open');
  } else process.send?.(await generator?.offer(message.offering));
});
process.on('disconnect', () => process.exit());
