import { type Product, productFields, type Variation, variationFields } from './product.ts';

const productNames = Object.keys(productFields) as (keyof Product)[];
const variationFieldNames = Object.keys(variationFields) as (keyof Variation)[];
/** The fields that only variations have. A name that products have too would be ambiguous. */
const variationNames = variationFieldNames.filter((name) => !(name in productFields));

/**
 * Returns the names of changed fields. Changes of a variation's size, color or quantity have these names, all
 * other changes of variations are `variations`.
 */
export function changedFields(before: Product, after: Product): string[] {
  const names: string[] = productNames.filter((name) => {
    if (name === 'variations') return false;
    // With variations, this is derived from their quantities.
    if (name === 'available_quantity' && after.variations.length > 0) return false;
    return before[name] !== after[name];
  });
  return [...names, ...variationChanges(before.variations, after.variations)];
}

export function isSameProduct(one: Product, other: Product): boolean {
  const { variations } = other;
  return (
    productNames.every((name) => name === 'variations' || one[name] === other[name]) &&
    one.variations.length === variations.length &&
    one.variations.every((variation, index) => isSameVariation(variation, variations[index]))
  );
}

function isSameVariation(one: Variation, other: Variation | undefined): boolean {
  // Most variations are the same object, because merging keeps unchanged ones.
  if (one === other || other === undefined) return one === other;
  return variationFieldNames.every((name) => one[name] === other[name]);
}

function variationChanges(before: readonly Variation[], after: readonly Variation[]): Set<string> {
  const names = new Set<string>();
  let earlier: Map<string, Variation> | undefined;
  let index = 0;
  for (const variation of after) {
    const atSamePlace = before[index++];
    if (atSamePlace === variation) continue;
    let known = atSamePlace;
    if (known?.identifier !== variation.identifier) {
      earlier ??= new Map(before.map((each) => [each.identifier, each]));
      known = earlier.get(variation.identifier);
    }
    if (known === undefined || !hasSameTimes(known, variation) || atSamePlace !== known)
      names.add('variations');
    if (known === undefined) continue;
    for (const name of variationNames) if (known[name] !== variation[name]) names.add(name);
  }
  return names;
}

function hasSameTimes(one: Variation, other: Variation): boolean {
  return (
    one.created_at === other.created_at &&
    one.disabled_at === other.disabled_at &&
    one.deleted_at === other.deleted_at
  );
}
