import type { CsvRow } from '../../files/csv-row-reader.ts';
import { groupRows, type RowGroup } from '../../files/group-rows.ts';
import type { OpenFile } from '../../files/open-file.ts';
import { type Parsed, type Rejection, rejection, withIdentifier } from '../../files/parsed.ts';
import { readCsv } from '../../files/read-csv.ts';
import { InvalidValue } from '../../shared/invalid-value.ts';
import { productFields } from '../record/product.ts';
import type { ProductDraft } from '../record/product-draft.ts';
import { htmlToText, MAX_HTML } from './html-text.ts';
import { fieldReaders, identifierOf } from './read-fields.ts';
import { ShopifyColumns } from './shopify-columns.ts';
import { readShopifyVariations } from './shopify-variations.ts';

const VARIANT_COLUMNS = [
  'Option1 Value',
  'Option2 Value',
  'Option3 Value',
  'Variant SKU',
  'Variant Price',
  'Variant Inventory Qty',
];
/** Unlisted products are for sale, but only to customers with a link. */
const FOR_SALE = new Set(['', 'active', 'unlisted']);
const NOT_FOR_SALE = new Set(['draft', 'archived']);
const COST = 'Cost per item';

/**
 * Reads products from Shopify's own export. Consecutive rows with the same handle are one product: the first
 * has its values, prices, cost and weight; the others have further variants or images.
 * docs/reference/import-formats.md has the whole mapping. One invalid row rejects the product, with all
 * reasons.
 * @throws {UnusableFile} if the header line is unreadable or lacks `Handle` or `Title`
 */
export function readShopify(file: OpenFile): {
  ignoredColumns: string[];
  products: AsyncIterable<Parsed<ProductDraft>[]>;
} {
  const csv = readCsv(file, ['Handle', 'Title'], (names) => new ShopifyColumns(names).ignored);
  const columns = new ShopifyColumns(csv.columns);
  return { ignoredColumns: columns.ignored, products: readGroups(csv.rows, columns) };
}

async function* readGroups(
  rows: AsyncIterable<CsvRow[]>,
  columns: ShopifyColumns,
): AsyncGenerator<Parsed<ProductDraft>[]> {
  const key = columns.indexOf('Handle');
  const isSame = (first: readonly string[], cells: readonly string[]): boolean => first[key] === cells[key];
  for await (const groups of groupRows(rows, { isMultiRow: true, key, isSame })) {
    yield groups.map((group) => readProduct(group, columns));
  }
}

function readProduct(
  { line, key, rows, rejections }: RowGroup,
  columns: ShopifyColumns,
): Parsed<ProductDraft> {
  const [first] = rows;
  if (first === undefined) return { line, rejections: withIdentifier(rejections, identifierOf(key)) };
  const identifier = columns.read(fieldReaders.identifier, first, 'Handle', rejections);
  for (const row of rows) {
    if (columns.cell(row, 'Handle') === '') columns.read(fieldReaders.identifier, row, 'Handle', rejections);
  }
  const variants = rows.filter(
    (row) => row === first || VARIANT_COLUMNS.some((name) => columns.cell(row, name) !== ''),
  );
  const text = (field: { maxLength: number }, name: string, value = columns.cell(first, name)) =>
    columns.text(field, value, first, name, rejections);
  const [primary_image, ...extra_images] = readImages(rows, columns);
  const fields: ProductDraft['fields'] = {
    status: readStatus(first, columns, rejections),
    category: readCategory(first, columns, rejections),
    title: text(productFields.title, 'Title'),
    description: readDescription(first, columns, rejections),
    condition: text(productFields.condition, 'Google Shopping / Condition'),
    brand: text(productFields.brand, 'Vendor'),
    material: text(productFields.material, columns.material, readMaterial(rows, columns)),
    ...readPrices(variants, columns, rejections),
    weight: columns.read(fieldReaders.amount, first, 'Variant Grams', rejections) || null,
    primary_image: text(productFields.primary_image, 'Image Src', primary_image ?? ''),
    extra_images: text(productFields.extra_images, 'Image Src', extra_images.join('|')),
  };
  const variations = readShopifyVariations(variants, columns, rejections);
  if (rejections.length > 0 || identifier === undefined)
    return { line, rejections: withIdentifier(rejections, identifierOf(key)) };
  return { line, item: { merchant: null, identifier, fields, variations } };
}

