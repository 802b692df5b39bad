import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from '../support/client.ts';
import { type Owner, temporaryDirectory, tradepost } from '../support/process.ts';
import { TRAFFIC_SETTINGS } from '../support/traffic.ts';
import { until } from '../support/until.ts';
import { HeldSockets } from './held-socket.ts';

const CLIENTS = 4;
const WAITING = { timeoutMs: 200_000, intervalMs: 5 };

export interface Running {
  held: HeldSockets;
  environment: Record<string, string> & { DATA_DIR: string };
  token: string;
  ca: string | null;
  origin: string;
}

/** Starts a service with a merchant, on a socket that stays open while the service restarts. */
export async function start(t: Owner, settings: Record<string, string> = {}): Promise<Running> {
  const environment = { ...TRAFFIC_SETTINGS, DATA_DIR: await temporaryDirectory(t), ...settings };
  const created = await tradepost(['merchants', 'create', '--name', 'Acme', '--json'], environment);
  return await startNode(t, { environment, token: JSON.parse(created.stdout).access_token });
}

/** Starts another service with the same data, on a socket of its own. */
export async function startNode(
  t: Owner,
  { environment, token }: Pick<Running, 'environment' | 'token'>,
): Promise<Running> {
  const held = await HeldSockets.open(t, ['api'], ([port]) => ({ ...environment, PORT: String(port) }));
  held.start();
  await held.untilServed(1);
  const isOwn = environment.TLS !== 'proxy';
  const ca = isOwn ? await readFile(join(environment.DATA_DIR, 'tls-cert.pem'), 'utf8') : null;
  const origin = `${isOwn ? 'https' : 'http'}://127.0.0.1:${held.ports[0]}`;
  return { held, environment, token, ca, origin };
}

/** Clients that write and read all the time, half of them with a new connection for each request. */
export class Load {
  readonly acknowledged: string[] = [];
  readonly failures: string[] = [];
  requests = 0;
  slowestMs = 0;
  readonly #running: Running;
  readonly #prefix: string;
  readonly #done: Promise<unknown>;
  #isRunning = true;

  /** Stops with the test at the latest. The names of its campaigns begin with `prefix`. */
  constructor(t: Owner, running: Running, prefix = '') {
    t.after(() => this.stop());
    this.#running = running;
    this.#prefix = prefix;
    this.#done = Promise.all(
      Array.from({ length: 2 * CLIENTS }, (_, index) => this.#run(index, index % 2 === 0)),
    );
  }

  async #run(number: number, keepAlive: boolean): Promise<void> {
    const { origin, ca, token } = this.#running;
    const client = new Client(origin, ca);
    const headers: Record<string, string> = {
      ...(!keepAlive && { connection: 'close' }),
      ...(ca === null && { 'x-forwarded-proto': 'https' }),
    };
    for (let index = 0; this.#isRunning; index += 1) {
      const name = `${this.#prefix}${number}-${index}`;
      const isWrite = index % 2 === 0;
      const sent = isWrite
        ? client.request('POST', '/v1/campaigns.json', {
            headers: { ...headers, 'idempotency-key': name },
            form: { access_token: token, name, type: 'AuctionCampaign', daily_budget: 12.5 },
          })
        : client.request('GET', `/v1/campaigns.json?access_token=${token}`, { headers });
      const began = performance.now();
      try {
        const { status, text } = await sent;
        if (status !== 200) this.failures.push(`${status} ${text}`);
        else if (isWrite) this.acknowledged.push(name);
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? error.code : error;
        this.failures.push(`${code} on ${keepAlive ? 'a kept' : 'a new'} connection`);
        await pause(10);
      }
      this.slowestMs = Math.max(this.slowestMs, performance.now() - began);
      this.requests += 1;
    }
    client.close();
  }

  /** Resolves once this many more requests have been answered. */
  async untilRequests(more: number): Promise<void> {
    const enough = this.requests + more;
    await until(() => this.requests >= enough, WAITING);
  }

  async stop(): Promise<void> {
    this.#isRunning = false;
    await this.#done;
  }
}

/** The names of all campaigns, in order. */
export async function storedCampaigns(environment: Record<string, string>): Promise<string[]> {
  const { stdout } = await tradepost(['export', 'campaigns'], environment);
  const names = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).name);
  return names.sort();
}
