import { csvLine } from '../../imports/write-csv.ts';
import { type Product, productFields, type Variation, variationFields } from '../record/product.ts';
import { VARIATION_PREFIX } from './read-product-csv.ts';

type ProductColumn = Exclude<keyof Product, 'variations'>;

const productColumns = namesOf(productFields).filter((name): name is ProductColumn => name !== 'variations');
const variationColumns = namesOf(variationFields);

function namesOf<Fields extends object>(fields: Fields): (keyof Fields)[] {
  return Object.keys(fields) as (keyof Fields)[];
}

/** The header line of products as CSV, with `merchant` first where rows are to name theirs. */
export function productCsvHeader(withMerchant: boolean): string {
  const owner = withMerchant ? ['merchant'] : [];
  return csvLine([...owner, ...productColumns, ...variationColumns.map((name) => VARIATION_PREFIX + name)]);
}

/**
 * A product as CSV: a row for each variation, at least one; the product's values in the first row alone.
 * `readProductCsv` reads the same product back, but for text that is empty: that comes back as null.
 * `merchant` is the id or the name to write where the header has that column.
 */
export function productCsvLines(product: Product, merchant?: string): string {
  const owner = merchant === undefined ? [] : [merchant];
  const variations: (Variation | undefined)[] =
    product.variations.length > 0 ? product.variations : [undefined];
  return variations
    .map((variation, index) =>
      csvLine([
        ...owner,
        ...productColumns.map((name) => (index === 0 || name === 'identifier' ? product[name] : null)),
        ...variationColumns.map((name) => variation?.[name] ?? null),
      ]),
    )
    .join('');
}
