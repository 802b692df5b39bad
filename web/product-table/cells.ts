import { readersOf } from '../../src/products/files/read-fields.ts';
import { type Product, productFields, variationFields } from '../../src/products/record/product.ts';
import { InvalidValue } from '../../src/shared/invalid-value.ts';
import { labelOf, quantityName, variationOf } from '../products/fields.ts';
import { fieldReason } from '../ui/field-reason.ts';

/** A product with more variations has its stock edited on its page. */
const MAX_VARIATIONS = 50;

/** A row: a product, or one of its variations, of which only the stock is a cell. */
export interface TableRow {
  key: string;
  product: Product;
  variation: string | undefined;
}

export interface TableColumn {
  /** A field of a product, or `stock`. */
  name: string;
  label: string;
  isNumber: boolean;
}

const fields = [
  'title',
  'buy_now_price',
  'retail_price',
  'cost_basis',
  'minimum_bid_amount',
  'reserve_price',
  'scheduling_fee_bid',
  'max_daily_schedules',
  'campaign_name',
  'category',
  'brand',
  'shipping_price',
  'days_to_fulfill',
] as const satisfies (keyof Product)[];

const stock: TableColumn = { name: 'stock', label: 'Stock', isNumber: true };
const [titleColumn, priceColumn, ...others] = fields.map(
  (name): TableColumn => ({ name, label: labelOf(name), isNumber: productFields[name].kind !== 'text' }),
);

/** The columns, those that change most often first. */
export const columns: readonly TableColumn[] = [titleColumn, priceColumn, stock, ...others].flatMap(
  (column) => column ?? [],
);

/** Returns the rows of products: one for each, and one for each variation of those with several. */
export function rowsOf(products: readonly Product[]): TableRow[] {
  return products.flatMap((product) => {
    const key = String(product.internal_id);
    const variations = liveVariations(product);
    const row = { key, product, variation: undefined };
    if (variations.length < 2 || variations.length > MAX_VARIATIONS) return [row];
    return [row, ...variations.map((variation) => ({ key: `${key} ${variation}`, product, variation }))];
  });
}

/** Returns the name of a cell's input on the product’s page; undefined if the row has no such cell. */
export function inputOf({ product, variation }: TableRow, { name }: TableColumn): string | undefined {
  if (product.status === 'deleted') return undefined;
  if (name !== stock.name) return variation === undefined ? name : undefined;
  if (variation !== undefined) return quantityName(variation);
  if (product.variations.length === 0) return 'available_quantity';
  const [only, ...more] = liveVariations(product);
  return only === undefined || more.length > 0 ? undefined : quantityName(only);
}

/** Why a row has no cell in a column. */
export function reasonWithout({ product, variation }: TableRow): string {
  if (product.status === 'deleted') return 'You can’t change a deleted product.';
  if (variation !== undefined) return 'For a variation, you can change only the stock here.';
  return liveVariations(product).length > MAX_VARIATIONS
    ? 'This product has too many variations for the spreadsheet. Change their stock on its page.'
    : 'Each variation has its own stock, in the rows below.';
}

const readers = readersOf(productFields);
const quantityReader = readersOf(variationFields).get('quantity');

/** Returns why a text is not valid in an input, with the server’s reason; undefined if it is. */
export function problemOf(name: string, text: string): string | undefined {
  const reader = variationOf(name) === undefined ? readers.get(name) : quantityReader;
  const value = reader?.fromCell(text);
  return value instanceof InvalidValue ? fieldReason(value.reason) : undefined;
}

function liveVariations({ variations }: Product): string[] {
  return variations.filter(({ deleted_at: deleted }) => deleted === null).map(({ identifier }) => identifier);
}
