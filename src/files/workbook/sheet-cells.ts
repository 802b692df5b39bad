import { UnusableXml, type XmlEvents } from './xml-events.ts';

/** The limits of Excel. */
const MAX_ROWS = 1_048_576;
const MAX_COLUMNS = 16_384;
/** No field takes a longer text, so what follows need not be kept. In UTF-16 units. */
export const MAX_TEXT = 300_001;
/** The text of one row that is kept. */
const MAX_ROW_TEXT = 4 * 1024 * 1024;

/** A cell as it is stored: `value` is a text, a number, or the index of a text. */
export interface StoredCell {
  /** From 0. */
  column: number;
  type: string;
  style: number;
  value: string;
  hasFormula: boolean;
}

export interface StoredRow {
  /** The number that a spreadsheet shows beside it, from 1. */
  number: number;
  cells: StoredCell[];
  isTooLong: boolean;
}

/** Collects the rows of a sheet from its XML. */
export class SheetCells implements XmlEvents {
  readonly #rows: StoredRow[] = [];
  #row: StoredRow | undefined;
  #cell: StoredCell | undefined;
  #lastRow = 0;
  #rowText = 0;
  #isData = false;
  #isInText = false;
  #isPhonetic = false;

  /** Returns the rows that are complete, once. */
  take(): StoredRow[] {
    return this.#rows.splice(0);
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'sheetData') this.#isData = true;
    if (!this.#isData) return;
    if (name === 'row') this.#openRow(attributes['r']);
    else if (name === 'c') this.#openCell(attributes);
    else if (name === 'f' && this.#cell !== undefined) this.#cell.hasFormula = true;
    else if (name === 'rPh') this.#isPhonetic = true;
    else if (name === 'v' || name === 't') this.#isInText = !this.#isPhonetic;
  }

  text(text: string): void {
    if (!this.#isInText || this.#cell === undefined || this.#row === undefined) return;
    this.#rowText += text.length;
    if (this.#rowText > MAX_ROW_TEXT) this.#row.isTooLong = true;
    else if (this.#cell.value.length < MAX_TEXT)
      this.#cell.value += text.slice(0, MAX_TEXT - this.#cell.value.length);
  }

  close(name: string): void {
    if (name === 'sheetData') this.#isData = false;
    else if (name === 'v' || name === 't') this.#isInText = false;
    else if (name === 'rPh') this.#isPhonetic = false;
    else if (name === 'c') this.#closeCell();
    else if (name === 'row') this.#closeRow();
  }

  #openRow(stated: string | undefined): void {
    const number = stated === undefined ? this.#lastRow + 1 : Number(stated);
    if (!(Number.isInteger(number) && number > this.#lastRow && number <= MAX_ROWS))
      throw new UnusableXml('the rows of the sheet are not in order');
    this.#lastRow = number;
    this.#rowText = 0;
    this.#row = { number, cells: [], isTooLong: false };
  }

  #openCell({ r: reference, t: type = 'n', s: style = '0' }: Readonly<Record<string, string>>): void {
    const last = this.#row?.cells.at(-1)?.column ?? -1;
    const column = reference === undefined ? last + 1 : columnOf(reference);
    if (!(column > last && column < MAX_COLUMNS))
      throw new UnusableXml('the cells of the sheet are not in order');
    this.#cell = { column, type, style: Number(style), value: '', hasFormula: false };
  }

  #closeCell(): void {
    if (this.#cell !== undefined) this.#row?.cells.push(this.#cell);
    this.#cell = undefined;
  }

  #closeRow(): void {
    const row = this.#row;
    this.#row = undefined;
    if (row?.cells.some(({ value, hasFormula }) => value !== '' || hasFormula)) this.#rows.push(row);
  }
}

/** Returns the column of a reference such as `AB12`, from 0. */
function columnOf(reference: string): number {
  let column = 0;
  for (let index = 0; index < reference.length; index += 1) {
    const letter = reference.charCodeAt(index) - 64;
    if (letter < 1 || letter > 26) break;
    column = column * 26 + letter;
  }
  return column - 1;
}
