import { statement, upsertInto } from '../../database/statement.ts';
import type { ProductStatus } from '../../products/record/product.ts';

/** What requests ask for; '' for anything. A request that names products is not counted here. */
export interface RequestKind {
  currency: string;
  type: string;
  category_1: string;
  category_2: string;
}

/** Requests of a kind in an hour, which begins at `hour`. */
export interface DemandRow extends RequestKind {
  hour: number;
  /** The least price, in units. */
  floor: number;
  /** What a further candidate had to beat: see `scoreToBeat`. */
  score: number;
  requests: number;
  /** Who had to be beaten: see `winnersOf`. */
  winners: number;
}

export const addToDemand = upsertInto<DemandRow>(
  'placement_demand',
  ['hour', 'currency', 'type', 'category_1', 'category_2', 'floor', 'score'],
  ['requests', 'winners'],
  `DO UPDATE SET requests = placement_demand.requests + excluded.requests,
     winners = placement_demand.winners | excluded.winners`,
);

/** Requests for any type, or for the given one. */
export const listDemand = statement<
  { since: number; currency: string; type: string },
  Omit<DemandRow, 'currency' | 'type'>
>(
  `SELECT hour, category_1, category_2, floor, score, requests, winners
   FROM placement_demand WHERE hour >= :since AND currency = :currency AND type IN ('', :type)`,
);

export const deleteDemand = statement<{ before: number }, never>(
  'DELETE FROM placement_demand WHERE hour < :before',
);

/** How often requests of an hour had an outcome: see `RequestOutcome`. */
export interface OutcomeRow {
  merchant_id: number;
  hour: number;
  campaign_id: string;
  product_id: number;
  outcome: string;
  value: number;
  requests: number;
  /** As in `DemandRow`. */
  winners: number;
}

export const addToOutcomes = upsertInto<OutcomeRow>(
  'placement_outcomes',
  ['merchant_id', 'hour', 'campaign_id', 'product_id', 'outcome', 'value'],
  ['requests', 'winners'],
  `DO UPDATE SET requests = placement_outcomes.requests + excluded.requests,
     winners = placement_outcomes.winners | excluded.winners`,
);

/** Outcomes of a campaign and of a product in it, and of the whole merchant ('', 0). */
export const listOutcomes = statement<
  { merchantId: number; campaignId: string; productId: number; hours: readonly number[] },
  Omit<OutcomeRow, 'merchant_id'>
>(
  `SELECT hour, campaign_id, product_id, outcome, value, requests, winners FROM placement_outcomes
   WHERE merchant_id = :merchantId AND hour IN (:hours[24]) AND campaign_id IN ('', :campaignId)
     AND product_id IN (0, :productId)`,
);

export const findOldOutcome = statement<{ merchantId: number; before: number }, { hour: number }>(
  'SELECT hour FROM placement_outcomes WHERE merchant_id = :merchantId AND hour < :before LIMIT 1',
);

export const deleteOldOutcomes = statement<{ merchantId: number; before: number }, never>(
  'DELETE FROM placement_outcomes WHERE merchant_id = :merchantId AND hour < :before',
);

/** Products of a campaign that are alike. */
export interface ProductGroup {
  category_1: string;
  category_2: string;
  status: ProductStatus;
  products: number;
  /** The highest, in the major unit; below 0 if they have no bid. */
  highest_bid: number;
  /** When one of them changed last. */
  updated_at: number;
}

// The empty texts keep SQLite from reading all products of the merchant in the order of an index.
const groups = `SELECT category_1 || '' AS category_1, category_2 || '' AS category_2, status || '' AS status,
    count(*) AS products, max(scheduling_fee_bid) AS highest_bid, max(updated_at) AS updated_at
  FROM products WHERE merchant_id = :merchantId AND campaign_name = :name`;
const grouped = 'GROUP BY 1, 2, 3, CASE WHEN scheduling_fee_bid < 0 THEN 0 ELSE 1 END';

export const groupProducts = statement<{ merchantId: number; name: string }, ProductGroup>(
  `${groups} ${grouped}`,
);

/** The group of one product; no row if it is not in the campaign. */
export const groupProduct = statement<{ merchantId: number; name: string; productId: number }, ProductGroup>(
  `${groups} AND internal_id = :productId ${grouped}`,
);
