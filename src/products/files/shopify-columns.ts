import { readCell } from '../../imports/csv-columns.ts';
import type { Rejection } from '../../imports/parsed.ts';
import type { CsvRow } from '../../imports/read-csv.ts';
import { Refusal, rejection, type ValueReader } from '../../imports/refusal.ts';
import { checkText } from '../../imports/value-readers.ts';

/** The columns of Shopify's export that are taken, as Shopify names them. */
const taken = new Set([
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
  'Image Src',
  'Image Position',
]);
const MATERIAL = /^material$|\(product\.metafields\.[^.]+\.material\)$/i;

/** Finds the cells of an export by the names of its columns, present or not. */
export class ShopifyColumns {
  readonly #indexes: Map<string, number>;
  /** The column of the metafield Material; its name differs from shop to shop. */
  readonly material: string;
  readonly ignored: string[];

  constructor(columns: readonly string[]) {
    this.#indexes = new Map(columns.map((name, index) => [name, index]));
    this.material = columns.find((name) => MATERIAL.test(name)) ?? 'Material';
    this.ignored = columns.filter((name) => name !== '' && !taken.has(name) && name !== this.material);
  }

  /** Its text without spaces around it; empty where the file has no such column. */
  cell(row: CsvRow, name: string): string {
    return (row.cells[this.indexOf(name)] ?? '').trim();
  }

  /** The cell read; undefined where it is refused, which `problems` then says. */
  read<T>(reader: ValueReader<T>, row: CsvRow, name: string, problems: Rejection[]): T | undefined {
    return readCell(reader, row, { name, index: this.indexOf(name) }, problems);
  }

  /** Text made from a column's cell for a field, checked as any text is; null where it is empty or refused. */
  text(
    field: { maxLength: number },
    made: string,
    row: CsvRow,
    name: string,
    problems: Rejection[],
  ): string | null {
    if (made === '') return null;
    const checked = checkText(made, field.maxLength);
    if (!(checked instanceof Refusal)) return checked;
    problems.push(rejection(row.line, name, made, checked.reason));
    return null;
  }

  indexOf(name: string): number {
    return this.#indexes.get(name) ?? -1;
  }
}
