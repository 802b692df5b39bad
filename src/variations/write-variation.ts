import type { DomainError, Problem } from '../errors/domain-error.ts';
import { errors } from '../errors/errors.ts';
import type { Product, Variation } from '../products/record/product.ts';
import type { VariationDraft } from '../products/record/product-draft.ts';
import type { Action, ProductChange } from '../products/write/change-product.ts';
import {
  checkStockChange,
  readStockChange,
  type StockChange,
  stockProblem,
} from '../products/write/change-stock.ts';
import type { ProductFinder } from '../products/write/find-products.ts';
import { parameterProblems } from '../products/write/problems.ts';
import { changeable } from '../products/write/products.ts';
import { readOnlyProblems, variationChange } from '../products/write/read-draft.ts';
import { formatTime } from '../shared/timestamps.ts';
import type { RetrievedVariation } from './retrieve-variation.ts';

interface NewVariation {
  product_identifier: string;
  identifier: string;
  quantity?: number | null | undefined;
  size?: string | null | undefined;
  color?: string | null | undefined;
  /** Further fields are read-only. */
  [readOnly: string]: unknown;
}

/** A deleted variation of the same product returns with the new values. */
export async function createVariation(
  _: ProductFinder,
  { product_identifier: productIdentifier, identifier, quantity, size, color, ...readOnly }: NewVariation,
): Promise<ProductChange> {
  const sent = readOnlyProblems(readOnly, {});
  if (sent.length > 0) throw errors.invalid_parameters(parameterProblems(sent));
  const draft = { identifier, quantity: quantity ?? null, size: size ?? null, color: color ?? null };
  const isTaken = `a variation with the identifier ${identifier} already exists`;
  return {
    identifier: productIdentifier,
    mentions: { variations: [{ identifier }] },
    read: (before) => {
      const known = variationOf(changeable(before, productIdentifier).product, identifier);
      if (known !== undefined && known.deleted_at === null) throw invalidIdentifier(isTaken);
      return variationChange(productIdentifier, { ...draft, disabled_at: null, deleted_at: null });
    },
    // The only problem that has an entry is that another product has the variation.
    translate: ({ entry, field, value, reason }) => ({
      field: field === 'available_quantity' ? 'quantity' : 'identifier',
      value,
      reason: entry === undefined ? reason : isTaken,
    }),
    show: ({ product }) => JSON.stringify(retrieved(product, identifier)),
  };
}

/** Changes nothing if the stock would be below 0, or if `quantity_was` is not the current quantity. */
export async function updateVariation(
  products: ProductFinder,
  {
    identifier,
    quantity,
    quantity_change,
    quantity_was,
    size,
    color,
    ...readOnly
  }: StockChange & { identifier: string; [readOnly: string]: unknown },
): Promise<ProductChange> {
  const change = { quantity, quantity_change, quantity_was, size, color };
  const problems = checkStockChange(change);
  if (problems.length > 0) throw errors.invalid_parameters(parameterProblems(problems));
  const changed = await changeVariation(products, identifier, (variation) => {
    if (variation.deleted_at !== null) throw deletedVariation(variation);
    const { draft, problems } = readStockChange(variation, change);
    return { draft, problems: [...problems, ...readOnlyProblems(readOnly, variation)] };
  });
  return { ...changed, translate: (problem) => stockProblem(change, problem) };
}

/** Repeating it changes nothing. */
export async function setVariationState(
  products: ProductFinder,
  { identifier, action }: { identifier: string; action: Action },
): Promise<ProductChange> {
  return await changeVariation(products, identifier, (variation, now) => {
    const { disabled_at, deleted_at } = variation;
    if (deleted_at !== null) {
      if (action === 'delete') return null;
      throw deletedVariation(variation);
    }
    const time = formatTime(now);
    const times = {
      disabled_at: action === 'enable' ? null : (disabled_at ?? time),
      deleted_at: action === 'delete' ? time : null,
    };
    return { draft: { identifier, ...times }, problems: [] };
  });
}

/** `read` returns the draft, or null to leave the variation unchanged. */
async function changeVariation(
  products: ProductFinder,
  identifier: string,
  read: (variation: RetrievedVariation, now: number) => { draft: VariationDraft; problems: Problem[] } | null,
): Promise<ProductChange> {
  const owner = await products.identifierOfVariation(identifier);
  return {
    identifier: owner,
    mentions: {},
    read: (before, now) => {
      const { product } = changeable(before, owner);
      const change = read(retrieved(product, identifier), now);
      return change && variationChange(owner, change.draft, change.problems);
    },
    translate: (problem) =>
      problem.field === 'available_quantity' ? { ...problem, field: 'identifier' } : problem,
    recordForIfMatch: ({ product }) => JSON.stringify(retrieved(product, identifier)),
    show: ({ product }) => JSON.stringify(retrieved(product, identifier)),
  };
}

function variationOf({ variations }: Product, identifier: string): Variation | undefined {
  return variations.find((variation) => variation.identifier === identifier);
}

function currentVariation(product: Product, identifier: string): Variation {
  const variation = variationOf(product, identifier);
  if (variation === undefined) throw errors.variation_not_found(identifier);
  return variation;
}

/** Returns a variation as `variations/retrieve` does. */
function retrieved(product: Product, identifier: string): RetrievedVariation {
  return {
    product_identifier: product.identifier,
    product_internal_id: product.internal_id,
    ...currentVariation(product, identifier),
  };
}

function deletedVariation({ identifier }: Variation): DomainError {
  return invalidIdentifier(`the variation ${identifier} is deleted; create it again to use it`);
}

function invalidIdentifier(reason: string): DomainError {
  return errors.invalid_parameters([{ field: 'identifier', reason }]);
}
