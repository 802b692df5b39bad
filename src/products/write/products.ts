import { errors } from '../../errors/errors.ts';
import { formatTime } from '../../shared/timestamps.ts';
import type { CatalogEntry } from '../record/merge-product.ts';
import { renderRecord } from '../record/original-fields.ts';
import type { Product } from '../record/product.ts';
import type { ProductDraft } from '../record/product-draft.ts';
import { type Action, deletedProblem, type ProductChange } from './change-product.ts';
import type { ProductFinder } from './find-products.ts';
import type { ProductInput } from './parameters.ts';
import { parameterProblems } from './problems.ts';
import { readDraft, readNewDraft } from './read-draft.ts';
import { withoutNewVariations } from './stock-scope.ts';

/** Creates a product. A deleted one with the identifier returns with the new values. */
export async function createProduct(
  _: ProductFinder,
  input: ProductInput & { identifier: string },
): Promise<ProductChange> {
  const { identifier } = input;
  return {
    identifier,
    mentions: input,
    read: (before) => {
      if (before !== undefined && !isDeleted(before.product)) {
        const reason = `a product with the identifier ${identifier} already exists`;
        throw errors.invalid_parameters([{ field: 'identifier', reason }]);
      }
      return readNewDraft(identifier, input, before);
    },
    show: renderRecord,
  };
}

/**
 * Changes the sent fields and variations. A deleted product accepts no update. With `onlyQuantities`, which
 * does not check the fields, it adds no variation.
 */
export async function updateProduct(
  products: ProductFinder,
  input: ProductInput & { onlyQuantities?: true | undefined },
): Promise<ProductChange> {
  const identifier = await products.identifierOf({
    identifier: input.identifier,
    internal_id: input.internal_id ?? undefined,
  });
  return {
    identifier,
    mentions: input,
    read: (before) => {
      const current = changeable(before, identifier);
      const sent = readDraft(identifier, input, current);
      return input.onlyQuantities ? withoutNewVariations(sent, current.product) : sent;
    },
    show: renderRecord,
  };
}

/** `enable_catalog_only` enables a product for sale from the catalog, without placing it in auctions. */
export type ProductAction = Action | 'enable_catalog_only';

/** Repeating it changes nothing. */
export async function setProductState(
  _: ProductFinder,
  { identifier, action }: { identifier: string; action: ProductAction },
): Promise<ProductChange> {
  return {
    identifier,
    mentions: {},
    read: (before, now) => {
      if (before === undefined) throw errors.product_not_found(identifier);
      if (action === 'delete' && isDeleted(before.product)) return null;
      const times = changedTimes(changeable(before, identifier).product, action, formatTime(now));
      if (times === undefined) return null;
      const draft = { merchant: null, identifier, fields: {}, variations: undefined, times };
      return { draft, problems: [] };
    },
    show: renderRecord,
  };
}

/** Returns the times that an action changes; undefined if it changes nothing. */
function changedTimes(product: Product, action: ProductAction, now: string): ProductDraft['times'] {
  const { disabled_at, catalog_only_at } = product;
  if (action === 'delete') return { disabled_at: disabled_at ?? now, deleted_at: now };
  const wasDisabled = isDisabled(product);
  if (action === 'disable') return wasDisabled ? undefined : { disabled_at: now };
  // Kept while the product is disabled, so that disabling and enabling it this way leaves it as it was.
  const after = action === 'enable' ? null : (catalog_only_at ?? now);
  if (wasDisabled) return { disabled_at: null, catalog_only_at: after };
  return after === catalog_only_at ? undefined : { catalog_only_at: after };
}

/** The operator's files may state the status without the time. */
export function isDeleted({ status, deleted_at }: Product): boolean {
  return status === 'deleted' || deleted_at !== null;
}

/** Like `isDeleted`. */
export function isDisabled({ status, disabled_at }: Product): boolean {
  return status === 'disabled' || disabled_at !== null;
}

/** Returns the product. @throws {DomainError} if there is none, or if it is deleted */
export function changeable(before: CatalogEntry | undefined, identifier: string): CatalogEntry {
  if (before === undefined) throw errors.product_not_found(identifier);
  if (isDeleted(before.product))
    throw errors.invalid_parameters(parameterProblems([deletedProblem(identifier)]));
  return before;
}
