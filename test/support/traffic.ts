import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { CampaignLedger } from './campaign-ledger.ts';
import type { Answer, Client } from './client.ts';
import { until } from './until.ts';

const CONNECTIONS = 12;
/** Rejected clients ask again after this, sooner than `Retry-After` says, to see when they are served. */
const ASK_AGAIN_MS = 20;

/** Failovers and full disks may take a while. */
const WAITING = { timeoutMs: 120_000, intervalMs: 5 };

type Kind = 'campaign' | 'products';

/** Clients that create campaigns and read products without a pause, and a record of every response. */
export class Traffic {
  readonly ledger: CampaignLedger;
  readonly #answers: { kind: Kind; at: number; elapsed: number; answer: Answer | undefined }[] = [];
  readonly #done: Promise<unknown>;
  #going = true;

  constructor({ client }: { client: Client }, token: string) {
    this.ledger = new CampaignLedger(token);
    const create = () => this.ledger.ask(client, this.ledger.nextName());
    const path = `/v1/products.json?access_token=${token}`;
    const read = () => client.request('GET', path).catch(() => undefined);
    this.#done = Promise.all([
      ...Array.from({ length: CONNECTIONS }, () => this.#keepAsking('campaign', create)),
      this.#keepAsking('products', read),
    ]);
  }

  async #keepAsking(kind: Kind, ask: () => Promise<Answer | undefined>): Promise<void> {
    while (this.#going) {
      const begun = performance.now();
      const answer = await ask();
      const at = performance.now();
      this.#answers.push({ kind, at, elapsed: at - begun, answer });
      if (answer?.status !== 200) await pause(ASK_AGAIN_MS);
    }
  }

  /** Resolves once this many more campaigns are acknowledged. */
  async until(more: number): Promise<void> {
    const enough = this.ledger.acknowledged.size + more;
    await until(() => this.ledger.acknowledged.size >= enough, {
      ...WAITING,
      message: () => `${this.ledger.acknowledged.size} of ${enough} campaigns are acknowledged`,
    });
  }

  /** Resolves once this kind succeeds again. */
  async untilServed(kind: Kind): Promise<void> {
    const before = this.#answers.length;
    const isServed = (): boolean =>
      this.#answers.slice(before).some((one) => one.kind === kind && one.answer?.status === 200);
    await until(isServed, { ...WAITING, message: `no ${kind} request succeeds` });
  }

  async stop(): Promise<void> {
    this.#going = false;
    await this.#done;
  }

  /** Milliseconds from `time` to the first success after it. */
  untilSuccess(kind: Kind, time: number): number {
    const first = this.#answers.find(
      (one) => one.kind === kind && one.at >= time && one.answer?.status === 200,
    );
    assert.ok(first !== undefined, `no ${kind} after that`);
    return first.at - time;
  }

  refused(kind: Kind): number {
    return this.#answers.filter((one) => one.kind === kind && one.answer?.status === 503).length;
  }

  /** Fails unless every response was 200 or 503 with Retry-After, and took less than `boundMs`. */
  check(t: Pick<TestContext, 'diagnostic'>, boundMs: number): void {
    const answers = this.#answers.map(({ answer }) => answer);
    assert.deepEqual(new Set(answers.map((answer) => answer?.status)), new Set([200, 503]));
    const refused = answers.filter((answer) => answer?.status === 503);
    for (const answer of refused) assert.match(answer?.header('retry-after') ?? '', /^[1-9]\d*$/);
    const slowest = Math.max(...this.#answers.map(({ elapsed }) => elapsed));
    t.diagnostic(
      `${refused.length} of ${answers.length} responses are 503; the slowest took ${Math.round(slowest)} ms`,
    );
    assert.ok(slowest < boundMs);
  }
}
