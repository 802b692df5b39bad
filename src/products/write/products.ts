import type { Connection } from '../../database/database.ts';
import { errors } from '../../http/responses/errors.ts';
import { formatTime } from '../../shared/timestamps.ts';
import type { CatalogEntry } from '../record/merge-product.ts';
import type { Product } from '../record/product.ts';
import {
  type Action,
  changeProduct,
  deletedProblem,
  identifierOf,
  type WriteScope,
} from './change-product.ts';
import type { ProductInput } from './parameters.ts';
import { parameterProblems } from './problems.ts';
import { readDraft, readNewDraft } from './read-draft.ts';

/** Creates a product. A deleted one with the identifier returns with the new values. */
export async function createProduct(
  connection: Connection,
  scope: WriteScope,
  input: ProductInput & { identifier: string },
): Promise<Product> {
  const { identifier } = input;
  return await changeProduct(connection, scope, {
    identifier,
    mentions: input,
    read: (before) => {
      if (before !== undefined && !isDeleted(before)) {
        const reason = `a product with the identifier ${identifier} already exists`;
        throw errors.invalid_parameters([{ name: 'identifier', reason }]);
      }
      return readNewDraft(identifier, input, before);
    },
  });
}

/** Changes the stated fields and variations of a product. A deleted product accepts no update. */
export async function updateProduct(
  connection: Connection,
  scope: WriteScope,
  input: ProductInput,
): Promise<Product> {
  const identifier = await identifierOf(connection, scope.merchantId, {
    identifier: input.identifier,
    internal_id: input.internal_id ?? undefined,
  });
  return await changeProduct(connection, scope, {
    identifier,
    mentions: input,
    read: (before) => readDraft(identifier, input, changeable(before, identifier)),
  });
}

/** Enables, disables or deletes a product. Repeating it changes nothing. */
export async function setProductState(
  connection: Connection,
  scope: WriteScope,
  { identifier, action }: { identifier: string; action: Action },
): Promise<Product> {
  const now = formatTime(scope.now);
  return await changeProduct(connection, scope, {
    identifier,
    mentions: {},
    read: (before) => {
      if (before === undefined) throw errors.product_not_found(identifier);
      const { disabled_at, status } = before.product;
      if (action === 'delete' && isDeleted(before)) return null;
      changeable(before, identifier);
      const isDisabled = disabled_at !== null || status === 'disabled';
      if (action !== 'delete' && isDisabled === (action === 'disable')) return null;
      const times = {
        disabled_at: action === 'enable' ? null : (disabled_at ?? now),
        deleted_at: action === 'delete' ? now : null,
      };
      const draft = { merchant: null, identifier, fields: {}, variations: undefined, times };
      return { draft, problems: [] };
    },
  });
}

/** Whether a product is deleted. The operator's files may state the status without the time. */
export function isDeleted({ product: { status, deleted_at } }: CatalogEntry): boolean {
  return status === 'deleted' || deleted_at !== null;
}

/** Returns the product. @throws {HttpError} if there is none, or if it is deleted */
export function changeable(before: CatalogEntry | undefined, identifier: string): CatalogEntry {
  if (before === undefined) throw errors.product_not_found(identifier);
  if (isDeleted(before)) throw errors.invalid_parameters(parameterProblems([deletedProblem(identifier)]));
  return before;
}
