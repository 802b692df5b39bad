import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../../src/demo/random.ts';
import type { ClientResponse, RequestOptions } from '../../support/client.ts';
import { type Owner, ServerProcess } from '../../support/process.ts';
import { until } from '../../support/until.ts';
import type { EngineName } from '../engines.ts';
import type { StressedSettings } from '../server.ts';

/** SQLite's file has one machine, whose one process is restarted. */
const NODES = { sqlite: 1, postgres: 3 };
const PROGRESS_TIMEOUT_MS = 240_000;
/** All requests come from one address and a few keys. */
const NO_LIMITS = {
  RATE_LIMIT: 'off',
  ADDRESS_RATE_LIMIT: 'off',
  AUTH_FAILURE_LIMIT: 'off',
  BUDGETS:
    'campaigns_per_day=off,campaign_changes_per_day=off,webhook_attempts_per_day=off,imports_per_day=off,import_bytes=off,import_cpu_seconds_per_day=off,stored_response_bytes_per_day=off',
};

export interface KillPlan {
  kills: number;
  /** The time from one kill to the next; undefined to wait for progress instead. */
  everyMs: number | undefined;
  /** The progress before the first kill, and from each to the next. */
  each: number;
  progress(): number;
  /** Whether a kill, counted from 1, is of all nodes at a time. */
  isOfAll?(kill: number): boolean;
  /** Resolves when the moment is right, after the time or the progress. */
  moment?(): Promise<void>;
}

export function killsIn(minutes: number, everyMs: number): number {
  return Math.max(1, Math.round((minutes * 60_000) / everyMs));
}

/** Nodes on one database, which a scenario kills and starts again. */
export class Cluster {
  readonly #t: Owner;
  readonly #settings: StressedSettings;
  readonly #random: Random;
  readonly #nodes: ServerProcess[] = [];

  private constructor(t: Owner, settings: StressedSettings, random: Random) {
    this.#t = t;
    this.#settings = settings;
    this.#random = random;
  }

  static async start(
    t: Owner,
    { engine, settings, random }: { engine: EngineName; settings: StressedSettings; random: Random },
  ): Promise<Cluster> {
    const cluster = new Cluster(t, { ...NO_LIMITS, ...settings }, random);
    for (let node = 0; node < NODES[engine]; node += 1) cluster.#nodes.push(await cluster.#startNode());
    return cluster;
  }

  anyNode(): ServerProcess {
    return this.#nodes[this.#random.whole(0, this.#nodes.length - 1)] ?? assert.fail('no nodes');
  }

  /** Sends to a random node. Resolves to undefined if it did not respond. */
  async send(
    method: string,
    path: string,
    options: RequestOptions = {},
  ): Promise<ClientResponse | undefined> {
    return await this.anyNode()
      .client.request(method, path, options)
      .catch(() => undefined);
  }

  /** Kills random nodes with SIGKILL, and starts each again. `afterKill` gets the number of kills. */
  async kill(
    { kills, everyMs, each, progress, isOfAll, moment }: KillPlan,
    afterKill: (kill: number) => Promise<void> = async () => {},
  ): Promise<void> {
    const start = performance.now();
    for (let kill = 1; kill <= kills; kill += 1) {
      if (everyMs !== undefined) await pause(Math.max(0, start + kill * everyMs - performance.now()));
      else {
        const enough = progress() + each;
        const message = (): string => `the progress is ${progress()} of ${enough} before kill ${kill}`;
        await until(() => progress() >= enough, { timeoutMs: PROGRESS_TIMEOUT_MS, message });
      }
      await moment?.();
      const victim = this.#random.whole(0, this.#nodes.length - 1);
      const victims = isOfAll?.(kill) === true ? [...this.#nodes.keys()] : [victim];
      await Promise.all(victims.map((node) => this.#nodes[node]?.end('SIGKILL')));
      await Promise.all(
        victims.map(async (node) => {
          this.#nodes[node] = await this.#startNode();
        }),
      );
      await afterKill(kill);
    }
  }

  /** With SIGTERM. @throws if one does not exit with status 0 */
  async stop(): Promise<void> {
    for (const node of this.#nodes) assert.deepEqual(await node.end('SIGTERM'), [0, null]);
  }

  async #startNode(): Promise<ServerProcess> {
    return await ServerProcess.start(this.#t, this.#settings);
  }
}
