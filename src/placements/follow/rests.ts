import type { Competition } from '../competition/competition.ts';
import type { CampaignRest, ProductRest } from '../competition/standings.ts';

const FIRST_MS = 2_000;
const MAX_MS = 60_000;

interface Rest {
  isOver: boolean;
  /** When it ends, or when it ended. */
  until: number;
  lengthMs: number;
  end(): void;
}

/**
 * Campaigns and products that sit out because the judge has refused them. A rest takes two seconds, and twice
 * as long, at most a minute, each time that the judge refuses again soon after. So a budget that is available
 * again, because a day begins or a placement was released, is used within a minute, without knowing about
 * days and placements. A change of the campaign or the product ends its rest at once.
 */
export class Rests {
  readonly #competition: Competition;
  readonly #clock: () => number;
  /** By merchant, and by the campaign's or the product's ID. */
  readonly #rests = new Map<number, Map<string | number, Rest>>();

  /** `clock` is in milliseconds, like `performance.now`. */
  constructor(competition: Competition, clock: () => number) {
    this.#competition = competition;
    this.#clock = clock;
  }

  restCampaign(merchantId: number, campaignId: string, reason: CampaignRest): void {
    const set = (why: CampaignRest | null): void =>
      this.#competition.restCampaign(merchantId, campaignId, why);
    this.#begin(merchantId, campaignId, () => set(null));
    set(reason);
  }

  restProduct(merchantId: number, productId: number, reason: ProductRest): void {
    const set = (why: ProductRest | null): void => this.#competition.restProduct(merchantId, productId, why);
    this.#begin(merchantId, productId, () => set(null));
    set(reason);
  }

  /** After a change of a campaign. Its budgets per product may let products compete again. */
  endAfterCampaign(merchantId: number, campaignId: string): void {
    for (const [id, rest] of this.#rests.get(merchantId) ?? [])
      if (id === campaignId || typeof id === 'number') this.#end(merchantId, id, rest);
  }

  endAfterProduct(merchantId: number, productId: number): void {
    const rest = this.#rests.get(merchantId)?.get(productId);
    if (rest !== undefined) this.#end(merchantId, productId, rest);
  }

  /** Ends the rests that have taken long enough. To be called about every second. */
  endDue(): void {
    const now = this.#clock();
    for (const [merchantId, ofMerchant] of this.#rests) {
      for (const [id, rest] of ofMerchant) {
        if (now < rest.until) continue;
        if (!rest.isOver) rest.end();
        rest.isOver = true;
        // Until then, another refusal counts as one soon after.
        if (now >= rest.until + rest.lengthMs) this.#forget(merchantId, id);
      }
    }
  }

  /** When a merchant is removed from the competition, its rests are over. */
  forgetMerchant(merchantId: number): void {
    this.#rests.delete(merchantId);
  }

  #begin(merchantId: number, id: string | number, end: () => void): void {
    const ofMerchant = this.#rests.get(merchantId) ?? new Map<string | number, Rest>();
    const before = ofMerchant.get(id);
    if (before?.isOver === false) return;
    const lengthMs = before === undefined ? FIRST_MS : Math.min(2 * before.lengthMs, MAX_MS);
    ofMerchant.set(id, { isOver: false, until: this.#clock() + lengthMs, lengthMs, end });
    this.#rests.set(merchantId, ofMerchant);
  }

  #end(merchantId: number, id: string | number, rest: Rest): void {
    if (!rest.isOver) rest.end();
    this.#forget(merchantId, id);
  }

  #forget(merchantId: number, id: string | number): void {
    const ofMerchant = this.#rests.get(merchantId);
    ofMerchant?.delete(id);
    if (ofMerchant?.size === 0) this.#rests.delete(merchantId);
  }
}
