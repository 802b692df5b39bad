import type { Problem } from '../../errors/domain-error.ts';
import { readOnlyFields, readOnlyReasons } from '../record/limit-merchant-draft.ts';
import type { CatalogEntry } from '../record/merge-product.ts';
import { productFields, type Variation } from '../record/product.ts';
import type { ProductDraft, VariationDraft } from '../record/product-draft.ts';
import { originalParameterNames } from './original-parameters.ts';
import { aliases, NO_QUANTITY, type ProductInput } from './parameters.ts';

export interface SentDraft {
  draft: ProductDraft;
  problems: Problem[];
}

type VariationInput = NonNullable<ProductInput['variations']>[number];

const READ_ONLY = readOnlyReasons.derived;
const STATUS_CALLS = `${READ_ONLY}; to change it, use products/disable, products/enable or products/delete`;
/** A `>` between two levels, as other shops write them; not in a name such as “Laptops >15 inch”. */
const OTHER_SEPARATOR = /\S>\S|\s>\s/;
const fieldNames = Object.keys(productFields).filter(
  (name) => !['identifier', 'internal_id', 'variations'].includes(name),
) as (keyof ProductDraft['fields'])[];
const merchantFields = fieldNames.filter((name) => productFields[name].owner === 'merchant');
const notClearable = [
  // Published clients send null for `catalog_only_at`, whether or not it has a value.
  ...readOnlyFields.filter(({ name }) => name !== 'catalog_only_at'),
  { name: 'status', reason: READ_ONLY },
  { name: 'title', reason: 'expected text, not null' },
] as const;

/**
 * Returns the draft of a create or an update. A create has no `before`; it ignores an internal id, and a
 * quantity next to variations. Parameters that no draft can have are left out, and become problems if
 * invalid: older names of fields, the internal id, and null for fields that null cannot clear.
 * `CatalogBatch.apply` checks the draft itself, like a file's. Unlisted variations stay as they are.
 */
export function readDraft(
  identifier: string,
  input: ProductInput,
  before: CatalogEntry | undefined,
  storedVariations = before?.product.variations.length ?? 0,
): SentDraft {
  const problems: Problem[] = [];
  const fail = (field: string, value: unknown, reason: string): void =>
    void problems.push({ field, value, reason });
  const current = before?.product;
  const sent: Record<string, unknown> = { ...input };
  for (const [alias, name] of Object.entries(aliases)) {
    // Clients of the original send both; the newer name takes precedence, unless only the older one differs
    // from the record.
    const isOlderNew = (sent[alias] ?? null) !== null && sent[name] === current?.[name];
    if (sent[name] === undefined || isOlderNew) sent[name] = sent[alias];
  }
  const { internal_id: id = null, status = null, category = null } = input;
  if (current !== undefined && id !== null && id !== current.internal_id) fail('internal_id', id, READ_ONLY);
  if (status !== null && status !== current?.status) fail('status', status, STATUS_CALLS);
  if (category !== null && category !== current?.category && OTHER_SEPARATOR.test(category))
    fail('category', category, 'levels are separated by |, as in Home | Garden, and not by >');
  for (const { name, reason } of notClearable) {
    if (sent[name] !== null) continue;
    // Null is the current value of a field without one.
    sent[name] = undefined;
    if ((current?.[name] ?? null) !== null) fail(name, null, reason);
  }
  const hasVariations = storedVariations + (input.variations?.length ?? 0) > 0;
  const { available_quantity: units } = input;
  if (hasVariations && units !== undefined && units !== null) {
    if (current !== undefined && units !== current.available_quantity)
      fail('available_quantity', units, 'read-only: the sum of the variations’ quantities');
    sent.available_quantity = undefined;
  } else if (Number.isNaN(units)) fail('available_quantity', units, NO_QUANTITY);
  const fields: Record<string, unknown> = {};
  for (const name of fieldNames) if (sent[name] !== undefined) fields[name] = sent[name];
  const original = originalParameterNames.flatMap((name) =>
    input[name] === undefined ? [] : [[name, input[name]] as const],
  );
  const known = knownVariations(current?.variations ?? [], input.variations ?? []);
  const variations = input.variations?.map((variation) =>
    readVariation(variation, known.get(variation.identifier), problems),
  );
  return {
    draft: {
      merchant: null,
      identifier,
      fields,
      variations,
      keepsUnlisted: true,
      ...(original.length > 0 && { original: Object.fromEntries(original) }),
    },
    problems,
  };
}

