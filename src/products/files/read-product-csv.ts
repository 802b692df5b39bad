import { type CsvColumn, columnsOf, readCell, readCells } from '../../imports/csv-columns.ts';
import { groupRows, type RowGroup } from '../../imports/group-rows.ts';
import type { OpenFile } from '../../imports/open-file.ts';
import type { Parsed, Rejection } from '../../imports/parsed.ts';
import { type CsvRow, readCsv } from '../../imports/read-csv.ts';
import { Refusal, rejection } from '../../imports/refusal.ts';
import { merchant } from '../../imports/value-readers.ts';
import { productFields, variationFields } from '../record/product.ts';
import type { ProductDraft, VariationDraft } from '../record/product-draft.ts';
import { fieldReaders, readersOf } from './read-fields.ts';

/** Stands before the name of a variation's field in the name of its column. */
export const VARIATION_PREFIX = 'variation_';

type CellValue = string | number | null;

const productReaders = readersOf(productFields).set('identifier', null);
const variationReaders = readersOf(variationFields).set('identifier', null);
const passedOver = new Set(['merchant', 'identifier', 'internal_id', `${VARIATION_PREFIX}internal_id`]);

/**
 * Products as CSV, a row for each variation: rows of one identifier that follow each other are one product,
 * whose values stand in its first row. A column that the file lacks leaves its field out of the draft, a
 * blank cell is null. One bad row rejects the whole product, with every problem of it.
 * @throws {UnusableFile} where the header is unreadable or lacks `identifier`
 */
export function readProductCsv(file: OpenFile): {
  ignoredColumns: string[];
  products: AsyncIterable<Parsed<ProductDraft>[]>;
} {
  const { columns, rows } = readCsv(file, ['identifier']);
  const layout = layOut(columns);
  return { ignoredColumns: layout.ignored, products: readGroups(rows, layout) };
}

/** Where a file has what. */
interface Layout {
  identifier: number;
  merchant: number;
  /** -1 where the file says nothing of variations. */
  variationIdentifier: number;
  product: CsvColumn<CellValue>[];
  variation: CsvColumn<CellValue>[];
  ignored: string[];
}

function layOut(columns: string[]): Layout {
  const variationIdentifier = columns.indexOf(`${VARIATION_PREFIX}identifier`);
  const product = columnsOf(columns, productReaders);
  const variation = variationIdentifier < 0 ? [] : columnsOf(columns, variationReaders, VARIATION_PREFIX);
  const used = new Set([...product, ...variation].map(({ name }) => name));
  return {
    identifier: columns.indexOf('identifier'),
    merchant: columns.indexOf('merchant'),
    variationIdentifier,
    product,
    variation,
    ignored: columns.filter(
      (name, index) =>
        name !== '' && index !== variationIdentifier && !used.has(name) && !passedOver.has(name),
    ),
  };
}

async function* readGroups(
  rows: AsyncIterable<CsvRow[]>,
  layout: Layout,
): AsyncGenerator<Parsed<ProductDraft>[]> {
  const owner = (cells: readonly string[]): string => (cells[layout.merchant] ?? '').trim();
  const grouping = {
    several: layout.variationIdentifier >= 0,
    key: layout.identifier,
    same: (first: readonly string[], cells: readonly string[]): boolean =>
      first[layout.identifier] === cells[layout.identifier] &&
      (owner(cells) === '' || owner(first) === owner(cells)),
  };
  for await (const groups of groupRows(rows, grouping))
    yield groups.map((group) => readProduct(group, layout));
}

function readProduct({ line, rows, rejections }: RowGroup, layout: Layout): Parsed<ProductDraft> {
  const [first] = rows;
  if (first === undefined) return { line, rejections };
  const identifierColumn = { name: 'identifier', index: layout.identifier };
  const identifier = readCell(fieldReaders.identifier, first, identifierColumn, rejections);
  const owner = readCell(merchant, first, { name: 'merchant', index: layout.merchant }, rejections);
  const fields = readCells<ProductDraft['fields']>(layout.product, first, rejections);
  for (const row of rows.slice(1)) {
    if ((row.cells[layout.identifier] ?? '').trim() === '') {
      readCell(fieldReaders.identifier, row, identifierColumn, rejections);
    }
    compareToFirst(first, row, layout, rejections);
  }
  const variations = readVariations(rows, layout, rejections);
  if (rejections.length > 0 || identifier === undefined || owner === undefined) return { line, rejections };
  return { line, item: { merchant: owner, identifier, fields, variations } };
}

/** A later row may repeat what the first says of the product, or leave it blank. */
function compareToFirst(first: CsvRow, row: CsvRow, layout: Layout, problems: Rejection[]): void {
  for (const { name, index, reader } of layout.product) {
    const cell = row.cells[index] ?? '';
    const firstCell = first.cells[index] ?? '';
    if (cell === firstCell || cell.trim() === '') continue;
    const value = reader.fromCell(cell);
    const expected = reader.fromCell(firstCell);
    if (value instanceof Refusal) problems.push(rejection(row.line, name, cell, value.reason));
    else if (!(expected instanceof Refusal) && value !== expected) {
      const reason = `expected the same as in the product's first row (line ${first.line}), or a blank cell`;
      problems.push(rejection(row.line, name, cell, reason));
    }
  }
}

function readVariations(rows: CsvRow[], layout: Layout, problems: Rejection[]): VariationDraft[] | undefined {
  if (layout.variationIdentifier < 0) return undefined;
  const column = { name: `${VARIATION_PREFIX}identifier`, index: layout.variationIdentifier };
  const listed = new Set<string>();
  const variations: VariationDraft[] = [];
  for (const row of rows) {
    const blank = [column, ...layout.variation].every(({ index }) => (row.cells[index] ?? '').trim() === '');
    if (blank) continue;
    const identifier = readCell(fieldReaders.identifier, row, column, problems);
    const fields = readCells<VariationDraft>(layout.variation, row, problems);
    if (identifier === undefined) continue;
    if (listed.has(identifier)) {
      problems.push(
        rejection(row.line, column.name, identifier, 'expected each variation of a product once'),
      );
    }
    listed.add(identifier);
    variations.push({ ...fields, identifier });
  }
  return variations;
}
