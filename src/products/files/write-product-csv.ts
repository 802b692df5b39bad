import { csvLine } from '../../imports/write-csv.ts';
import { type Product, productFields, type Variation, variationFields } from '../record/product.ts';
import { VARIATION_PREFIX } from './read-product-csv.ts';

type ProductColumn = Exclude<keyof Product, 'variations'>;

const productColumns = namesOf(productFields).filter((name): name is ProductColumn => name !== 'variations');
const variationColumns = namesOf(variationFields);

function namesOf<Fields extends object>(fields: Fields): (keyof Fields)[] {
  return Object.keys(fields) as (keyof Fields)[];
}

/** Returns the header line of products as CSV, with `merchant` as the first column if `withMerchant` is true. */
export function productCsvHeader(withMerchant: boolean): string {
  const merchantColumn = withMerchant ? ['merchant'] : [];
  return csvLine([
    ...merchantColumn,
    ...productColumns,
    ...variationColumns.map((name) => VARIATION_PREFIX + name),
  ]);
}

/**
 * Returns a product as CSV: a row for each variation, at least one. The first row has the product's values; the others
 * repeat only `identifier` and `merchant`. `readProductCsv` returns the same product from it, except that empty strings
 * become null. `merchant` is the ID or the name for the column `merchant`, if the header has it.
 */
export function productCsvLines(product: Product, merchant?: string): string {
  const merchantColumn = merchant === undefined ? [] : [merchant];
  const variations: (Variation | undefined)[] =
    product.variations.length > 0 ? product.variations : [undefined];
  return variations
    .map((variation, index) =>
      csvLine([
        ...merchantColumn,
        ...productColumns.map((name) => (index === 0 || name === 'identifier' ? product[name] : null)),
        ...variationColumns.map((name) => variation?.[name] ?? null),
      ]),
    )
    .join('');
}
