import type { Variation } from '../../src/products/record/product.ts';

/** Returns the size and color of a variation, such as “M / Moss”; '' if it has neither. */
export function optionsText(variation: Pick<Variation, 'size' | 'color'> | undefined): string {
  return [variation?.size, variation?.color].filter((option) => option != null).join(' / ');
}
