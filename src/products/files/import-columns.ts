import { productFields, variationFields } from '../record/product.ts';
import { VARIATION_PREFIX } from './read-product-csv.ts';

const names: ReadonlySet<string> = new Set([
  'merchant',
  ...Object.keys(productFields).filter((name) => name !== 'variations'),
  ...Object.keys(variationFields).map((name) => `${VARIATION_PREFIX}${name}`),
]);

/** Whether a column of our CSV format has this name. */
export function isImportColumn(name: string): boolean {
  return names.has(name);
}
