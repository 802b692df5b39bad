import { readCell } from '../../files/csv-columns.ts';
import type { CsvRow } from '../../files/csv-row-reader.ts';
import { type Rejection, rejection } from '../../files/parsed.ts';
import { checkText, type ValueReader } from '../../files/value-readers.ts';
import { InvalidValue } from '../../shared/invalid-value.ts';

const USED_COLUMNS = new Set([
  'Handle',
  'Title',
  'Body (HTML)',
  'Vendor',
  'Product Category',
  'Google Shopping / Google Product Category',
  'Google Shopping / Condition',
  'Type',
  'Published',
  'Status',
  'Option1 Name',
  'Option1 Value',
  'Option2 Name',
  'Option2 Value',
  'Option3 Name',
  'Option3 Value',
  'Variant SKU',
  'Variant Grams',
  'Variant Inventory Qty',
  'Variant Price',
  'Variant Compare At Price',
  'Cost per item',
  'Image Src',
  'Image Position',
]);
const MATERIAL = /^material$|\(product\.metafields\.[^.]+\.material\)$/i;

export class ShopifyColumns {
  readonly #indexes: Map<string, number>;
  /** The Material metafield's column, whose name depends on the shop. */
  readonly material: string;
  readonly ignored: string[];

  constructor(columns: readonly string[]) {
    this.#indexes = new Map(columns.map((name, index) => [name, index]));
    this.material = columns.find((name) => MATERIAL.test(name)) ?? 'Material';
    this.ignored = columns.filter((name) => name !== '' && !USED_COLUMNS.has(name) && name !== this.material);
  }

  /** Returns a trimmed cell; empty if the column is missing. */
  cell(row: CsvRow, name: string): string {
    return (row.cells[this.indexOf(name)] ?? '').trim();
  }

  /** Reads a cell. If it is invalid, returns undefined and adds the reason to `rejections`. */
  read<T>(reader: ValueReader<T>, row: CsvRow, name: string, rejections: Rejection[]): T | undefined {
    return readCell(reader, row, { name, index: this.indexOf(name) }, rejections);
  }

  /** Checks a cell's text. Returns null if it is empty, or invalid and rejected. */
  text(
    field: { maxLength: number },
    text: string,
    row: CsvRow,
    name: string,
    rejections: Rejection[],
  ): string | null {
    if (text === '') return null;
    const checked = checkText(text, field.maxLength);
    if (!(checked instanceof InvalidValue)) return checked;
    rejections.push(rejection(row.line, name, text, checked.reason));
    return null;
  }

  /** Returns -1 if the file has no such column. */
  indexOf(name: string): number {
    return this.#indexes.get(name) ?? -1;
  }
}
