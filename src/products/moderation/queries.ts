import { type FindRecord, type RecordOfPlace, recordWithPage } from '../../database/lists-of-all.ts';
import { insertInto, statement } from '../../database/statement.ts';
import type { ModerationReason } from '../../events/event-types.ts';
import type { Moderation } from '../record/product-status.ts';
import type { ProductRow } from '../record/queries.ts';
import type { ReviewState } from '../record/review-state.ts';

export interface DecisionRow {
  merchant_id: number;
  /** Sorts by time. */
  id: string;
  product_id: number;
  identifier: string;
  /** '' if the product had none. */
  title: string;
  /** The first level of the category; '' if the product had none. */
  category: string;
  state: Moderation;
  /** A JSON array of `ModerationReason`; '' for no reasons. */
  reasons: string;
  who: string;
  at: number;
  /** `ReviewedValues` as JSON; '' once there is a newer decision about the product. */
  reviewed: string;
}

const decisionColumns = [
  'merchant_id',
  'id',
  'product_id',
  'identifier',
  'title',
  'category',
  'state',
  'reasons',
  'who',
  'at',
  'reviewed',
] as const satisfies (keyof DecisionRow)[];

export const insertDecision = insertInto<DecisionRow>('moderation_decisions', decisionColumns);

type ProductKey = Pick<DecisionRow, 'merchant_id' | 'product_id'>;

/** Deletes what earlier decisions about a product were about. */
export const forgetReviewedValues = statement<ProductKey, never>(
  `UPDATE moderation_decisions SET reviewed = ''
   WHERE merchant_id = :merchant_id AND product_id = :product_id AND reviewed <> ''`,
);

/** Takes a product off the queue. */
export const markReviewed = statement<ProductKey, never>(
  `UPDATE products SET review_since = NULL, review_changes = 0
   WHERE merchant_id = :merchant_id AND internal_id = :product_id AND review_changes <> 0`,
);

/** Lists decisions that newer ones about the same product have replaced, of all merchants, oldest first. */
export const listReplacedDecisions = statement<
  { before: number; limit: number },
  Pick<DecisionRow, 'merchant_id' | 'id'>
>(
  `SELECT merchant_id, id FROM moderation_decisions
   WHERE reviewed = '' AND at < :before ORDER BY at LIMIT :limit`,
  { everyNode: true },
);

export const deleteDecision = statement<Pick<DecisionRow, 'merchant_id' | 'id'>, never>(
  'DELETE FROM moderation_decisions WHERE merchant_id = :merchant_id AND id = :id',
);

/** A decision about a product that another one resembles. */
export type EarlierDecision = Omit<DecisionRow, 'reviewed'>;

const earlierColumns = decisionColumns.filter((name) => name !== 'reviewed').join(', ');

/** Lists decisions about a product, newest first. */
export const listDecisionsAbout = statement<
  { merchantId: number; productId: number; limit: number },
  DecisionRow
>(
  `SELECT ${decisionColumns.join(', ')} FROM moderation_decisions
   WHERE merchant_id = :merchantId AND product_id = :productId ORDER BY id DESC LIMIT :limit`,
);

/** Lists decisions about a merchant's products, newest first. */
export const listDecisionsOfMerchant = statement<{ merchantId: number; limit: number }, EarlierDecision>(
  `SELECT ${earlierColumns} FROM moderation_decisions
   WHERE merchant_id = :merchantId ORDER BY id DESC LIMIT :limit`,
);

/** Lists decisions about products of all merchants in a category, newest first. */
export const listDecisionsInCategory = statement<{ category: string; limit: number }, EarlierDecision>(
  `SELECT ${earlierColumns} FROM moderation_decisions
   WHERE category = :category ORDER BY id DESC LIMIT :limit`,
  { everyNode: true },
);

/** The owner of a product. */
export interface QueuedMerchant {
  external_id: string;
  name: string;
  /** ISO 4217: of the amounts of its products. */
  currency: string;
}

export const findQueuedMerchant = statement<{ merchantId: number }, QueuedMerchant>(
  'SELECT external_id, name, currency FROM merchants WHERE id = :merchantId',
);

/** Where a page of the queue begins: after this product. */
export interface QueuePosition {
  since: number;
  merchantId: number;
  productId: number;
}

export interface QueuedProduct
  extends RecordOfPlace,
    Pick<ProductRow, 'identifier' | 'moderation' | 'moderation_reasons' | 'review_changes'> {
  review_since: NonNullable<ReviewState['review_since']>;
}

const queuedColumns = `merchant_id, internal_id AS id, identifier, moderation, moderation_reasons,
  review_since, review_changes, ${recordWithPage('record')}`;

/** Lists the products of all merchants that wait for a review, oldest first. */
export const listQueue = statement<QueuePosition & { limit: number }, QueuedProduct>(
  `SELECT ${queuedColumns} FROM products
   WHERE review_since IS NOT NULL AND (review_since, merchant_id, internal_id) > (:since, :merchantId, :productId)
   ORDER BY review_since, merchant_id, internal_id LIMIT :limit`,
  { everyNode: true },
);

/** Lists one merchant's products that wait for a review, oldest first. */
export const listQueueOfMerchant = statement<QueuePosition & { limit: number }, QueuedProduct>(
  `SELECT ${queuedColumns} FROM products
   WHERE merchant_id = :merchantId AND review_since IS NOT NULL
     AND (review_since, internal_id) > (:since, :productId)
   ORDER BY review_since, internal_id LIMIT :limit`,
);

/** Reads a record of any size. */
export const findLargeRecord: FindRecord = statement(
  'SELECT record FROM products WHERE merchant_id = :merchantId AND internal_id = :id',
);

/** Text of `DecisionRow.reasons`. */
export function writeReasons(reasons: readonly ModerationReason[]): string {
  return reasons.length === 0 ? '' : JSON.stringify(reasons);
}
