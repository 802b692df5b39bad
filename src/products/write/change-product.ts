import type { Connection } from '../../database/database.ts';
import { lookUp } from '../../database/look-up.ts';
import { errors, type HttpError } from '../../http/responses/errors.ts';
import { matchesRecord, recordEtag } from '../../http/responses/respond.ts';
import { CatalogBatch } from '../record/catalog-batch.ts';
import type { CatalogEntry } from '../record/merge-product.ts';
import { type Product, renderProduct } from '../record/product.ts';
import type { ProductDraft } from '../record/product-draft.ts';
import { claimMerchant, findProductsByInternalIds } from '../record/queries.ts';
import { problemOf, type StatedDraft } from './read-draft.ts';

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
  /** Milliseconds since 1970. */
  now: number;
  /** Checks `If-Match` against the record before the change; undefined if the request has none. */
  ifMatch: string | undefined;
}

/** A change of one product. */
export interface ProductChange {
  identifier: string;
  /** The category and variations that the change may state, because their rows are read before it is applied. */
  mentions: Pick<ProductDraft, 'variations'> & { category?: string | null | undefined };
  /**
   * Returns the draft to apply to the product, or null to leave it unchanged.
   * @throws {HttpError} if the change is not possible
   */
  read(before: CatalogEntry | undefined): StatedDraft | null;
  /** Returns what `If-Match` refers to, if not the product's record. */
  matched?(before: CatalogEntry): string;
}

/**
 * Applies a merchant's change to one product, inside a transaction, and resolves to the product after it. Two changes of
 * one merchant never overlap, so each sees the other's result.
 * @throws {HttpError} `invalid_parameters` if the product or the merchant's budgets do not allow it;
 *   `precondition_failed`
 */
export async function changeProduct(
  connection: Connection,
  { merchantId, now, lowInventory, maxCategories, ifMatch }: WriteScope,
  { identifier, mentions: { category, variations }, read, matched = recordOf }: ProductChange,
): Promise<Product> {
  await connection.run(claimMerchant, { merchantId });
  const mentioned: ProductDraft = {
    merchant: null,
    identifier,
    fields: category === undefined ? {} : { category },
    variations,
  };
  const settings = { authority: 'merchant', maxCategories, lowInventory, now } as const;
  const batch = await CatalogBatch.open(connection, merchantId, [mentioned], settings);
  const before = batch.entry(identifier);
  if (ifMatch !== undefined && before !== undefined && !matchesRecord(ifMatch, recordEtag(matched(before))))
    throw errors.precondition_failed();
  const stated = read(before);
  // A product that is created has no record that could match.
  if (ifMatch !== undefined && before === undefined) throw errors.precondition_failed();
  if (stated !== null) {
    const outcome = batch.apply(stated.draft);
    const found = outcome.kind === 'rejected' ? outcome.problems.map(problemOf) : [];
    const named = new Set(stated.problems.map(({ name }) => name));
    const problems = [...stated.problems, ...found.filter(({ name }) => !named.has(name))];
    if (problems.length > 0) throw errors.invalid_parameters(problems);
    await batch.write();
  }
  const after = batch.entry(identifier);
  if (after === undefined) throw errors.product_not_found(identifier);
  return after.product;
}

function recordOf({ product }: CatalogEntry): string {
  return renderProduct(product);
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
  if (row === undefined) throw errors.product_not_found(identifier ?? String(internal_id));
  if (identifier !== undefined && identifier !== row.identifier) {
    const reason = `does not belong to ${identifier}: send only one of the two`;
    throw errors.invalid_parameters([{ name: 'internal_id', reason }]);
  }
  return row.identifier;
}

/** Returns the error of a write to a deleted product. */
export function deletedError(identifier: string): HttpError {
  const reason = `the product ${identifier} is deleted; create it again to use it`;
  return errors.invalid_parameters([{ name: 'identifier', reason }]);
}
