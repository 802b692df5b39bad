import { lookUp } from '../database/look-up.ts';
import type { TransactionContext } from '../database/write-context.ts';
import { errors } from '../errors/errors.ts';
import { type Product, type ProductStatus, parseProduct } from '../products/record/product.ts';
import { findProductsByIdentifiers } from '../products/record/queries.ts';
import { findNewestProduct } from './queries.ts';

/** Without a choice of the caller, the newest product with the first of these statuses is taken. */
const preferred = [
  'in_stock',
  'enabled',
  'low_inventory',
  'sold_out',
  'disabled',
  'problematic',
  'banned',
] as const satisfies ProductStatus[];

/**
 * Resolves to the product with an identifier, or else to one that is for sale, if there is one.
 * @throws {DomainError} `product_not_found`; `invalid_parameters` if the test side has no product
 */
export async function productFor(
  context: TransactionContext,
  identifier: string | undefined,
): Promise<Product> {
  const product = await findProduct(context, identifier);
  if (product !== undefined) return product;
  const reason =
    'missing, and the test side has no product to take; create one with POST products, or call POST test/reset ' +
    'with samples=true';
  throw errors.invalid_parameters([{ field: 'product_identifier', reason }]);
}

/**
 * Like `productFor`, but resolves to undefined if the test side has no product.
 * @throws {DomainError} `product_not_found`
 */
export async function findProduct(
  context: TransactionContext,
  identifier: string | undefined,
): Promise<Product | undefined> {
  const { connection, merchantId } = context;
  const taken = identifier ?? (await newestProduct(context));
  if (taken === undefined) return undefined;
  const [row] = await lookUp(connection, findProductsByIdentifiers, merchantId, [taken]);
  if (row === undefined) throw errors.product_not_found(taken);
  return parseProduct(row.record);
}

async function newestProduct({ connection, merchantId }: TransactionContext): Promise<string | undefined> {
  for (const status of preferred) {
    const row = await connection.first(findNewestProduct, { merchantId, status });
    if (row !== undefined) return row.identifier;
  }
  return undefined;
}
