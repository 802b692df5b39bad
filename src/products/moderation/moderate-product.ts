import { randomUUIDv7 } from 'node:crypto';
import { describeActor, recordAudit } from '../../audit/record-audit.ts';
import type { Reader } from '../../database/database.ts';
import { modeOf } from '../../database/sides.ts';
import type { WriteContext } from '../../database/write-context.ts';
import { errors } from '../../errors/errors.ts';
import type { ModerationReason } from '../../events/event-types.ts';
import { type ImageProblem, imageProblems } from '../images/image-problems.ts';
import { CatalogBatch } from '../record/catalog-batch.ts';
import { readReasons } from '../record/catalog-events.ts';
import type { CatalogEntry } from '../record/merge-product.ts';
import { isSameModeration, type Moderation } from '../record/product-status.ts';
import { findModeration } from '../record/queries.ts';
import {
  type DecisionRow,
  forgetReviewedValues,
  insertDecision,
  markReviewed,
  writeReasons,
} from './queries.ts';
import { reviewedValues, reviewedVersion } from './reviewed-values.ts';

export interface ProductIssues {
  identifier: string;
  internal_id: number;
  state: Moderation;
  /** Empty if the state is `ok`. */
  reasons: ModerationReason[];
  image_problems: ImageProblem[];
}

/** Reasons are empty if the state is `ok`. */
export interface ModerationDecision {
  identifier: string;
  state: Moderation;
  reasons: readonly ModerationReason[];
  /**
   * What the reviewer saw (`reviewedVersion`). A product that shows something else by now, or about which
   * another decision was made meanwhile, is left alone.
   */
  version?: string | undefined;
}

/** A decision is `unchanged` if it was made before, and nothing waited for a review. */
export type DecisionResult = 'updated' | 'unchanged' | 'not_found' | 'changed_meanwhile';

/** Returns undefined if there is no such product. */
export async function productIssues(
  reader: Pick<Reader, 'all' | 'first'>,
  product: { merchantId: number; identifier: string },
): Promise<ProductIssues | undefined> {
  const row = await reader.first(findModeration, product);
  if (row === undefined) return undefined;
  const { internal_id, moderation: state, moderation_reasons: reasons } = row;
  const { merchantId, identifier } = product;
  const image_problems = await imageProblems(reader, { merchantId, productId: internal_id });
  return { identifier, internal_id, state, reasons: readReasons(reasons), image_problems };
}

/**
 * Decides about products of a merchant with the operator's authority, in order, and takes them off the queue
 * of moderation. A product's status follows, unless it is deleted. Repeating a decision changes nothing. The
 * transaction must have locked the merchant.
 */
export async function moderateProducts(
  context: WriteContext & { lowInventory: number },
  decisions: readonly ModerationDecision[],
): Promise<DecisionResult[]> {
  const { lowInventory } = context;
  const drafts = decisions.map(({ identifier, state: moderation, reasons }) => ({
    merchant: null,
    identifier,
    fields: {},
    variations: undefined,
    moderation: { moderation, moderation_reasons: writeReasons(reasons) },
  }));
  const batch = await CatalogBatch.open(context, drafts, { authority: 'operator', lowInventory });
  const made = new Map<string, CatalogEntry>();
  const results = drafts.map((draft, index): DecisionResult => {
    const { identifier } = draft;
    const before = batch.entry(identifier);
    if (before === undefined) return 'not_found';
    const version = decisions[index]?.version;
    if (version !== undefined && version !== reviewedVersion(reviewedValues(before.product)))
      return 'changed_meanwhile';
    const isReviewed = !batch.waitedForReview(identifier) || made.has(identifier);
    const isSame = isSameModeration(before.basis, { ...before.basis, ...draft.moderation });
    if (isReviewed && isSame) return 'unchanged';
    // Another reviewer has decided something else since this one read the queue.
    if (isReviewed && version !== undefined) return 'changed_meanwhile';
    const outcome = batch.apply(draft);
    if (outcome.kind === 'rejected') throw new Error(outcome.problems.map(({ reason }) => reason).join('; '));
    made.set(identifier, batch.entry(identifier) ?? before);
    return 'updated';
  });
  await batch.write();
  recordDecisions(context, [...made.values()]);
  return results;
}

/** Stores the last decision about each product, and what it was about; for test data, nothing. */
function recordDecisions(context: WriteContext, entries: readonly CatalogEntry[]): void {
  const { connection, merchantId, now, who } = context;
  if (entries.length === 0 || modeOf(merchantId) === 'test') return;
  const rows = entries.map(({ product, basis }): DecisionRow => {
    const { internal_id, identifier, title, category } = product;
    return {
      merchant_id: merchantId,
      id: randomUUIDv7(),
      product_id: internal_id,
      identifier,
      title: title ?? '',
      category: category?.split(' | ', 1)[0] ?? '',
      state: basis.moderation,
      reasons: basis.moderation_reasons,
      who: describeActor(who),
      at: now,
      reviewed: JSON.stringify(reviewedValues(product)),
    };
  });
  const keys = rows.map(({ merchant_id, product_id }) => ({ merchant_id, product_id }));
  connection.send(markReviewed, keys);
  connection.send(forgetReviewedValues, keys);
  connection.send(insertDecision, rows);
  const [first] = rows;
  const subject = rows.length === 1 && first !== undefined ? first.identifier : `${rows.length} products`;
  recordAudit(context, { action: 'product.moderated', subject });
}

/**
 * Moderates one product like `moderateProducts`, and returns its moderation.
 * @throws {DomainError} `product_not_found`
 */
export async function moderateProduct(
  context: WriteContext & { lowInventory: number },
  decision: ModerationDecision,
): Promise<ProductIssues> {
  const { connection, merchantId } = context;
  const { identifier } = decision;
  await moderateProducts(context, [decision]);
  const issues = await productIssues(connection, { merchantId, identifier });
  if (issues === undefined) throw errors.product_not_found(identifier);
  return issues;
}
