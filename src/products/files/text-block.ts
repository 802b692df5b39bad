const WHITESPACE = ' \\t\\r\\n\\f\\u200b';
const WORDS = new RegExp(`[^${WHITESPACE}]+`, 'g');
const BEGINS_WITH_SPACE = new RegExp(`^[${WHITESPACE}]`);
const HAS_SPACE = new RegExp(`[${WHITESPACE}]`);
const ENDS_WITH_SPACE = new RegExp(`[${WHITESPACE}]$`);

/**
 * Builds the text of one block of an HTML document. Whitespace collapses to one space, and nested blocks
 * start on new lines. Adding text does not copy the existing text.
 */
export class TextBlock {
  /** The minimum number of line breaks before this block. */
  breaksBefore: number;
  readonly isPreformatted: boolean;
  #text = '';
  #breaksAfter = 0;
  #atLineStart = true;
  #endsWithSpace = false;

  constructor({ breaksBefore = 1, isPreformatted = false } = {}) {
    this.breaksBefore = breaksBefore;
    this.isPreformatted = isPreformatted;
  }

  get text(): string {
    return this.#text;
  }

  /** The minimum number of line breaks after this block. */
  get breaksAfter(): number {
    return this.#breaksAfter;
  }

  addInline(text: string): void {
    if (this.isPreformatted) {
      this.#text += text;
      return;
    }
    if (text === '') return;
    if (!HAS_SPACE.test(text)) {
      this.#finishBreaks();
      this.#addWord(text, this.#endsWithSpace);
      this.#endsWithSpace = false;
      return;
    }
    const words = text.match(WORDS);
    if (words === null) {
      if (this.#breaksAfter === 0) this.#endsWithSpace = true;
      return;
    }
    this.#finishBreaks();
    this.#addWord(words.join(' '), this.#endsWithSpace || BEGINS_WITH_SPACE.test(text));
    this.#endsWithSpace = ENDS_WITH_SPACE.test(text);
  }

  /** Adds a space that is not merged with the whitespace after it. */
  addSpace(): void {
    if (this.isPreformatted) {
      this.#text += ' ';
      return;
    }
    this.#finishBreaks();
    this.#addWord(' ', this.#endsWithSpace);
    this.#endsWithSpace = false;
  }

  addLineBreak(): void {
    this.#text += '\n';
    this.#atLineStart = true;
  }

  addBlock(text: string, breaksBefore: number, breaksAfter: number): void {
    const breaks = Math.max(this.#breaksAfter, breaksBefore);
    if (this.#text === '') this.breaksBefore = breaks;
    else this.#text += '\n'.repeat(breaks);
    this.#text += text;
    this.#breaksAfter = breaksAfter;
    this.#atLineStart = true;
  }

  #finishBreaks(): void {
    if (this.#breaksAfter === 0) return;
    this.#text += '\n'.repeat(this.#breaksAfter);
    this.#breaksAfter = 0;
    this.#atLineStart = true;
  }

  #addWord(word: string, isSeparate: boolean): void {
    this.#text += isSeparate && !this.#atLineStart ? ` ${word}` : word;
    this.#atLineStart = false;
  }
}
