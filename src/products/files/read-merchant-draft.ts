import type { Problem } from '../../imports/parsed.ts';
import { type CatalogEntry, tracksStock } from '../record/merge-product.ts';
import { productFields, variationFields } from '../record/product.ts';
import type { ProductDraft, VariationDraft } from '../record/product-draft.ts';

const reasons = {
  operator: 'read-only: set by the marketplace operator',
  derived: 'read-only: set by the service',
};
/** The fields that a merchant may not choose, but for those that have rules of their own. */
const readOnlyFields = Object.entries(productFields).flatMap(([name, { owner }]) =>
  owner === 'merchant' || name === 'status' || name === 'available_quantity'
    ? []
    : [{ name, reason: reasons[owner] }],
);
const notModerator = 'read-only: moderation is up to the marketplace operator';

const operatorsVariationFields = (Object.keys(variationFields) as (keyof VariationDraft)[]).filter(
  (name) => variationFields[name].owner === 'operator',
);

/**
 * What a merchant's draft means, with only what a merchant may state. A read-only field may be stated as it is,
 * blank or null, which all mean nothing; another value is a problem. A status acts like the call of its name:
 * `disabled` and `deleted` set the times, `enabled` clears them, a blank one clears `disabled_at`, and one of stock
 * is derived again. Only the operator bans and lifts bans.
 */
export function readMerchantDraft(
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
    if (value !== null && value !== current[name]) problems.push({ column: name, value, reason });
    fields[name] = undefined;
  }
  // Without the status next to it, a 0 that says nothing of the stock would state that it is sold out.
  const saysNothing = fields.available_quantity === 0 && tracksStock(draft.fields, before?.basis) === 0;
  if (saysNothing) fields.available_quantity = null;
  Object.assign(fields, readStatus(before, draft.fields.status, now, problems));
  problems.push(...problemsOfVariations(before, draft.variations ?? []));
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
    problems.push({ column: 'status', value: status, reason: notModerator });
    return {};
  }
  return status === 'enabled' ? { status: null, disabled_at: null, deleted_at: null } : { status: null };
}

function problemsOfVariations(
  before: CatalogEntry | undefined,
  drafts: readonly VariationDraft[],
): Problem[] {
  const stated = drafts.filter((draft) =>
    operatorsVariationFields.some((name) => (draft[name] ?? null) !== null),
  );
  if (stated.length === 0) return [];
  const earlier = new Map(before?.product.variations.map((variation) => [variation.identifier, variation]));
  return stated.flatMap((draft) =>
    operatorsVariationFields
      .filter(
        (name) => (draft[name] ?? null) !== null && draft[name] !== earlier.get(draft.identifier)?.[name],
      )
      .map((name) => ({
        column: 'variations',
        value: draft.identifier,
        reason: `${name} of this variation is ${reasons.operator}`,
      })),
  );
}
