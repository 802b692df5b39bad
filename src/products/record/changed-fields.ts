import { type Product, productFields, type Variation, variationFields } from './product.ts';

const productNames = Object.keys(productFields) as (keyof Product)[];
/** The fields that only variations have. A name that products have too would be ambiguous. */
const variationNames = (Object.keys(variationFields) as (keyof Variation)[]).filter(
  (name) => !(name in productFields),
);

/**
 * Returns the names of the fields that differ. Changes in the size, color or quantity of variations are reported under
 * those names, and all other changes to variations as `variations`.
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

function variationChanges(before: readonly Variation[], after: readonly Variation[]): Set<string> {
  const names = new Set<string>();
  const earlier = new Map(before.map((variation) => [variation.identifier, variation]));
  for (const [index, variation] of after.entries()) {
    const known = earlier.get(variation.identifier);
    if (known === undefined || !hasSameTimes(known, variation) || before[index] !== known)
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
