import type { Connection } from '../database/database.ts';
import { lookUp } from '../database/look-up.ts';
import { errors, type HttpError, type ParameterProblem } from '../http/responses/errors.ts';
import type { CatalogEntry } from '../products/record/merge-product.ts';
import { MAX_COUNT, type Product, type Variation } from '../products/record/product.ts';
import type { ProductDraft, VariationDraft } from '../products/record/product-draft.ts';
import { findProductsByInternalIds, findVariationOwners } from '../products/record/queries.ts';
import { changeProduct, type WriteScope } from '../products/write/change-product.ts';
import { changeable } from '../products/write/products.ts';
import type { StatedDraft } from '../products/write/read-draft.ts';
import { formatTime } from '../shared/timestamps.ts';
import type { RetrievedVariation } from './retrieve-variation.ts';

/** The parameters of a new variation. */
export interface NewVariation {
  product_identifier: string;
  identifier: string;
  quantity?: number | null | undefined;
  size?: string | null | undefined;
  color?: string | null | undefined;
}

/** A change of a variation's stock: to a value, or by a number of units. */
export interface StockChange {
  identifier: string;
  quantity?: number | null | undefined;
  quantity_change?: number | undefined;
  /** The stock that the change is based on. */
  quantity_was?: number | undefined;
  /** Fixed when the variation is created; may be sent with their current values. */
  size?: string | null | undefined;
  color?: string | null | undefined;
}

/** What `variations/enable`, `variations/disable` and `variations/delete` do. */
export type VariationAction = 'enable' | 'disable' | 'delete';

/** Adds a variation to a product. A deleted one of the same product returns with the new values. */
export async function createVariation(
  connection: Connection,
  scope: WriteScope,
  { product_identifier: productIdentifier, identifier, quantity, size, color }: NewVariation,
): Promise<RetrievedVariation> {
  const draft = { identifier, quantity: quantity ?? null, size: size ?? null, color: color ?? null };
  const [owner] = await lookUp(connection, findVariationOwners, scope.merchantId, [identifier]);
  const product = await changeProduct(connection, scope, {
    identifier: productIdentifier,
    mentions: { variations: [{ identifier }] },
    read: (before) => {
      const { product } = changeable(before, productIdentifier);
      const known = variationOf(product, identifier);
      const isForeign = owner !== undefined && owner.product_id !== product.internal_id;
      if (isForeign || (known !== undefined && known.deleted_at === null))
        throw invalid('identifier', `a variation with the identifier ${identifier} already exists`);
      return stated(productIdentifier, { ...draft, disabled_at: null, deleted_at: null });
    },
  });
  return retrieved(product, identifier);
}

/**
 * Changes a variation's stock. Nothing changes if the result would be below 0, or if `quantity_was` is not the current
 * quantity.
 */
export async function updateVariation(
  connection: Connection,
  scope: WriteScope,
  change: StockChange,
): Promise<RetrievedVariation> {
  if (change.quantity != null && change.quantity_change !== undefined)
    throw invalid('quantity_change', 'expected either quantity or quantity_change');
  if (change.quantity === undefined && change.quantity_change === undefined)
    throw invalid('quantity', 'missing, expected quantity or quantity_change');
  return await changeVariation(connection, scope, change.identifier, (variation) => {
    const problems = stockProblems(variation, change);
    if (problems.length > 0) throw errors.invalid_parameters(problems);
    const quantity =
      change.quantity_change === undefined
        ? change.quantity
        : (variation.quantity ?? 0) + change.quantity_change;
    if (quantity === undefined) return null;
    if (variation.deleted_at !== null) throw deletedVariation(variation);
    return { identifier: variation.identifier, quantity, deleted_at: null };
  });
}

/** Enables, disables or deletes a variation. Repeating it changes nothing. */
export async function setVariationState(
  connection: Connection,
  scope: WriteScope,
  { identifier, action }: { identifier: string; action: VariationAction },
): Promise<RetrievedVariation> {
  const now = formatTime(scope.now);
  return await changeVariation(connection, scope, identifier, (variation) => {
    const { disabled_at, deleted_at } = variation;
    if (deleted_at !== null) {
      if (action === 'delete') return null;
      throw deletedVariation(variation);
    }
    return {
      identifier,
      disabled_at: action === 'enable' ? null : (disabled_at ?? now),
      deleted_at: action === 'delete' ? now : null,
    };
  });
}

/** Applies a change to a variation; `read` returns its draft, or null to leave it unchanged. */
async function changeVariation(
  connection: Connection,
  scope: WriteScope,
  identifier: string,
  read: (variation: Variation) => VariationDraft | null,
): Promise<RetrievedVariation> {
  const { merchantId } = scope;
  const [owner] = await lookUp(connection, findVariationOwners, merchantId, [identifier]);
  const [row] = await lookUp(
    connection,
    findProductsByInternalIds,
    merchantId,
    owner === undefined ? [] : [owner.product_id],
  );
  if (row === undefined) throw errors.variation_not_found(identifier);
  const current = ({ product }: Pick<CatalogEntry, 'product'>): Variation => {
    const variation = variationOf(product, identifier);
    if (variation === undefined) throw errors.variation_not_found(identifier);
    return variation;
  };
  const product = await changeProduct(connection, scope, {
    identifier: row.identifier,
    mentions: { variations: [{ identifier }] },
    read: (before) => {
      const draft = read(current(changeable(before, row.identifier)));
      return draft && stated(row.identifier, draft);
    },
    matched: ({ product }) => JSON.stringify(retrieved(product, identifier)),
  });
  return retrieved(product, identifier);
}

function stockProblems(
  { quantity: current, size, color }: Variation,
  { quantity_change: change, quantity_was: was, ...sent }: StockChange,
): ParameterProblem[] {
  const problems: ParameterProblem[] = [];
  const units = current ?? 0;
  if (was !== undefined && was !== units)
    problems.push({ name: 'quantity_was', reason: `the current quantity is ${units}, not ${was}` });
  if (change !== undefined && (units + change < 0 || units + change > MAX_COUNT)) {
    const reason = `the current quantity is ${units}: expected a result from 0 to ${MAX_COUNT}`;
    problems.push({ name: 'quantity_change', reason });
  }
  for (const [name, value] of Object.entries({ size, color })) {
    const other = sent[name as 'size' | 'color'];
    if (other === undefined || other === value) continue;
    const reason = `fixed when the variation was created: expected ${value === null ? 'none' : `"${value}"`}`;
    problems.push({ name, reason });
  }
  return problems;
}

function stated(identifier: string, variation: VariationDraft): StatedDraft {
  const draft: ProductDraft = {
    merchant: null,
    identifier,
    fields: {},
    variations: [variation],
    keepsUnlisted: true,
  };
  return { draft, problems: [] };
}

function variationOf({ variations }: Product, identifier: string): Variation | undefined {
  return variations.find((variation) => variation.identifier === identifier);
}

/** Returns a variation as `variations/retrieve` does. */
function retrieved(product: Product, identifier: string): RetrievedVariation {
  const variation = variationOf(product, identifier);
  if (variation === undefined) throw errors.variation_not_found(identifier);
  return {
    product_identifier: product.identifier,
    product_internal_id: product.internal_id,
    ...variation,
  };
}

function deletedVariation({ identifier }: Variation): HttpError {
  return invalid('identifier', `the variation ${identifier} is deleted; create it again to use it`);
}

function invalid(name: string, reason: string): HttpError {
  return errors.invalid_parameters([{ name, reason }]);
}