/**
 * Returns the draft of a new product. A deleted product (`before`) returns with the new values only: fields
 * and variations that are not sent are cleared.
 */
export function readNewDraft(
  identifier: string,
  input: ProductInput,
  before: CatalogEntry | undefined,
): SentDraft {
  const { draft, problems } = readDraft(identifier, input, undefined, before?.product.variations.length);
  if (before === undefined) return { draft, problems };
  const cleared = Object.fromEntries(merchantFields.map((name) => [name, null]));
  const fields = { ...cleared, available_quantity: null, ...draft.fields };
  const times = { disabled_at: null, deleted_at: null, catalog_only_at: null };
  const variations = (draft.variations ?? []).map(({ identifier, quantity, size, color }) => ({
    identifier,
    quantity: quantity ?? null,
    size: size ?? null,
    color: color ?? null,
    disabled_at: null,
  }));
  const { keepsUnlisted: _, ...kept } = draft;
  return { draft: { ...kept, fields, variations, times }, problems };
}

export function variationChange(
  identifier: string,
  variation: VariationDraft,
  problems: Problem[] = [],
): SentDraft {
  const draft = { merchant: null, identifier, fields: {}, variations: [variation] };
  return { draft: { ...draft, keepsUnlisted: true }, problems };
}

/** Returns a problem for a size or color that differs from the variation's. */
export function fixedProblems(
  variation: Pick<Variation, 'size' | 'color'>,
  sent: { size?: string | null | undefined; color?: string | null | undefined },
): Problem[] {
  return (['size', 'color'] as const).flatMap((field) => {
    const [value, current] = [sent[field], variation[field]];
    if (value === undefined || value === current) return [];
    const expected = current === null ? 'none' : `"${current}"`;
    return [{ field, value, reason: `cannot change after creation: expected ${expected}` }];
  });
}

/** Returns a problem for each read-only field that differs from the record. A new record has no values. */
export function readOnlyProblems(sent: object, current: object): Problem[] {
  const values = new Map(Object.entries(current));
  return Object.entries(sent).flatMap(([field, value]) =>
    value === undefined || value === (values.get(field) ?? null) ? [] : [{ field, value, reason: READ_ONLY }],
  );
}

function knownVariations(
  stored: readonly Variation[],
  listed: readonly VariationInput[],
): Map<string, Variation> {
  const known = new Map<string, Variation>();
  if (listed.length === 0) return known;
  const names = new Set(listed.map(({ identifier }) => identifier));
  for (const variation of stored)
    if (names.has(variation.identifier)) known.set(variation.identifier, variation);
  return known;
}

function readVariation(
  { identifier, quantity, size, color, ...readOnly }: VariationInput,
  before: Variation | undefined,
  problems: Problem[],
): VariationDraft {
  const found = before === undefined ? [] : fixedProblems(before, { size, color });
  found.push(...readOnlyProblems(readOnly, before ?? {}));
  const isDeleted = before !== undefined && before.deleted_at !== null;
  if (isDeleted && quantity !== undefined && quantity !== before.quantity)
    found.push({ field: 'quantity', value: quantity, reason: 'this variation is deleted' });
  for (const problem of found)
    problems.push({ ...problem, field: `variations[${identifier}][${problem.field}]` });
  return { identifier, quantity, size, color, deleted_at: before?.deleted_at } as VariationDraft;
}
