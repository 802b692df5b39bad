import type { ParameterProblem } from '../../http/responses/errors.ts';
import type { CatalogEntry } from '../record/merge-product.ts';
import { productFields, type Variation } from '../record/product.ts';
import type { ProductDraft, VariationDraft } from '../record/product-draft.ts';
import { aliases, type ProductInput } from './parameters.ts';

/** A draft of what a call states, and what is wrong with it. */
export interface StatedDraft {
  draft: ProductDraft;
  problems: ParameterProblem[];
}

type VariationInput = NonNullable<ProductInput['variations']>[number];

const READ_ONLY = 'read-only: set by the service';
const fieldNames = Object.keys(productFields).filter(
  (name) => !['identifier', 'internal_id', 'variations'].includes(name),
) as (keyof ProductDraft['fields'])[];
const readOnlyFields = fieldNames.filter(
  (name) => name !== 'available_quantity' && productFields[name].owner !== 'merchant',
);
const merchantFields = fieldNames.filter((name) => productFields[name].owner === 'merchant');

/**
 * Returns the draft of an update. Read-only fields may have their current value or none; `limitMerchantDraft` checks
 * those that files may have too. Listed variations are added or changed, and others are left unchanged.
 */
export function readDraft(
  identifier: string,
  input: ProductInput,
  before: CatalogEntry | undefined,
  storedVariations = before?.product.variations.length ?? 0,
): StatedDraft {
  const problems: ParameterProblem[] = [];
  const current = before?.product;
  const stated: Record<string, unknown> = { ...input };
  for (const [alias, name] of Object.entries(aliases)) {
    const value = stated[alias];
    if (value === undefined) continue;
    if (stated[name] !== undefined && stated[name] !== value)
      problems.push({ name: alias, reason: `differs from ${name}: send only one of the two` });
    stated[name] = value;
  }
  const { internal_id } = input;
  if (internal_id !== undefined && internal_id !== null && internal_id !== current?.internal_id)
    problems.push({ name: 'internal_id', reason: READ_ONLY });
  if (stated.status !== undefined && stated.status !== null && stated.status !== current?.status)
    problems.push({ name: 'status', reason: READ_ONLY });
  const hasVariations = storedVariations + (input.variations?.length ?? 0) > 0;
  for (const name of readOnlyFields) {
    if (stated[name] !== null) continue;
    // Null is the current value of a field without one.
    stated[name] = undefined;
    if ((current?.[name] ?? null) !== null) problems.push({ name, reason: READ_ONLY });
  }
  const { available_quantity } = input;
  if (hasVariations && available_quantity !== undefined && available_quantity !== null) {
    if (available_quantity !== current?.available_quantity)
      problems.push({
        name: 'available_quantity',
        reason: 'read-only: the sum of the variations’ quantities',
      });
    stated.available_quantity = undefined;
  }
  const fields: Record<string, unknown> = {};
  for (const name of fieldNames) if (stated[name] !== undefined) fields[name] = stated[name];
  const known = new Map(current?.variations.map((variation) => [variation.identifier, variation]));
  const variations = input.variations?.map((variation) =>
    readVariation(variation, known.get(variation.identifier), problems),
  );
  return {
    draft: { merchant: null, identifier, fields, variations, keepsUnlisted: true },
    problems,
  };
}

/**
 * Returns the draft of a new product. If `before` is a deleted product with the identifier, it returns with the new
 * values only: fields and variations that are not stated are cleared.
 */
export function readNewDraft(
  identifier: string,
  input: ProductInput,
  before: CatalogEntry | undefined,
): StatedDraft {
  const { draft, problems } = readDraft(identifier, input, undefined, before?.product.variations.length);
  if (before === undefined) return { draft, problems };
  const cleared = Object.fromEntries(merchantFields.map((name) => [name, null]));
  const fields = { ...cleared, available_quantity: null, ...draft.fields };
  const times = { disabled_at: null, deleted_at: null };
  const variations = (draft.variations ?? []).map(({ identifier, quantity, size, color }) => ({
    identifier,
    quantity: quantity ?? null,
    size: size ?? null,
    color: color ?? null,
    disabled_at: null,
  }));
  return { draft: { merchant: null, identifier, fields, variations, times }, problems };
}

function readVariation(
  { identifier, quantity, size, color, ...readOnly }: VariationInput,
  before: Variation | undefined,
  problems: ParameterProblem[],
): VariationDraft {
  const fail = (name: string, reason: string): void =>
    void problems.push({ name: `variations[${identifier}][${name}]`, reason });
  for (const [name, value] of Object.entries(readOnly)) {
    if (value !== undefined && value !== null && value !== before?.[name as keyof Variation])
      fail(name, READ_ONLY);
  }
  for (const [name, value] of Object.entries({ size, color })) {
    const fixed = before?.[name as 'size' | 'color'];
    if (before !== undefined && value !== undefined && value !== fixed)
      fail(name, `fixed when the variation was created: expected ${fixed === null ? 'none' : `"${fixed}"`}`);
  }
  const isDeleted = before !== undefined && before.deleted_at !== null;
  if (isDeleted && quantity !== undefined && quantity !== before.quantity)
    fail('quantity', 'this variation is deleted');
  return { identifier, quantity, size, color, deleted_at: before?.deleted_at } as VariationDraft;
}

/** Returns the name of a problem's parameter: files call it a column. */
export function problemOf({ column, reason }: { column: string; reason: string }): ParameterProblem {
  return { name: column, reason };
}
