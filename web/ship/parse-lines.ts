/** The fields of a line, with the names of the API. Others are optional. */
export const fieldNames = [
  'order_id',
  'carrier',
  'tracking_number',
  'quantity',
  'service_type',
  'carrier_name',
  'tracking_url',
] as const;
export type FieldName = (typeof fieldNames)[number];
export type LineFields = { [Name in FieldName]?: string };

export interface ParsedLine {
  /** The position of the line in the text, from 1. */
  number: number;
  /** The line as it was entered. */
  text: string;
  fields: LineFields;
}

export interface ParsedLines {
  /** The line with the names of the columns; undefined if there is none. */
  header: string | undefined;
  lines: ParsedLine[];
}

/** Other names of columns, without spaces, hyphens and case. */
const otherNames: ReadonlyMap<string, FieldName> = new Map([
  ['order', 'order_id'],
  ['ordernumber', 'order_id'],
  ['orderno', 'order_id'],
  ['shippingcarrier', 'carrier'],
  ['tracking', 'tracking_number'],
  ['trackingno', 'tracking_number'],
  ['trackingcode', 'tracking_number'],
  ['units', 'quantity'],
  ['service', 'service_type'],
  ['trackinglink', 'tracking_url'],
]);
const withoutHeader: readonly FieldName[] = ['order_id', 'carrier', 'tracking_number'];
const DELIMITERS = ['\t', ';', ','] as const;

/**
 * Reads lines with an order, a carrier and a tracking number, between tabs, semicolons or commas, as
 * spreadsheets copy them or save them as CSV. The first line may have the names of the columns, in any order.
 * Blank lines are left out.
 */
export function parseLines(text: string): ParsedLines {
  const entered = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .map((line, index) => ({ number: index + 1, text: line }))
    .filter((line) => line.text.trim() !== '');
  const [first, ...rest] = entered;
  if (first === undefined) return { header: undefined, lines: [] };
  const delimiter = delimiterOf(first.text);
  const names = splitCells(first.text, delimiter).map(fieldOf);
  const isHeader = names.includes('order_id') && names.includes('tracking_number');
  const columns = isHeader ? names : withoutHeader;
  const lines = (isHeader ? rest : entered).map((line) => ({
    ...line,
    fields: fieldsOf(splitCells(line.text, delimiter), columns),
  }));
  return { header: isHeader ? first.text : undefined, lines };
}

/** The delimiter that occurs first in this list: names and numbers have no tabs, and rarely semicolons. */
function delimiterOf(line: string): string {
  return DELIMITERS.find((delimiter) => line.includes(delimiter)) ?? ',';
}

function splitCells(line: string, delimiter: string): string[] {
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const character = line.charAt(at);
    if (isQuoted && character === '"' && line[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (character === '"' && (isQuoted || cell.trim() === '')) {
      isQuoted = !isQuoted;
      if (isQuoted) cell = '';
    } else if (character === delimiter && !isQuoted) {
      cells.push(cell.trim());
      cell = '';
    } else cell += character;
  }
  return [...cells, cell.trim()];
}

function fieldOf(column: string): FieldName | undefined {
  const name = column.toLowerCase().replaceAll(/[\s_-]/g, '');
  return fieldNames.find((field) => field.replaceAll('_', '') === name) ?? otherNames.get(name);
}

function fieldsOf(cells: readonly string[], columns: readonly (FieldName | undefined)[]): LineFields {
  const fields: LineFields = {};
  for (const [index, name] of columns.entries()) {
    const cell = cells[index] ?? '';
    if (name !== undefined && cell !== '') fields[name] = cell;
  }
  if (fields.order_id !== undefined) fields.order_id = fields.order_id.replace(/^#/, '');
  return fields;
}
