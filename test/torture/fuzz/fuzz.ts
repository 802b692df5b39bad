import assert from 'node:assert/strict';
import { get } from '../../../bench/measuring/client.ts';
import type { Figure } from '../../../bench/measuring/figures.ts';
import { generateDrafts } from '../../../bench/service/build-database.ts';
import { errors } from '../../../src/http/responses/errors.ts';
import { errorBody } from '../../../src/http/responses/send-error.ts';
import { Client } from '../../support/client.ts';
import { ConsoleClient } from '../../support/console.ts';
import type { OpenApiDocument } from '../../support/openapi.ts';
import type { ReadAnswer } from '../answer-reader.ts';
import { type Extent, figure, type Scenario } from '../scenario.ts';
import { TorturedServer } from '../server.ts';
import { EMAIL, stock, TOKEN } from '../stock.ts';
import { converse, type Exchange, type Numbered, sendRaw } from './connection.ts';
import { documented, undocumented } from './endpoints.ts';
import { plainBytes, rawBytes, sendPlain } from './raw-bytes.ts';
import { Requests } from './requests.ts';

const PRODUCTS = 300;
const CONNECTIONS = 12;
const DEPTH = 6;
/** One in so many is bytes on a connection of their own. */
const RAW_SHARE = 0.04;
const PLAIN_SHARE = 0.02;
/** So many, or half of all, are sent before memory is first looked at: caches are filled by then. */
const WARM_UP = 100_000;
const MOST_TOLD = 20;

/** A million requests of every kind, and bytes that are none. */
export const fuzz: Scenario = {
  promise: 'whatever arrives, no 5xx, no crash, no rejection unhandled, and memory back within 20 %',
  run: async (t, extent) => {
    const { settings } = await stock(t, PRODUCTS);
    const server = await TorturedServer.start(t, settings);
    const client = new Client(server.origin, server.ca);
    t.after(() => client.close());
    const browser = new ConsoleClient(client);
    await browser.signIn(EMAIL);
    const document = JSON.parse(String((await get(`${server.origin}/openapi.json`)).body)) as OpenApiDocument;
    const requests = new Requests(extent.seed, [...documented(document), ...undocumented], {
      token: TOKEN,
      cookie: [...browser.cookies].map((pair) => pair.join('=')).join('; '),
      identifiers: [...generateDrafts(20, 1)].map(({ identifier }) => `${identifier}-a`),
    });
    return await attack(server, requests, extent);
  },
};

async function attack(
  server: TorturedServer,
  requests: Requests,
  { full, seed, requests: asked }: Extent,
): Promise<Figure[]> {
  const total = asked ?? (full ? 1_000_000 : 4_000);
  const warmUp = Math.min(WARM_UP, Math.round(total / 2));
  const tally = new Tally(server, seed);
  const run = async (from: number, to: number): Promise<void> => {
    const raw = Math.round((to - from) * RAW_SHARE);
    const plain = Math.round((to - from) * PLAIN_SHARE);
    await Promise.all([
      tally.sendAll(requests, from + raw + plain, to),
      tally.sendBytes(from, from + raw, (number) => rawBytes(number, requests), sendRaw),
      tally.sendBytes(from + raw, from + raw + plain, (number) => plainBytes(number, requests), sendPlain),
    ]);
  };
  await run(0, warmUp);
  const before = await server.memory(full ? undefined : 1);
  const begun = performance.now();
  await run(warmUp, total);
  const seconds = (performance.now() - begun) / 1000;
  const after = await server.memory(full ? undefined : 1);
  server.check();
  await server.stop();

  const memory = `MB resident: ${before.resident.toFixed(0)} before, ${after.resident.toFixed(0)} after; heap: ${before.heap.toFixed(1)}, ${after.heap.toFixed(1)}`;
  const pace = `${((total - warmUp) / seconds).toFixed(0)}/s; seed ${seed}`;
  assert.deepEqual(tally.failures, []);
  return [
    figure('requests and connections with bytes', total, null, pace),
    figure('answers by status', tally.answers, null, tally.describe()),
    figure(
      'turned away for want of time, and sent again, a request',
      tally.turnedAway / total,
      { atMost: full ? 0.01 : 0.5 },
      `${tally.turnedAway}`,
    ),
    figure('connections on which answers came out of step', tally.outOfStep, { atMost: 0 }),
    figure('successes among them', tally.share(/^[23]/), { atLeast: 0.1 }),
    figure(
      'resident memory after ÷ before',
      after.resident / before.resident,
      full ? { atMost: 1.2 } : null,
      memory,
    ),
  ];
}

