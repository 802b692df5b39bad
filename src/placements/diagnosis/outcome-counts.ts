import type { LossReason } from '../decide/loss-reasons.ts';
import type { Outcome } from './outcomes-of.ts';
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

  /** The requests with an outcome. */
  of(outcome: Outcome['outcome']): number {
    return this.#sum(this.#campaignId, this.#productId, outcome);
  }

  /** The requests with an outcome, by value. */
  values(outcome: Outcome['outcome']): { value: number; requests: number }[] {
    return this.#rows.filter(
      (row) =>
        row.outcome === outcome && row.campaign_id === this.#campaignId && row.product_id === this.#productId,
    );
  }

  /** Requests that were lost because the whole campaign, or the whole merchant, did not take part further. */
  lostWith(reason: LossReason): number {
    const isProduct = this.#productId !== 0;
    const all = isProduct ? this.#sum(this.#campaignId, 0, `all ${reason}`) : 0;
    const withCampaign = all - this.of(`spared ${reason}`);
    if (reason !== 'over_max_per_merchant') return Math.max(0, withCampaign);
    const withMerchant = this.#sum('', 0, `all ${reason}`) - this.of('spared by merchant');
    return Math.max(0, withCampaign, withMerchant);
  }

  #sum(campaignId: string, productId: number, outcome: string): number {
    return this.#rows
      .filter(
        (row) => row.outcome === outcome && row.campaign_id === campaignId && row.product_id === productId,
      )
      .reduce((sum, { requests }) => sum + requests, 0);
  }
}
