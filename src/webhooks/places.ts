import { liveSideOf } from '../database/sides.ts';
import { Tally } from '../shared/tally.ts';

interface PlaceLimits {
  total: number;
  /** For both sides of one merchant together. */
  perMerchant: number;
}

/** `merchant_id` is the merchant, its test side, or the operator. */
interface Candidate {
  id: string;
  merchant_id: number;
}

/**
 * A process delivers to one webhook in each place. A merchant can use only a few, so that its slow receivers
 * do not keep others waiting.
 */
export class Places {
  readonly limits: PlaceLimits;
  readonly #work = new Map<string, Promise<void>>();
  readonly #used = new Tally<number>();

  constructor(limits: PlaceLimits) {
    this.limits = limits;
  }

  get isFull(): boolean {
    return this.#work.size >= this.limits.total;
  }

  get work(): Promise<void>[] {
    return [...this.#work.values()];
  }

  /** Whether a webhook of this merchant should leave its place, because another may wait for it. */
  isContended(merchantId: number): boolean {
    return this.isFull || this.#used.of(liveSideOf(merchantId)) >= this.limits.perMerchant;
  }

  /** Merchants that use the fewest places come first, then the list's order. */
  choose<Webhook extends Candidate>(candidates: readonly Webhook[]): Webhook[] {
    const used = new Tally<number>();
    return candidates
      .map((candidate) => {
        const merchantId = liveSideOf(candidate.merchant_id);
        used.add(merchantId);
        return { candidate, place: this.#used.of(merchantId) + used.of(merchantId) };
      })
      .filter(({ place }) => place <= this.limits.perMerchant)
      .sort((one, other) => one.place - other.place)
      .slice(0, this.limits.total - this.#work.size)
      .map(({ candidate }) => candidate);
  }

  /** Takes a place until the work ends. The work must not reject. */
  occupy({ id, merchant_id: merchantId }: Candidate, work: Promise<void>): void {
    this.#used.add(liveSideOf(merchantId));
    const occupied = work.finally(() => {
      this.#work.delete(id);
      this.#used.subtract(liveSideOf(merchantId));
    });
    this.#work.set(id, occupied);
  }
}
