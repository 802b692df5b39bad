import type { Problem } from '../../errors/domain-error.ts';
import { type CatalogEntry, tracksStock } from './merge-product.ts';
import { conditions, type Product, productFields, variationFields } from './product.ts';
import type { ProductDraft, VariationDraft } from './product-draft.ts';

export const readOnlyReasons = {
  operator: 'read-only: set by the marketplace operator',
  derived: 'read-only: set by the service',
};
/** The fields that a merchant may not set. `status` and `available_quantity` have their own rules. */
export const readOnlyFields = Object.entries(productFields).flatMap(([name, { owner }]) =>
  owner === 'merchant' || name === 'status' || name === 'available_quantity'
    ? []
    : [{ name: name as keyof Product, reason: readOnlyReasons[owner] }],
);
const moderationReason = 'read-only: only the marketplace operator moderates products';

const conditionReason = `expected one of ${conditions.join(', ')}`;

function isCondition(value: unknown): boolean {
  return value === undefined || value === null || conditions.some((condition) => condition === value);
}

const operatorVariationFields = (
  Object.keys(variationFields) as Exclude<keyof VariationDraft, 'was'>[]
).filter((name) => variationFields[name].owner === 'operator');

/**
 * Returns a merchant's draft with only the fields that a merchant may set. A read-only field is ignored if it
 * has its current value or is null; any other value is a problem. The status `disabled` sets `disabled_at`,
 * `deleted` sets `disabled_at` and `deleted_at`, `enabled` clears both and `catalog_only_at`, a blank status
 * clears `disabled_at`, and a stock status derives the status. Only the operator bans products and lifts
 * bans.
 */
export function limitMerchantDraft(
  before: CatalogEntry | undefined,
  draft: ProductDraft,
  now: string,
): { draft: ProductDraft; problems: Problem[] } {
  const problems: Problem[] = [];
  const current: Record<string, unknown> = before?.product ?? {};
  const fields: Record<string, unknown> = { ...draft.fields, status: undefined };
  for (const { name, reason } of readOnlyFields) {
    const value = fields[name];
    if (value === undefined) continue;
    if (value !== null && value !== current[name]) problems.push({ field: name, value, reason });
    fields[name] = undefined;
  }
  // Records show 0 for untracked stock and for sold-out products. Only the draft's status, which is removed
  // here, tells them apart, so 0 for untracked stock becomes null.
  const isUntracked = fields.available_quantity === 0 && tracksStock(draft.fields, before?.basis) === 0;
  if (isUntracked) fields.available_quantity = null;
  Object.assign(fields, readStatus(before, draft.fields.status, now, problems));
  Object.assign(fields, draft.times);
  // The status does not depend on `catalog_only_at`.
  if (draft.times?.disabled_at !== undefined || draft.times?.deleted_at !== undefined) fields.status = null;
  if (!isCondition(fields.condition) && fields.condition !== before?.product.condition)
    problems.push({ field: 'condition', value: fields.condition, reason: conditionReason });
  problems.push(...variationProblems(before, draft.variations ?? []));
  return { draft: { ...draft, fields }, problems };
}

function readStatus(
  before: CatalogEntry | undefined,
  status: ProductDraft['fields']['status'],
  now: string,
  problems: Problem[],
): ProductDraft['fields'] {
  if (status === undefined || status === before?.product.status) return {};
  if (status === null) return { status: null, disabled_at: null };
  const { disabled_at, deleted_at } = before?.product ?? {};
  if (status === 'disabled') return { status: null, disabled_at: disabled_at ?? now };
  if (status === 'deleted') {
    return { status: null, disabled_at: disabled_at ?? now, deleted_at: deleted_at ?? now };
  }
  const isModerated = before !== undefined && before.basis.moderation !== 'ok';
  if (isModerated || status === 'banned' || status === 'problematic') {
    problems.push({ field: 'status', value: status, reason: moderationReason });
    return {};
  }
  if (status !== 'enabled') return { status: null };
  return { status: null, disabled_at: null, deleted_at: null, catalog_only_at: null };
}

function variationProblems(before: CatalogEntry | undefined, drafts: readonly VariationDraft[]): Problem[] {
  const withOperatorFields = drafts.filter((draft) =>
    operatorVariationFields.some((name) => (draft[name] ?? null) !== null),
  );
  if (withOperatorFields.length === 0) return [];
  const earlier = new Map(before?.product.variations.map((variation) => [variation.identifier, variation]));
  return withOperatorFields.flatMap((draft) =>
    operatorVariationFields
      .filter(
        (name) => (draft[name] ?? null) !== null && draft[name] !== earlier.get(draft.identifier)?.[name],
      )
      .map((name) => ({
        field: 'variations',
        value: draft.identifier,
        reason: `${name} of this variation is ${readOnlyReasons.operator}`,
      })),
  );
}
