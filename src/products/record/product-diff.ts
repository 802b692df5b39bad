import type { CatalogEntry } from './merge-product.ts';
import { type Product, productFields, type Variation, variationFields } from './product.ts';
import type { StatusBasis } from './product-status.ts';

type Value = string | number | null;
/** A value before and after a change. */
export type ValueChange = [from: Value, to: Value];

/**
 * What a change did to a product: all that is needed to undo it. It has fields of the record, except
 * `updated_at` if it is the time of the change, and of `StatusBasis`.
 */
export interface ProductDiff {
  fields?: Record<string, ValueChange>;
  /** By identifier. Null for a variation that was added. */
  variations?: [identifier: string, fields: Record<string, ValueChange> | null][];
  /** The variations before the change, if they have another order after it. */
  order?: string[];
}

const productNames = Object.keys(productFields).filter((name) => name !== 'variations') as (keyof Omit<
  Product,
  'variations'
>)[];
// Variations that a change adds have no internal ID yet.
const variationNames = Object.keys(variationFields).filter(
  (name) => name !== 'internal_id',
) as (keyof Variation)[];
const basisNames = [
  'moderation',
  'moderation_reasons',
  'moderated_at',
  'stock_tracked',
  'status_sent',
] as const satisfies (keyof StatusBasis)[];

/** Returns how two states of a product differ; undefined if they are the same. `now` is a record's time. */
export function diffOf(before: CatalogEntry, after: CatalogEntry, now: string): ProductDiff | undefined {
  const fields: Record<string, ValueChange> = {};
  addChanges(fields, productNames, before.product, after.product);
  if (after.product.updated_at === now) delete fields.updated_at;
  addChanges(fields, basisNames, before.basis, after.basis);
  const diff: ProductDiff = diffOfVariations(before.product.variations, after.product.variations);
  if (Object.keys(fields).length > 0) diff.fields = fields;
  return Object.keys(diff).length === 0 ? undefined : diff;
}

/** Yields the names of the fields that a change concerns, in variations too; `variations` for added ones. */
export function* fieldsOf({ fields, variations = [], order }: ProductDiff): Generator<string> {
  for (const name in fields) yield name;
  for (const [, changes] of variations) {
    if (changes === null) yield 'variations';
    else yield* Object.keys(changes);
  }
  if (order !== undefined) yield 'variations';
}

/** A field that an older version did not store is null. */
function addChanges<Name extends string>(
  changes: Record<string, ValueChange>,
  names: readonly Name[],
  before: Readonly<Record<Name, Value>>,
  after: Readonly<Record<Name, Value>>,
): void {
  for (const name of names) {
    const from = before[name] ?? null;
    const to = after[name] ?? null;
    if (from !== to) changes[name] = [from, to];
  }
}

function diffOfVariations(before: readonly Variation[], after: readonly Variation[]): ProductDiff {
  // Merging keeps variations that do not change, in most cases all but one.
  if (before.length === after.length && before.every((variation, index) => variation === after[index]))
    return {};
  const known = new Map(before.map((variation) => [variation.identifier, variation]));
  const variations: NonNullable<ProductDiff['variations']> = [];
  const kept: string[] = [];
  for (const variation of after) {
    const { identifier } = variation;
    const earlier = known.get(identifier);
    if (earlier === undefined) {
      variations.push([identifier, null]);
      continue;
    }
    kept.push(identifier);
    if (earlier === variation) continue;
    const fields: Record<string, ValueChange> = {};
    addChanges(fields, variationNames, earlier, variation);
    if (Object.keys(fields).length > 0) variations.push([identifier, fields]);
  }
  const isMoved = before.some(({ identifier }, index) => identifier !== kept[index]);
  return {
    ...(variations.length > 0 && { variations }),
    ...(isMoved && { order: before.map(({ identifier }) => identifier) }),
  };
}

/** Returns the product as it was before a change. `updated_at` stays unless the change has stated it. */
export function undo({ product, basis }: CatalogEntry, diff: ProductDiff): CatalogEntry {
  const former: Record<string, unknown> = { ...product };
  const formerBasis: Record<string, unknown> = { ...basis };
  for (const [name, [from]] of Object.entries(diff.fields ?? {})) {
    if (name in productFields) former[name] = from;
    else formerBasis[name] = from;
  }
  const changes = new Map(diff.variations);
  const variations = product.variations.flatMap((variation): Variation[] => {
    const change = changes.get(variation.identifier);
    if (change === undefined) return [variation];
    if (change === null) return [];
    const values = Object.entries(change).map(([name, [from]]) => [name, from]);
    return [{ ...variation, ...(Object.fromEntries(values) as Partial<Variation>) }];
  });
  const places = new Map(diff.order?.map((identifier, place) => [identifier, place]));
  const placeOf = ({ identifier }: Variation): number => places.get(identifier) ?? 0;
  former.variations = variations.sort((one, other) => placeOf(one) - placeOf(other));
  return { product: former as Product, basis: formerBasis as unknown as StatusBasis };
}
