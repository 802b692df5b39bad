import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, type ClientResponse } from '../support/client.ts';
import type { Owner } from '../support/process.ts';
import { until } from '../support/until.ts';

const CLIENTS = 6;
const WAITING = { timeoutMs: 200_000, intervalMs: 5 };

/** What was acknowledged of a product. */
interface Known {
  title: string;
  quantity: number;
}

interface Shown {
  title: string;
  available_quantity: number;
  /** Only programs of the next version show it. */
  stock_total?: number;
}

/**
 * Clients of a proxy that create products, change their titles and stock, and read them, half of them with a
 * new connection for each request. Nothing is sent twice.
 */
export class ShopLoad {
  /** By identifier. Only one client writes a product, so the last acknowledged value is the stored one. */
  readonly products = new Map<string, Known>();
  readonly failures: string[] = [];
  requests = 0;
  writes = 0;
  slowestMs = 0;
  /** Responses of programs of the next version. */
  fromNext = 0;
  readonly #proxy: { origin: string; ca: string };
  readonly #token: string;
  readonly #done: Promise<unknown>;
  #isRunning = true;

  /** Stops with the test at the latest. */
  constructor(t: Owner, proxy: { origin: string; ca: string }, token: string) {
    t.after(() => this.stop());
    this.#proxy = proxy;
    this.#token = token;
    this.#done = Promise.all(Array.from({ length: CLIENTS }, (_, number) => this.#run(number)));
  }

  async #run(number: number): Promise<void> {
    const { origin, ca } = this.#proxy;
    // The proxy limits addresses.
    const client = new Client(origin, ca, `127.0.3.${number + 1}`);
    const headers: Record<string, string> = {
      authorization: `Bearer ${this.#token}`,
      ...(number % 2 === 0 && { connection: 'close' }),
    };
    const post = (path: string, form: Record<string, string | number>) => (): Promise<ClientResponse> =>
      client.request('POST', path, { headers, form });
    const first = `${number}-0`;
    for (let round = 0; this.#isRunning; round += 1) {
      const identifier = `${number}-${round}`;
      const [title, quantity] = [`Vase ${round}`, 10 + round];
      const created = { identifier, title, available_quantity: quantity };
      if (!(await this.#write(identifier, { title, quantity }, post('/v1/products', created)))) continue;
      // The oldest product too, which both versions change again and again.
      for (const changed of new Set([first, identifier])) {
        const known = this.products.get(changed);
        if (known === undefined) continue;
        const stock = { ...known, quantity: known.quantity + 1 };
        const update = { identifier: changed, available_quantity: stock.quantity };
        await this.#write(changed, stock, post('/v1/products/update', update));
        const named = { ...(this.products.get(changed) ?? stock), title: `${title}, blue` };
        await this.#write(
          changed,
          named,
          post('/v1/products/update', { identifier: changed, title: named.title }),
        );
        await this.#read(changed, () =>
          client.request('GET', `/v1/products/retrieve?identifier=${changed}`, { headers }),
        );
      }
    }
    client.close();
  }

  async #write(identifier: string, known: Known, send: () => Promise<ClientResponse>): Promise<boolean> {
    const response = await this.#send(send);
    if (response === undefined) return false;
    this.writes += 1;
    this.products.set(identifier, known);
    return true;
  }

  /** The client has read what it wrote, whichever version wrote it and whichever one responds. */
  async #read(identifier: string, send: () => Promise<ClientResponse>): Promise<void> {
    const response = await this.#send(send);
    if (response === undefined) return;
    const { title, available_quantity: quantity, stock_total } = response.json<Shown>();
    const known = this.products.get(identifier);
    if (stock_total !== undefined) this.fromNext += 1;
    if (title !== known?.title || quantity !== known.quantity || (stock_total ?? quantity) !== quantity)
      this.failures.push(`read ${response.text}, wrote ${JSON.stringify(known)}`);
  }

  /** Resolves to a response with the status 200; undefined after a failure. */
  async #send(send: () => Promise<ClientResponse>): Promise<ClientResponse | undefined> {
    const began = performance.now();
    this.requests += 1;
    try {
      const response = await send();
      if (response.status === 200) return response;
      this.failures.push(`${response.status} ${response.text}`);
    } catch (error) {
      this.failures.push(String(error));
    } finally {
      this.slowestMs = Math.max(this.slowestMs, performance.now() - began);
    }
    await pause(10);
    return undefined;
  }

  /** Resolves once this many more requests have been sent. @throws if one has failed */
  async untilRequests(more: number): Promise<void> {
    const enough = this.requests + more;
    const isEnough = (): boolean => this.requests >= enough || this.failures.length > 0;
    await until(isEnough, { ...WAITING, message: () => `${this.requests} of ${enough} requests` });
    assert.deepEqual(this.failures, []);
  }

  async stop(): Promise<void> {
    this.#isRunning = false;
    await this.#done;
  }
}
