import { errors } from '../../errors/errors.ts';
import { formatTime } from '../../shared/timestamps.ts';
import type { CatalogEntry } from '../record/merge-product.ts';
import { type Product, renderProduct } from '../record/product.ts';
import { type Action, deletedProblem, type ProductChange } from './change-product.ts';
import type { ProductFinder } from './find-products.ts';
import type { ProductInput } from './parameters.ts';
import { parameterProblems } from './problems.ts';
import { readDraft, readNewDraft } from './read-draft.ts';

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
    show: renderProduct,
  };
}

/** Changes the sent fields and variations. A deleted product accepts no update. */
export async function updateProduct(products: ProductFinder, input: ProductInput): Promise<ProductChange> {
  const identifier = await products.identifierOf({
    identifier: input.identifier,
    internal_id: input.internal_id ?? undefined,
  });
  return {
    identifier,
    mentions: input,
    read: (before) => readDraft(identifier, input, changeable(before, identifier)),
    show: renderProduct,
  };
}

/** Repeating it changes nothing. */
export async function setProductState(
  _: ProductFinder,
  { identifier, action }: { identifier: string; action: Action },
): Promise<ProductChange> {
  return {
    identifier,
    mentions: {},
    read: (before, now) => {
      if (before === undefined) throw errors.product_not_found(identifier);
      const { disabled_at } = before.product;
      if (action === 'delete' && isDeleted(before.product)) return null;
      changeable(before, identifier);
      if (action !== 'delete' && isDisabled(before.product) === (action === 'disable')) return null;
      const time = formatTime(now);
      const times = {
        disabled_at: action === 'enable' ? null : (disabled_at ?? time),
        deleted_at: action === 'delete' ? time : null,
      };
      const draft = { merchant: null, identifier, fields: {}, variations: undefined, times };
      return { draft, problems: [] };
    },
    show: renderProduct,
  };
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
