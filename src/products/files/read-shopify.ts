import { groupRows, type RowGroup } from '../../imports/group-rows.ts';
import type { OpenFile } from '../../imports/open-file.ts';
import type { Parsed, Rejection } from '../../imports/parsed.ts';
import { type CsvRow, readCsv } from '../../imports/read-csv.ts';
import { Refusal, rejection } from '../../imports/refusal.ts';
import { productFields } from '../record/product.ts';
import type { ProductDraft } from '../record/product-draft.ts';
import { htmlToText, MAX_HTML } from './html-text.ts';
import { fieldReaders } from './read-fields.ts';
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
/** Unlisted products are on sale to whoever has their address. */
const ON_SALE = new Set(['', 'active', 'unlisted']);
const OFF_SALE = new Set(['draft', 'archived']);

/**
 * Products from Shopify's own export. Rows of one handle that follow each other are one product, the first
 * with its values, the others with further variants, or with further images alone. Of prices and weight, the
 * first variant's are taken; docs/reference/import-formats.md has the whole mapping. One bad row rejects the
 * whole product, with every problem of it.
 * @throws {UnusableFile} where the header is unreadable or lacks `Handle` or `Title`
 */
export function readShopify(file: OpenFile): {
  ignoredColumns: string[];
  products: AsyncIterable<Parsed<ProductDraft>[]>;
} {
  const csv = readCsv(file, ['Handle', 'Title']);
  const columns = new ShopifyColumns(csv.columns);
  return { ignoredColumns: columns.ignored, products: readGroups(csv.rows, columns) };
}

async function* readGroups(
  rows: AsyncIterable<CsvRow[]>,
  columns: ShopifyColumns,
): AsyncGenerator<Parsed<ProductDraft>[]> {
  const key = columns.indexOf('Handle');
  const same = (first: readonly string[], cells: readonly string[]): boolean => first[key] === cells[key];
  for await (const groups of groupRows(rows, { several: true, key, same })) {
    yield groups.map((group) => readProduct(group, columns));
  }
}

function readProduct({ line, rows, rejections }: RowGroup, columns: ShopifyColumns): Parsed<ProductDraft> {
  const [first] = rows;
  if (first === undefined) return { line, rejections };
  const identifier = columns.read(fieldReaders.identifier, first, 'Handle', rejections);
  for (const row of rows) {
    if (columns.cell(row, 'Handle') === '') columns.read(fieldReaders.identifier, row, 'Handle', rejections);
  }
  const variants = rows.filter(
    (row) => row === first || VARIANT_COLUMNS.some((name) => columns.cell(row, name) !== ''),
  );
  const text = (field: { maxLength: number }, name: string, made = columns.cell(first, name)) =>
    columns.text(field, made, first, name, rejections);
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
  if (rejections.length > 0 || identifier === undefined) return { line, rejections };
  return { line, item: { merchant: null, identifier, fields, variations } };
}

function readDescription(first: CsvRow, columns: ShopifyColumns, problems: Rejection[]): string | null {
  const html = columns.cell(first, 'Body (HTML)');
  if (html.length <= MAX_HTML)
    return columns.text(productFields.description, htmlToText(html), first, 'Body (HTML)', problems);
  problems.push(
    rejection(first.line, 'Body (HTML)', html, `expected at most ${MAX_HTML} characters of HTML`),
  );
  return null;
}

/** Null where it is on sale: then it is derived, and a product that was a draft comes back. */
function readStatus(first: CsvRow, columns: ShopifyColumns, problems: Rejection[]): 'disabled' | null {
  const status = columns.cell(first, 'Status').toLowerCase();
  const published = columns.cell(first, 'Published').toLowerCase();
  if (!ON_SALE.has(status) && !OFF_SALE.has(status)) {
    problems.push(rejection(first.line, 'Status', status, 'expected active, draft, archived or unlisted'));
  }
  if (published !== '' && published !== 'true' && published !== 'false') {
    problems.push(rejection(first.line, 'Published', published, 'expected true or false'));
  }
  return OFF_SALE.has(status) || published === 'false' ? 'disabled' : null;
}

/** The shop's own type, or else Google's category, which has ` > ` between its levels. */
function readCategory(first: CsvRow, columns: ShopifyColumns, problems: Rejection[]): string | null {
  const name = ['Type', 'Product Category', 'Google Shopping / Google Product Category'].find(
    (column) => columns.cell(first, column) !== '',
  );
  if (name === undefined) return null;
  const cell = columns.cell(first, name);
  const category = fieldReaders.category.fromCell(name === 'Type' ? cell : cell.replaceAll('>', '|'));
  if (!(category instanceof Refusal)) return category;
  problems.push(rejection(first.line, name, cell, category.reason));
  return null;
}

/** Every variant's prices are checked, the first one's taken. */
function readPrices(
  variants: readonly CsvRow[],
  columns: ShopifyColumns,
  problems: Rejection[],
): Pick<ProductDraft['fields'], 'buy_now_price' | 'retail_price'> {
  const prices = variants.map((row) => columns.read(fieldReaders.amount, row, 'Variant Price', problems));
  const before = variants.map((row) =>
    columns.read(fieldReaders.amount, row, 'Variant Compare At Price', problems),
  );
  const price = prices[0] ?? null;
  // A price before of 0 is none.
  return { retail_price: before[0] || price, buy_now_price: price };
}

/** The metafield, or else the values of an option named Material. */
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

/** The addresses of the images in the order of their positions, each once; those without one come last. */
function readImages(rows: readonly CsvRow[], columns: ShopifyColumns): string[] {
  const images = rows
    .map((row) => ({
      // The bar separates addresses.
      address: columns.cell(row, 'Image Src').replaceAll('|', '%7C'),
      position: Number.parseInt(columns.cell(row, 'Image Position'), 10),
    }))
    .filter(({ address }) => address !== '')
    .map(({ address, position }) => ({ address, position: Number.isNaN(position) ? Infinity : position }));
  images.sort((a, b) => (a.position === b.position ? 0 : a.position - b.position));
  return [...new Set(images.map(({ address }) => address))];
}
