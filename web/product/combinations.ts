import type { Variation } from '../../src/products/record/product.ts';
import type { NewVariation } from './edits.ts';

interface Options {
  /** The product’s identifier. */
  identifier: string;
  /** Those of the product, and those that are being added. */
  variations: readonly Pick<Variation, 'identifier' | 'size' | 'color'>[];
}

/**
 * Returns a new variation for each size in each color, with identifiers such as `POT-M-MOSS`. Leaves out
 * combinations that exist, also as deleted variations. Both texts are lists, separated by commas; one of them
 * can be blank.
 */
export function combinationsOf(
  { identifier, variations }: Options,
  sizes: string,
  colors: string,
): NewVariation[] {
  const existing = new Set(variations.map(({ size, color }) => keyOf(size ?? '', color ?? '')));
  const taken = new Set(variations.map((variation) => variation.identifier));
  const eachColor = partsOf(colors);
  return partsOf(sizes)
    .flatMap((size) => eachColor.map((color) => ({ size, color })))
    .filter(({ size, color }) => (size !== '' || color !== '') && !existing.has(keyOf(size, color)))
    .map(({ size, color }) => {
      const wanted = [identifier, ...[size, color].flatMap(toCode)].join('-');
      return { identifier: freeName(wanted, taken), size, color, quantity: '' };
    });
}

/** Returns the different texts of a list, or one blank text. */
function partsOf(list: string): string[] {
  const parts = new Map<string, string>();
  for (const part of list.split(',').map((text) => text.trim())) {
    const key = part.toLowerCase();
    if (part !== '' && !parts.has(key)) parts.set(key, part);
  }
  return parts.size === 0 ? [''] : [...parts.values()];
}

/** Sizes and colors are the same in any letter case. */
function keyOf(size: string, color: string): string {
  return JSON.stringify([size.toLowerCase(), color.toLowerCase()]);
}

function toCode(option: string): string[] {
  return option === '' ? [] : [option.toUpperCase().replaceAll(/\s+/g, '-')];
}

/** Returns an identifier that nothing else has, and takes it. */
function freeName(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let number = 2; taken.has(name); number += 1) name = `${wanted}-${number}`;
  taken.add(name);
  return name;
}
