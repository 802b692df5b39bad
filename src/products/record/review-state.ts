import type { Product } from './product.ts';

/**
 * The fields that a reviewer of the marketplace looks at. Their positions are stored as bits: new ones are
 * appended.
 */
export const reviewedFields = [
  'title',
  'description',
  'category',
  'condition',
  'brand',
  'material',
  'retail_price',
  'buy_now_price',
  'minimum_bid_amount',
  'buy_one_get_one_price',
  'accessory_price',
  'accessory_description',
  'primary_image',
  'extra_images',
] as const satisfies (keyof Product)[];

export type ReviewedField = (typeof reviewedFields)[number];
export type ReviewedValues = Pick<Product, ReviewedField>;

/** What a merchant has changed since the last review of a product. */
export interface ReviewState {
  /** Since when the product waits for a review, in milliseconds since 1970; null if it does not wait. */
  review_since: number | null;
  /** A bit for a new product, and one for each changed field of `reviewedFields`; 0 for none. */
  review_changes: number;
}

/** The bit of a product that has never been reviewed. */
export const NEW_PRODUCT = 1;

export const reviewed: ReviewState = { review_since: null, review_changes: 0 };

const bitOf: ReadonlyMap<string, number> = new Map(
  reviewedFields.map((name, position) => [name, NEW_PRODUCT << (position + 1)]),
);

/** Returns the bits of changed fields. Fields that nobody reviews, such as the stock, have none. */
export function changeBits(changed: readonly string[]): number {
  return changed.reduce((bits, name) => bits | (bitOf.get(name) ?? 0), 0);
}

export function changedReviewedFields(bits: number): ReviewedField[] {
  return reviewedFields.filter((name) => (bits & (bitOf.get(name) ?? 0)) !== 0);
}

/**
 * Adds changes to what waits for a review. The product keeps its place in the queue, which it leaves while it
 * is deleted.
 */
export function addChanges(
  before: ReviewState,
  changes: number,
  { now, isDeleted }: { now: number; isDeleted: boolean },
): ReviewState {
  const review_changes = before.review_changes | changes;
  if (review_changes === 0) return reviewed;
  return { review_since: isDeleted ? null : (before.review_since ?? now), review_changes };
}
