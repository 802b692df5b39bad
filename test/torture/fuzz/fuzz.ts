import assert from 'node:assert/strict';
import { get } from '../../../bench/measuring/client.ts';
import type { Figure } from '../../../bench/measuring/figures.ts';
import { generateDrafts } from '../../../bench/service/build-database.ts';
import { requestErrors } from '../../../src/http/responses/request-errors.ts';
import { errorBody } from '../../../src/http/responses/send-error.ts';
import { Client } from '../../support/client.ts';
import { ConsoleClient } from '../../support/console.ts';
import type { OpenApiDocument } from '../../support/openapi.ts';
import type { ResponseSummary } from '../response-reader.ts';
import { type Extent, figure, type Scenario } from '../scenario.ts';
import { StressedServer } from '../server.ts';
import { createTestData, EMAIL, TOKEN } from '../test-data.ts';
import { converse, type Exchange, type NumberedRequest, sendRaw } from './connection.ts';
import { documented, undocumented } from './endpoints.ts';
import { plainBytes, rawBytes, sendPlain } from './raw-bytes.ts';
import { RequestGenerator } from './requests.ts';

const PRODUCTS = 300;
const CONNECTIONS = 12;
const DEPTH = 6;
/** The shares of raw bytes, each on a separate connection, over TLS and over plain TCP. */
const RAW_SHARE = 0.04;
const PLAIN_SHARE = 0.02;
/** Before the first memory reading, to fill caches; at most half of all requests. */
const WARM_UP = 100_000;
const MAX_FAILURES = 20;

export const fuzz: Scenario = {
  promise: 'no input causes a 5xx, a crash or an unhandled rejection, and memory stays within 20%',
  run: async (t, extent) => {
    const { settings } = await createTestData(t, PRODUCTS);
    const server = await StressedServer.start(t, settings);
    const client = new Client(server.origin, server.ca);
    t.after(() => client.close());
    const browser = new ConsoleClient(client);
    await browser.signIn(EMAIL);
    const document = JSON.parse(String((await get(`${server.origin}/openapi.json`)).body)) as OpenApiDocument;
    const requests = new RequestGenerator(extent.seed, [...documented(document), ...undocumented], {
      token: TOKEN,
      cookie: [...browser.cookies].map((pair) => pair.join('=')).join('; '),
      identifiers: [...generateDrafts(20, 1)].map(({ identifier }) => `${identifier}-a`),
    });
    return await attack(server, requests, extent);
  },
};

async function attack(
  server: StressedServer,
  requests: RequestGenerator,
  { full, seed, requests: count }: Extent,
): Promise<Figure[]> {
  const total = count ?? (full ? 1_000_000 : 4_000);
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
  const rate = `${((total - warmUp) / seconds).toFixed(0)}/s; seed ${seed}`;
  assert.deepEqual(tally.failures, []);
  return [
    figure('requests and connections with bytes', total, null, rate),
    figure('responses by status', tally.responses, null, tally.describe()),
    figure(
      'rejected for overload and retried, per request',
      tally.rejected / total,
      { atMost: full ? 0.01 : 0.5 },
      `${tally.rejected}`,
    ),
    figure('connections with responses out of sync', tally.outOfSync, { atMost: 0 }),
    figure('share of successful responses', tally.share(/^[23]/), { atLeast: 0.1 }),
    figure(
      'resident memory after ÷ before',
      after.resident / before.resident,
      full ? { atMost: 1.2 } : null,
      memory,
    ),
  ];
}

const OVERLOADED = errorBody(requestErrors.overloaded());

/** The only expected 5xx is 503 for overload. For HEAD, its Content-Length identifies it. */
function isOverloaded(status: number, text: string): boolean {
  if (status !== 503) return false;
  return text.includes(OVERLOADED) || text.includes(`content-length: ${Buffer.byteLength(OVERLOADED)}\r\n`);
}

class Tally {
  readonly failures: string[] = [];
  rejected = 0;
  outOfSync = 0;
  readonly #server: StressedServer;
  readonly #seed: number;
  readonly #statuses = new Map<string, number>();

  constructor(server: StressedServer, seed: number) {
    this.#server = server;
    this.#seed = seed;
  }

  get responses(): number {
    return [...this.#statuses.values()].reduce((sum, count) => sum + count, 0);
  }

  describe(): string {
    const sorted = [...this.#statuses].sort(([one], [other]) => one.localeCompare(other));
    return sorted.map(([status, count]) => `${status}: ${count}`).join(', ');
  }

  share(statuses: RegExp): number {
    const matching = [...this.#statuses].filter(([status]) => statuses.test(status));
    return matching.reduce((sum, [, count]) => sum + count, 0) / this.responses;
  }

  /** Sends requests `from` to before `to`, pipelined on each connection. */
  async sendAll(requests: RequestGenerator, from: number, to: number): Promise<void> {
    let next = from;
    const retries: number[] = [];
    const exchange: Exchange = {
      next: () => (next < to ? { ...requests.make(next), number: next++ } : undefined),
      responded: (request, response) => {
        if (isOverloaded(response.status, response.head + response.beginning)) {
          this.rejected += 1;
          retries.push(request.number);
        } else this.#judge(request, response);
      },
      skipped: ({ number }) => void retries.push(number),
      outOfSync: () => {
        this.outOfSync += 1;
      },
      failed: ({ number, bytes }, reason) => this.#fail(number, bytes, reason),
    };
    const alone: Exchange = {
      ...exchange,
      next: () => {
        const number = retries.pop();
        return number === undefined ? undefined : { ...requests.make(number), number };
      },
    };
    const worker = async (): Promise<void> => {
      while (this.#canContinue() && (next < to || retries.length > 0)) {
        // One by one, so that a failure identifies its request.
        if (retries.length > DEPTH) await converse(this.#server, alone, 1);
        else await converse(this.#server, exchange, next < to ? DEPTH : 1);
        if (next >= to && retries.length > 0) await converse(this.#server, alone, 1);
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  }

  async sendBytes(
    from: number,
    to: number,
    make: (number: number) => Buffer,
    send: (server: StressedServer, bytes: Buffer) => Promise<string>,
  ): Promise<void> {
    let next = from;
    const worker = async (): Promise<void> => {
      while (this.#canContinue() && next < to) {
        const number = next++;
        const bytes = make(number);
        try {
          const text = await send(this.#server, bytes);
          for (const [, status = ''] of text.matchAll(/HTTP\/1\.1 (\d{3}) /g)) {
            this.#count(status);
            if (status.startsWith('5') && !isOverloaded(Number(status), text))
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

  #judge({ number, bytes }: NumberedRequest, { status, head, beginning }: ResponseSummary): void {
    this.#count(String(status));
    if (!(status >= 200 && status < 500)) this.#fail(number, bytes, `${head}\n\n${beginning}`);
  }

  #count(status: string): void {
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
  }

  /** With a command that sends the same bytes again. */
  #fail(number: number, bytes: Buffer, reason: string): void {
    if (this.failures.length >= MAX_FAILURES) return;
    const command = `echo ${bytes.toString('base64')} | base64 -d | openssl s_client -quiet -ign_eof -connect 127.0.0.1:8443`;
    this.failures.push(
      `request ${number} of seed ${this.#seed}: ${reason}\n${bytes.toString('latin1')}\n${command}`,
    );
  }

  #canContinue(): boolean {
    return this.#server.isAlive && this.failures.length < MAX_FAILURES;
  }
}