const OVERLOADED = errorBody(errors.overloaded());

/** Whether a response is the one 5xx that is expected: 503 for overload. The response to a HEAD shows it by its length. */
function isTurnedAway(status: number, text: string): boolean {
  if (status !== 503) return false;
  return text.includes(OVERLOADED) || text.includes(`content-length: ${Buffer.byteLength(OVERLOADED)}\r\n`);
}

/** What came back. */
class Tally {
  readonly failures: string[] = [];
  turnedAway = 0;
  outOfStep = 0;
  readonly #server: TorturedServer;
  readonly #seed: number;
  readonly #statuses = new Map<string, number>();

  constructor(server: TorturedServer, seed: number) {
    this.#server = server;
    this.#seed = seed;
  }

  get answers(): number {
    return [...this.#statuses.values()].reduce((sum, count) => sum + count, 0);
  }

  describe(): string {
    const sorted = [...this.#statuses].sort(([one], [other]) => one.localeCompare(other));
    return sorted.map(([status, count]) => `${status}: ${count}`).join(', ');
  }

  /** Of the answers, those whose status is one of these. */
  share(statuses: RegExp): number {
    const those = [...this.#statuses].filter(([status]) => statuses.test(status));
    return those.reduce((sum, [, count]) => sum + count, 0) / this.answers;
  }

  /** Sends the requests of these numbers, many at a time on each connection. */
  async sendAll(requests: Requests, from: number, to: number): Promise<void> {
    let next = from;
    const again: number[] = [];
    const exchange: Exchange = {
      next: () => (next < to ? { ...requests.make(next), number: next++ } : undefined),
      answered: (request, answer) => {
        if (isTurnedAway(answer.status, answer.head + answer.beginning)) {
          this.turnedAway += 1;
          again.push(request.number);
        } else this.#judge(request, answer);
      },
      passedOver: ({ number }) => void again.push(number),
      outOfStep: () => {
        this.outOfStep += 1;
      },
      unanswered: ({ number, bytes }, reason) => this.#fail(number, bytes, reason),
    };
    const alone: Exchange = {
      ...exchange,
      next: () => {
        const number = again.pop();
        return number === undefined ? undefined : { ...requests.make(number), number };
      },
    };
    const worker = async (): Promise<void> => {
      while (this.#goesOn() && (next < to || again.length > 0)) {
        // Those that went down with others are sent one by one, so that each answers for itself.
        if (again.length > DEPTH) await converse(this.#server, alone, 1);
        else await converse(this.#server, exchange, next < to ? DEPTH : 1);
        if (next >= to && again.length > 0) await converse(this.#server, alone, 1);
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  }

  /** Sends bytes, each on a connection of their own. */
  async sendBytes(
    from: number,
    to: number,
    make: (number: number) => Buffer,
    send: (server: TorturedServer, bytes: Buffer) => Promise<string>,
  ): Promise<void> {
    let next = from;
    const worker = async (): Promise<void> => {
      while (this.#goesOn() && next < to) {
        const number = next++;
        const bytes = make(number);
        try {
          const text = await send(this.#server, bytes);
          for (const [, status = ''] of text.matchAll(/HTTP\/1\.1 (\d{3}) /g)) {
            this.#count(status);
            if (status.startsWith('5') && !isTurnedAway(Number(status), text))
              this.#fail(number, bytes, text.slice(0, 600));
          }
          if (text === '') this.#count('closed');
        } catch (error) {
          this.#fail(number, bytes, error instanceof Error ? error.message : String(error));
        }
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  }

  #judge({ number, bytes }: Numbered, { status, head, beginning }: ReadAnswer): void {
    this.#count(String(status));
    if (!(status >= 200 && status < 500)) this.#fail(number, bytes, `${head}\n\n${beginning}`);
  }

  #count(status: string): void {
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
  }

  /** Notes a failure in a form in which it can be sent again. */
  #fail(number: number, bytes: Buffer, reason: string): void {
    if (this.failures.length >= MOST_TOLD) return;
    const again = `echo ${bytes.toString('base64')} | base64 -d | openssl s_client -quiet -ign_eof -connect 127.0.0.1:8443`;
    this.failures.push(
      `request ${number} of seed ${this.#seed}: ${reason}\n${bytes.toString('latin1')}\n${again}`,
    );
  }

  #goesOn(): boolean {
    return this.#server.isAlive && this.failures.length < MOST_TOLD;
  }
}
