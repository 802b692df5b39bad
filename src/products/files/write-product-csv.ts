import { csvLine } from '../../files/write-csv.ts';
import { escapeFormulas } from '../../shared/formulas.ts';
import { type Product, productFields, type Variation, variationFields } from '../record/product.ts';
import { ESCAPED_COLUMN, VARIATION_PREFIX } from './read-product-csv.ts';

type ProductColumn = Exclude<keyof Product, 'variations'>;

const productColumns = namesOf(productFields).filter((name): name is ProductColumn => name !== 'variations');
const variationColumns = namesOf(variationFields);

function namesOf<Fields extends object>(fields: Fields): (keyof Fields)[] {
  return Object.keys(fields) as (keyof Fields)[];
}

type Cell = string | number | null;

const columns = [...productColumns, ...variationColumns.map((name) => VARIATION_PREFIX + name)];

export function productCsvHeader(withMerchant: boolean): string {
  return csvLine([...(withMerchant ? ['merchant'] : []), ...columns]);
}

/**
 * Returns a product as CSV: a row for each variation, at least one. The first row has the product's values;
 * the others repeat only `identifier` and `merchant` (an ID or a name). `readProductCsv` returns the same
 * product, except that empty strings become null.
 */
export function productCsvLines(product: Product, merchant?: string): string {
  const merchantColumn = merchant === undefined ? [] : [merchant];
  return rowsOf(product)
    .map((row) => csvLine([...merchantColumn, ...row]))
    .toArray()
    .join('');
}

export function spreadsheetCsvHeader(): string {
  return csvLine([...columns, ESCAPED_COLUMN]);
}

/**
 * Yields lines like `productCsvLines`, in which no spreadsheet finds a formula. The last column tells
 * `readProductCsv`, which returns the same product.
 */
export function spreadsheetCsvLines(product: Product): Iterable<string> {
  const escaped = (cell: Cell): Cell => (typeof cell === 'string' ? escapeFormulas(cell) : cell);
  return rowsOf(product).map((row) => csvLine([...row.map(escaped), 'yes']));
}

function rowsOf(product: Product): IteratorObject<Cell[]> {
  const variations: (Variation | undefined)[] =
    product.variations.length > 0 ? product.variations : [undefined];
  return variations
    .values()
    .map((variation, index) => [
      ...productColumns.map((name) => (index === 0 || name === 'identifier' ? product[name] : null)),
      ...variationColumns.map((name) => variation?.[name] ?? null),
    ]);
}
