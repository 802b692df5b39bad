import { type CsvColumn, fieldColumns, readCell, readCells } from '../../files/csv-columns.ts';
import type { CsvRow } from '../../files/csv-row-reader.ts';
import { groupRows, type RowGroup } from '../../files/group-rows.ts';
import type { OpenFile } from '../../files/open-file.ts';
import { type Parsed, type Rejection, rejection, withIdentifier } from '../../files/parsed.ts';
import { readCsv } from '../../files/read-csv.ts';
import { merchantReader } from '../../files/value-readers.ts';
import { unescapeFormulas } from '../../shared/formulas.ts';
import { InvalidValue } from '../../shared/invalid-value.ts';
import { productFields, variationFields } from '../record/product.ts';
import type { ProductDraft, VariationDraft } from '../record/product-draft.ts';
import { fieldReaders, identifierOf, readersOf } from './read-fields.ts';

export const VARIATION_PREFIX = 'variation_';
/** Marks a file in which formulas are escaped, whatever its cells contain. */
export const ESCAPED_COLUMN = 'formulas_escaped';

type CellValue = string | number | null;

const productReaders = readersOf(productFields).set('identifier', null);
const variationReaders = readersOf(variationFields).set('identifier', null);
/** Columns that are neither read as fields nor reported as ignored. */
const otherColumns = new Set([
  'merchant',
  'identifier',
  'internal_id',
  `${VARIATION_PREFIX}internal_id`,
  ESCAPED_COLUMN,
]);

/**
 * Reads products from CSV or a sheet with a row for each variation. Consecutive rows with the same identifier
 * are one product, whose values are in the first row. Drafts lack missing columns; a blank cell is null. One
 * invalid row rejects the product, with all reasons. With the column `formulas_escaped`, cells are unescaped.
 * @throws {UnusableFile} if the header line is unreadable or lacks `identifier`
 */
export function readProductCsv(file: OpenFile): {
  ignoredColumns: string[];
  products: AsyncIterable<Parsed<ProductDraft>[]>;
} {
  const { columns, rows } = readCsv(file, ['identifier'], (names) => layoutOf(names).ignored);
  const layout = layoutOf(columns);
  const read = columns.includes(ESCAPED_COLUMN) ? unescapeRows(rows) : rows;
  return { ignoredColumns: layout.ignored, products: readGroups(read, layout) };
}

async function* unescapeRows(batches: AsyncIterable<CsvRow[]>): AsyncGenerator<CsvRow[]> {
  for await (const rows of batches)
    yield rows.map((row) => ({ ...row, cells: row.cells.map(unescapeFormulas) }));
}

interface Layout {
  identifier: number;
  merchant: number;
  /** -1 if the file has no variations. */
  variationIdentifier: number;
  product: CsvColumn<CellValue>[];
  variation: CsvColumn<CellValue>[];
  ignored: string[];
}

function layoutOf(columns: string[]): Layout {
  const variationIdentifier = columns.indexOf(`${VARIATION_PREFIX}identifier`);
  const product = fieldColumns(columns, productReaders);
  const variation = variationIdentifier < 0 ? [] : fieldColumns(columns, variationReaders, VARIATION_PREFIX);
  const used = new Set([...product, ...variation].map(({ name }) => name));
  return {
    identifier: columns.indexOf('identifier'),
    merchant: columns.indexOf('merchant'),
    variationIdentifier,
    product,
    variation,
    ignored: columns.filter(
      (name, index) =>
        name !== '' && index !== variationIdentifier && !used.has(name) && !otherColumns.has(name),
    ),
  };
}

async function* readGroups(
  rows: AsyncIterable<CsvRow[]>,
  layout: Layout,
): AsyncGenerator<Parsed<ProductDraft>[]> {
  const merchant = (cells: readonly string[]): string => (cells[layout.merchant] ?? '').trim();
  const grouping = {
    isMultiRow: layout.variationIdentifier >= 0,
    key: layout.identifier,
    isSame: (first: readonly string[], cells: readonly string[]): boolean =>
      first[layout.identifier] === cells[layout.identifier] &&
      (merchant(cells) === '' || merchant(first) === merchant(cells)),
  };
  for await (const groups of groupRows(rows, grouping))
    yield groups.map((group) => readProduct(group, layout));
}

function readProduct({ line, key, rows, rejections }: RowGroup, layout: Layout): Parsed<ProductDraft> {
  const [first] = rows;
  if (first === undefined) return { line, rejections: withIdentifier(rejections, identifierOf(key)) };
  const identifierColumn = { name: 'identifier', index: layout.identifier };
  const identifier = readCell(fieldReaders.identifier, first, identifierColumn, rejections);
  const merchant = readCell(merchantReader, first, { name: 'merchant', index: layout.merchant }, rejections);
  const fields = readCells<ProductDraft['fields']>(layout.product, first, rejections);
  for (const row of rows.slice(1)) {
    if (!hasIdentifier(row, layout)) readCell(fieldReaders.identifier, row, identifierColumn, rejections);
    checkLaterRow(first, row, layout, rejections);
  }
  const variations = readVariations(rows, layout, rejections);
  if (rejections.length > 0 || identifier === undefined || merchant === undefined)
    return { line, rejections: withIdentifier(rejections, identifierOf(key)) };
  return { line, item: { merchant, identifier, fields, variations } };
}

/** A row without an identifier may belong to any product. */
function hasIdentifier({ cells }: CsvRow, { identifier }: Layout): boolean {
  return (cells[identifier] ?? '').trim() !== '';
}

/** A later row of a product may repeat the values of the first row or leave them blank. */
function checkLaterRow(first: CsvRow, row: CsvRow, layout: Layout, rejections: Rejection[]): void {
  for (const { name, index, reader } of layout.product) {
    const cell = row.cells[index] ?? '';
    const firstCell = first.cells[index] ?? '';
    if (cell === firstCell || cell.trim() === '') continue;
    const value = reader.fromCell(cell);
    const expected = reader.fromCell(firstCell);
    if (value instanceof InvalidValue) {
      rejections.push(rejection(row.line, name, cell, value.reason));
    } else if (hasIdentifier(row, layout) && !(expected instanceof InvalidValue) && value !== expected) {
      const reason = `expected the same value as in the product's first row (line ${first.line}), or a blank cell`;
      rejections.push(rejection(row.line, name, cell, reason));
    }
  }
}

function readVariations(
  rows: readonly CsvRow[],
  layout: Layout,
  rejections: Rejection[],
): VariationDraft[] | undefined {
  if (layout.variationIdentifier < 0) return undefined;
  const column = { name: `${VARIATION_PREFIX}identifier`, index: layout.variationIdentifier };
  const listed = new Set<string>();
  const variations: VariationDraft[] = [];
  for (const row of rows) {
    const isBlank = [column, ...layout.variation].every(
      ({ index }) => (row.cells[index] ?? '').trim() === '',
    );
    if (isBlank) continue;
    const identifier = readCell(fieldReaders.identifier, row, column, rejections);
    const fields = readCells<VariationDraft>(layout.variation, row, rejections);
    if (identifier === undefined || !hasIdentifier(row, layout)) continue;
    if (listed.has(identifier)) {
      rejections.push(
        rejection(row.line, column.name, identifier, 'expected each variation once per product'),
      );
    }
    listed.add(identifier);
    variations.push({ ...fields, identifier });
  }
  return variations;
}
