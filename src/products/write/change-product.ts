import { type RecordFields, recordFields } from '../../api-keys/record-fields.ts';
import type { Actor } from '../../database/actor.ts';
import type { WriteContext } from '../../database/write-context.ts';
import type { Problem } from '../../errors/domain-error.ts';
import { errors } from '../../errors/errors.ts';
import { matchesRecord, recordEtag } from '../../shared/etags.ts';
import { CatalogBatch, type CatalogRead, type MerchantSettings } from '../record/catalog-batch.ts';
import type { CatalogEntry } from '../record/merge-product.ts';
import { renderRecord } from '../record/original-fields.ts';
import type { ProductDraft } from '../record/product-draft.ts';
import { parameterProblems } from './problems.ts';
import type { SentDraft } from './read-draft.ts';

export interface WriteSettings extends MerchantSettings {
  /** The highest stock that counts as low. */
  lowInventory: number;
}

/** The category and variations that a call may state: their rows are read before it is applied. */
interface Mentions {
  category?: string | null | undefined;
  variations?: readonly { identifier: string }[] | undefined;
}

export type Action = 'enable' | 'disable' | 'delete';

export interface ProductChange {
  identifier: string;
  mentions: Mentions;
  /**
   * Returns the draft to apply to the product, or null to leave it unchanged. `now` is the time of the write.
   * @throws {DomainError} if the change is not possible
   */
  read(before: CatalogEntry | undefined, now: number): SentDraft | null;
  /** Returns what `If-Match` refers to, if not the product's record, with these fields or others. */
  recordForIfMatch?(before: CatalogEntry, fields: RecordFields): string;
  /** Returns the problem in the call's terms, if these differ from `products/update`. */
  translate?(problem: Problem): Problem;
  /** Returns the record of the response as JSON. New products and variations have their ids by then. */
  show(after: CatalogEntry, fields: RecordFields): string;
}

/**
 * Applies a merchant's change to one product of a batch, and returns the new state. `ifMatch` is the header.
 * @throws {DomainError} `invalid_parameters` if the product or the merchant's budgets do not allow it;
 *   `precondition_failed`; `product_not_found`. The batch is then as before.
 */
export function applyChange(
  batch: CatalogBatch,
  { identifier, read, recordForIfMatch = renderRecord, translate = (problem) => problem }: ProductChange,
  { ifMatch, now, who }: { ifMatch: string | undefined; now: number; who: Actor },
): CatalogEntry {
  const before = batch.entry(identifier);
  if (
    ifMatch !== undefined &&
    before !== undefined &&
    !recordFields.some((fields) => matchesRecord(ifMatch, recordEtag(recordForIfMatch(before, fields))))
  )
    throw errors.precondition_failed();
  const sent = read(before, now);
  // A product that is created has no record that could match.
  if (ifMatch !== undefined && before === undefined) throw errors.precondition_failed();
  if (sent !== null) {
    const outcome = batch.apply(sent.draft, sent.problems, who);
    if (outcome.kind === 'rejected')
      throw errors.invalid_parameters(parameterProblems(outcome.problems.map(translate)));
  }
  const after = batch.entry(identifier);
  if (after === undefined) throw errors.product_not_found(identifier);
  return after;
}

/** Reads the products that calls name, and what else their changes depend on, unless it is in `read`. */
export async function openBatch(
  context: WriteContext & WriteSettings,
  calls: readonly (Mentions & { identifier: string })[],
  read?: CatalogRead,
): Promise<CatalogBatch> {
  const mentioned = calls.map(({ identifier, category, variations }): ProductDraft => {
    const fields = category === undefined ? {} : { category };
    return { merchant: null, identifier, fields, variations: variations && [...variations] };
  });
  const { lowInventory, maxCategories, onlyListedCategories, moderationQueue } = context;
  const rules = { maxCategories, onlyListedCategories, moderationQueue };
  const settings = { authority: 'merchant', lowInventory, ...rules } as const;
  return await CatalogBatch.open(context, mentioned, settings, read);
}

export function deletedProblem(identifier: string): Problem {
  const reason = `the product ${identifier} is deleted; create it again to use it`;
  return { field: 'identifier', value: identifier, reason };
}