function readDescription(first: CsvRow, columns: ShopifyColumns, rejections: Rejection[]): string | null {
  const html = columns.cell(first, 'Body (HTML)');
  if (html.length <= MAX_HTML) {
    return columns.text(productFields.description, htmlToText(html), first, 'Body (HTML)', rejections);
  }
  rejections.push(
    rejection(first.line, 'Body (HTML)', html, `expected at most ${MAX_HTML} characters of HTML`),
  );
  return null;
}

/** Null, for a product on sale, derives the status, which also re-enables a draft of an earlier export. */
function readStatus(first: CsvRow, columns: ShopifyColumns, rejections: Rejection[]): 'disabled' | null {
  const status = columns.cell(first, 'Status').toLowerCase();
  const published = columns.cell(first, 'Published').toLowerCase();
  if (!FOR_SALE.has(status) && !NOT_FOR_SALE.has(status)) {
    rejections.push(rejection(first.line, 'Status', status, 'expected active, draft, archived, or unlisted'));
  }
  if (published !== '' && published !== 'true' && published !== 'false') {
    rejections.push(rejection(first.line, 'Published', published, 'expected true or false'));
  }
  return NOT_FOR_SALE.has(status) || published === 'false' ? 'disabled' : null;
}

/** Reads the shop's own type, otherwise Shopify's or Google's category, with levels separated by ` > `. */
function readCategory(first: CsvRow, columns: ShopifyColumns, rejections: Rejection[]): string | null {
  const name = ['Type', 'Product Category', 'Google Shopping / Google Product Category'].find(
    (column) => columns.cell(first, column) !== '',
  );
  if (name === undefined) return null;
  const cell = columns.cell(first, name);
  const category = fieldReaders.category.fromCell(name === 'Type' ? cell : cell.replaceAll('>', '|'));
  if (!(category instanceof InvalidValue)) return category;
  rejections.push(rejection(first.line, name, cell, category.reason));
  return null;
}

/** Validates the prices and costs of all variants. @returns the first price and cost */
function readPrices(
  variants: readonly CsvRow[],
  columns: ShopifyColumns,
  rejections: Rejection[],
): Pick<ProductDraft['fields'], 'cost_basis' | 'buy_now_price' | 'retail_price'> {
  const firstAmount = (name: string): number | null =>
    variants.map((row) => columns.read(fieldReaders.amount, row, name, rejections))[0] ?? null;
  const price = firstAmount('Variant Price');
  const comparePrice = firstAmount('Variant Compare At Price');
  const hasCosts = columns.indexOf(COST) >= 0;
  // A compare-at price of 0 means that there is none.
  return {
    ...(hasCosts && { cost_basis: firstAmount(COST) }),
    retail_price: comparePrice || price,
    buy_now_price: price,
  };
}

/** Reads the Material metafield, or the values of an option with that name. */
function readMaterial(rows: readonly CsvRow[], columns: ShopifyColumns): string {
  const [first] = rows;
  if (first === undefined) return '';
  const metafield = columns.cell(first, columns.material);
  const option = [1, 2, 3].find(
    (number) => columns.cell(first, `Option${number} Name`).toLowerCase() === 'material',
  );
  if (metafield !== '' || option === undefined) return metafield;
  const values = rows.map((row) => columns.cell(row, `Option${option} Value`));
  return [...new Set(values)].filter((value) => value !== '').join(', ');
}

/** Returns the distinct URLs by position. Images without a position come last. */
function readImages(rows: readonly CsvRow[], columns: ShopifyColumns): string[] {
  const images = rows
    .map((row) => ({
      // In a record, `|` separates URLs.
      url: columns.cell(row, 'Image Src').replaceAll('|', '%7C'),
      position: Number.parseInt(columns.cell(row, 'Image Position'), 10),
    }))
    .filter(({ url }) => url !== '')
    .map(({ url, position }) => ({ url, position: Number.isNaN(position) ? Infinity : position }));
  images.sort((a, b) => (a.position === b.position ? 0 : a.position - b.position));
  return [...new Set(images.map(({ url }) => url))];
}
