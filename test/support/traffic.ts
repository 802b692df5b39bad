import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { CampaignLedger } from './campaign-ledger.ts';
import type { Answer, Client } from './client.ts';

const CONNECTIONS = 12;
/** A client that is refused asks again after this: sooner than it is told to, to see when it is served. */
const ASK_AGAIN_MS = 20;

type Kind = 'campaign' | 'products';

/** Clients that create campaigns and read products without a pause, and what they were answered when. */
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

  /** Resolves once so many campaigns more are acknowledged. */
  async until(more: number): Promise<void> {
    const enough = this.ledger.acknowledged.size + more;
    while (this.ledger.acknowledged.size < enough) await pause(5);
  }

  /** Resolves once this kind succeeds again. */
  async untilServed(kind: Kind): Promise<void> {
    const before = this.#answers.length;
    while (!this.#answers.slice(before).some((one) => one.kind === kind && one.answer?.status === 200)) {
      await pause(5);
    }
  }

  async stop(): Promise<void> {
    this.#going = false;
    await this.#done;
  }

  /** Milliseconds from a time to the first success after it. */
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

  /** Fails unless every answer was 200 or 503 with Retry-After, and came in time. */
  check(t: Pick<TestContext, 'diagnostic'>, boundMs: number): void {
    const answers = this.#answers.map(({ answer }) => answer);
    assert.deepEqual(new Set(answers.map((answer) => answer?.status)), new Set([200, 503]));
    const refused = answers.filter((answer) => answer?.status === 503);
    for (const answer of refused) assert.match(answer?.header('retry-after') ?? '', /^[1-9]\d*$/);
    const slowest = Math.max(...this.#answers.map(({ elapsed }) => elapsed));
    t.diagnostic(
      `${refused.length} of ${answers.length} answers are 503; the slowest took ${Math.round(slowest)} ms`,
    );
    assert.ok(slowest < boundMs);
  }
}
