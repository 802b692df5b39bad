import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { CampaignLedger } from './campaign-ledger.ts';
import type { Client, ClientResponse } from './client.ts';
import { until } from './until.ts';

const CONNECTIONS = 12;
/**
 * Of each client after a response: short enough to detect when the service has recovered, and long enough for
 * a moved shard to catch up on a busy machine.
 */
const PAUSE_MS = 50;

/** A fast machine creates more campaigns than a merchant may in a day. */
export const TRAFFIC_SETTINGS = {
  BUDGETS: 'campaigns_per_day=off,campaign_changes_per_day=off,webhook_attempts_per_day=off',
};

/** Failovers and full disks take a while. */
const WAITING = { timeoutMs: 120_000, intervalMs: 5 };

type Kind = 'campaign' | 'products';

/** Clients that create campaigns and read products all the time, and a record of every response. */
export class Traffic {
  readonly ledger: CampaignLedger;
  readonly #responses: { kind: Kind; at: number; elapsed: number; response: ClientResponse | undefined }[] =
    [];
  readonly #done: Promise<unknown>;
  #isRunning = true;

  constructor({ client }: { client: Client }, token: string) {
    this.ledger = new CampaignLedger(token);
    const create = () => this.ledger.request(client, this.ledger.nextName());
    const path = `/v1/products.json?access_token=${token}`;
    const read = () => client.request('GET', path).catch(() => undefined);
    this.#done = Promise.all([
      ...Array.from({ length: CONNECTIONS }, () => this.#keepSending('campaign', create)),
      this.#keepSending('products', read),
    ]);
  }

  async #keepSending(kind: Kind, send: () => Promise<ClientResponse | undefined>): Promise<void> {
    while (this.#isRunning) {
      const begun = performance.now();
      const response = await send();
      const at = performance.now();
      this.#responses.push({ kind, at, elapsed: at - begun, response });
      await pause(PAUSE_MS);
    }
  }

  /** Resolves once this many more campaigns are acknowledged. */
  async until(more: number): Promise<void> {
    const enough = this.ledger.acknowledged.size + more;
    await until(() => this.ledger.acknowledged.size >= enough, {
      ...WAITING,
      message: () =>
        `${this.ledger.acknowledged.size} of ${enough} campaigns are acknowledged; last responses: ` +
        this.#responses
          .slice(-3)
          .map(({ response }) => `${response?.status} ${response?.text}`)
          .join(', '),
    });
  }

  async untilServed(kind: Kind): Promise<void> {
    const before = this.#responses.length;
    const isServed = (): boolean =>
      this.#responses.slice(before).some((one) => one.kind === kind && one.response?.status === 200);
    await until(isServed, { ...WAITING, message: `no ${kind} request succeeds` });
  }

  async stop(): Promise<void> {
    this.#isRunning = false;
    await this.#done;
  }

  /** Milliseconds from `time` to the first success after it. */
  untilSuccess(kind: Kind, time: number): number {
    const first = this.#responses.find(
      (one) => one.kind === kind && one.at >= time && one.response?.status === 200,
    );
    assert.ok(first !== undefined, `no successful ${kind} request after that`);
    return first.at - time;
  }

  rejected(kind: Kind): number {
    return this.#responses.filter((one) => one.kind === kind && one.response?.status === 503).length;
  }

  /**
   * Fails unless every response was 200, or 503 with Retry-After, in less than `boundMs`, and unless both
   * occurred, or only 200 if `undisturbed`.
   */
  check(
    t: Pick<TestContext, 'diagnostic'>,
    boundMs: number,
    { undisturbed = false }: { undisturbed?: boolean } = {},
  ): void {
    const responses = this.#responses.map(({ response }) => response);
    const statuses = undisturbed ? [200] : [200, 503];
    assert.deepEqual(new Set(responses.map((response) => response?.status)), new Set(statuses));
    const rejected = responses.filter((response) => response?.status === 503);
    for (const response of rejected) assert.match(response?.header('retry-after') ?? '', /^[1-9]\d*$/);
    const slowest = Math.max(...this.#responses.map(({ elapsed }) => elapsed));
    t.diagnostic(
      `${rejected.length} of ${responses.length} responses are 503; the slowest took ${Math.round(slowest)} ms`,
    );
    assert.ok(slowest < boundMs);
  }
}
