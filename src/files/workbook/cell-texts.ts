import { isoTimeText, numberText, timeText, unescapeText } from './cell-text.ts';
import type { SharedStrings } from './shared-strings.ts';
import type { StoredCell } from './sheet-cells.ts';
import type { WorkbookParts } from './workbook-parts.ts';

const NO_RESULT =
  'the formula has no stored result; open the file in a spreadsheet program, save it, and upload it again';

/** The texts of cells, as a CSV file would have them. */
export class CellTexts {
  readonly #workbook: Pick<WorkbookParts, 'is1904' | 'timeStyles'>;
  readonly #strings: SharedStrings;

  constructor(workbook: Pick<WorkbookParts, 'is1904' | 'timeStyles'>, strings: SharedStrings) {
    this.#workbook = workbook;
    this.#strings = strings;
  }

  /** With a reason if the cell cannot be used. The text is undefined if it is not in the workbook. */
  read({ type, style, value, hasFormula }: StoredCell): { text?: string; reason?: string } {
    if (type === 's') {
      const text = value === '' ? '' : this.#strings.get(Number(value));
      return text === undefined ? { reason: 'the workbook lacks the text of this cell' } : { text };
    }
    if (type === 'str' || type === 'inlineStr') return { text: unescapeText(value) };
    if (value === '') return hasFormula ? { text: '', reason: NO_RESULT } : { text: '' };
    if (type === 'e')
      return { text: value, reason: `the cell has the error ${value}; correct it in the workbook` };
    if (type === 'b') return { text: /^(1|true)$/.test(value.trim()) ? 'TRUE' : 'FALSE' };
    if (type === 'd') return { text: isoTimeText(value) };
    const isTime = this.#workbook.timeStyles[style] === true;
    const text = (isTime ? timeText(value, this.#workbook) : undefined) ?? numberText(value);
    return text === undefined ? { text: value, reason: 'expected a number in this cell' } : { text };
  }
}
