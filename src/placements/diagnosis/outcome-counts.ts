import type { LossReason } from '../decide/loss-reasons.ts';
import type { RequestOutcome } from './outcomes-of.ts';
import type { OutcomeRow } from './queries.ts';

type StoredOutcome = Omit<OutcomeRow, 'merchant_id'>;

/** What is counted of a campaign, or of a product in it, in an hour. */
export class OutcomeCounts {
  readonly #rows: readonly StoredOutcome[];
  readonly #campaignId: string;
  /** 0 for the whole campaign. */
  readonly #productId: number;

  constructor(rows: readonly StoredOutcome[], campaignId: string, productId: number) {
    this.#rows = rows;
    this.#campaignId = campaignId;
    this.#productId = productId;
  }

  /** The requests with an outcome, and with a value if it is given. */
  of(outcome: RequestOutcome['outcome'], value?: number): number {
    return this.values(outcome)
      .filter((row) => value === undefined || row.value === value)
      .reduce((sum, { requests }) => sum + requests, 0);
  }

  /** The requests with an outcome, by value. */
  values(outcome: RequestOutcome['outcome']): Pick<StoredOutcome, 'value' | 'requests' | 'winners'>[] {
    return this.#rows.filter(
      (row) =>
        row.outcome === outcome && row.campaign_id === this.#campaignId && row.product_id === this.#productId,
    );
  }

  /**
   * Requests that were lost because the whole campaign, or the whole merchant, did not take part further. Of
   * requests whose least price is above the bid, in units, nothing is counted.
   */
  lostWith(reason: LossReason, bid: number): number {
    const isProduct = this.#productId !== 0;
    const all = isProduct ? this.#sum(this.#campaignId, 0, `all ${reason}`, bid) : 0;
    const withCampaign = all - this.#sum(this.#campaignId, this.#productId, `spared ${reason}`, bid);
    if (reason !== 'over_max_per_merchant') return Math.max(0, withCampaign);
    const spared = this.#sum(this.#campaignId, this.#productId, 'spared by merchant', bid);
    return Math.max(0, withCampaign) + Math.max(0, this.#sum('', 0, `all ${reason}`, bid) - spared);
  }

  #sum(campaignId: string, productId: number, outcome: string, most = Number.POSITIVE_INFINITY): number {
    let sum = 0;
    for (const row of this.#rows)
      if (
        row.outcome === outcome &&
        row.campaign_id === campaignId &&
        row.product_id === productId &&
        row.value <= most
      )
        sum += row.requests;
    return sum;
  }
}
