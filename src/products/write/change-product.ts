import type { Connection } from '../../database/database.ts';
import { lookUp } from '../../database/look-up.ts';
import { errors } from '../../http/responses/errors.ts';
import { matchesRecord, recordEtag } from '../../http/responses/respond.ts';
import type { Problem } from '../../imports/parsed.ts';
import { CatalogBatch } from '../record/catalog-batch.ts';
import type { CatalogEntry } from '../record/merge-product.ts';
import { type Product, renderProduct } from '../record/product.ts';
import type { ProductDraft } from '../record/product-draft.ts';
import { findProductsByIdentifiers, findProductsByInternalIds } from '../record/queries.ts';
import { parameterProblems } from './problems.ts';
import type { StatedDraft } from './read-draft.ts';

/** What a merchant's write depends on besides its parameters. */
export interface WriteSettings {
  /** The highest stock that counts as low. */
  lowInventory: number;
  /** The number of categories that a merchant may use; null for any. */
  maxCategories: number | null;
}

/** Whose product to change, and when. */
export interface WriteScope extends WriteSettings {
  merchantId: number;
  /** Milliseconds since 1970, after the merchant was locked, so that a later write never has an earlier time. */
  now: number;
  /** Checks `If-Match` against the record before the change; undefined if the request has none. */
  ifMatch: string | undefined;
}

/** The category and variations that a call may state, because their rows are read before it is applied. */
export interface Mentions {
  category?: string | null | undefined;
  variations?: readonly { identifier: string }[] | undefined;
}

/** What calls such as `products/enable` do to a product or a variation. */
export type Action = 'enable' | 'disable' | 'delete';

/** A change of one product. */
export interface ProductChange {
  identifier: string;
  mentions: Mentions;
  /**
   * Returns the draft to apply to the product, or null to leave it unchanged.
   * @throws {HttpError} if the change is not possible
   */
  read(before: CatalogEntry | undefined): StatedDraft | null;
  /** Returns what `If-Match` refers to, if not the product's record. */
  recordForIfMatch?(before: CatalogEntry): string;
  /** Returns the problem in the terms of the call, if it does not have the parameters of `products/update`. */
  translate?(problem: Problem): Problem;
}

/**
 * Applies a merchant's change to one product, and resolves to the product after it. The transaction must have locked
 * the merchant, so that two changes never overlap and each sees the other's result.
 * @throws {HttpError} `invalid_parameters` if the product or the merchant's budgets do not allow it;
 *   `precondition_failed`
 */
export async function changeProduct(
  connection: Connection,
  scope: WriteScope,
  {
    identifier,
    mentions,
    read,
    recordForIfMatch = recordOf,
    translate = (problem) => problem,
  }: ProductChange,
): Promise<Product> {
  const { ifMatch } = scope;
  const batch = await openBatch(connection, scope, [{ ...mentions, identifier }]);
  const before = batch.entry(identifier);
  if (
    ifMatch !== undefined &&
    before !== undefined &&
    !matchesRecord(ifMatch, recordEtag(recordForIfMatch(before)))
  )
    throw errors.precondition_failed();
  const stated = read(before);
  // A product that is created has no record that could match.
  if (ifMatch !== undefined && before === undefined) throw errors.precondition_failed();
  if (stated !== null) {
    const outcome = batch.apply(stated.draft, stated.problems);
    if (outcome.kind === 'rejected')
      throw errors.invalid_parameters(parameterProblems(outcome.problems.map(translate)));
    await batch.write();
  }
  const after = batch.entry(identifier);
  if (after === undefined) throw errors.product_not_found(identifier);
  return after.product;
}

function recordOf({ product }: CatalogEntry): string {
  return renderProduct(product);
}

/** Reads the products that calls name, and everything else that their changes depend on. */
export async function openBatch(
  connection: Connection,
  { merchantId, lowInventory, maxCategories, now }: Omit<WriteScope, 'ifMatch'>,
  calls: readonly (Mentions & { identifier: string })[],
): Promise<CatalogBatch> {
  const mentioned = calls.map(({ identifier, category, variations }): ProductDraft => {
    const fields = category === undefined ? {} : { category };
    return { merchant: null, identifier, fields, variations: variations && [...variations] };
  });
  const settings = { authority: 'merchant', maxCategories, lowInventory, now } as const;
  return await CatalogBatch.open(connection, merchantId, mentioned, settings);
}

/**
 * Returns the identifier of the product that a call names by its identifier, its internal id, or both.
 * @throws {HttpError} `invalid_parameters` if it names none or two; `product_not_found`
 */
export async function identifierOf(
  connection: Connection,
  merchantId: number,
  { identifier, internal_id }: { identifier?: string | undefined; internal_id?: number | undefined },
): Promise<string> {
  if (internal_id === undefined) {
    if (identifier !== undefined) return identifier;
    const reason = 'missing, expected the identifier or the internal_id of a product';
    throw errors.invalid_parameters([{ name: 'identifier', reason }]);
  }
  const [row] = await lookUp(connection, findProductsByInternalIds, merchantId, [internal_id]);
  if (identifier === undefined) {
    if (row === undefined) throw errors.product_not_found(String(internal_id));
    return row.identifier;
  }
  if (row?.identifier === identifier) return identifier;
  const [named] = await lookUp(connection, findProductsByIdentifiers, merchantId, [identifier]);
  if (named === undefined) throw errors.product_not_found(identifier);
  const reason = `read-only: ${identifier} has the internal_id ${named.internal_id}`;
  throw errors.invalid_parameters([{ name: 'internal_id', reason }]);
}

/** Returns what is wrong with a write to a deleted product. */
export function deletedProblem(identifier: string): Problem {
  const reason = `the product ${identifier} is deleted; create it again to use it`;
  return { column: 'identifier', value: identifier, reason };
}
