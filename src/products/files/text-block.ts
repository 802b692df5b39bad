const WHITESPACE = ' \\t\\r\\n\\f\\u200b';
const WORDS = new RegExp(`[^${WHITESPACE}]+`, 'g');
const BEGINS_WITH_SPACE = new RegExp(`^[${WHITESPACE}]`);
const HAS_SPACE = new RegExp(`[${WHITESPACE}]`);
const ENDS_WITH_SPACE = new RegExp(`[${WHITESPACE}]$`);

/**
 * The text of one block of a page while it is written: runs of whitespace become one space, and blocks
 * within it go on lines of their own. It copies no text that it already has.
 */
export class TextBlock {
  /** How many line breaks separate it from the text before it, at least. */
  breaksBefore: number;
  /** Whether whitespace is kept as it is. */
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

  /** How many line breaks separate it from the text after it, at least. */
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

  /** Adds a space that following whitespace does not replace. */
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

  /** Adds the text of a block within this one. */
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

  #addWord(word: string, apart: boolean): void {
    this.#text += apart && !this.#atLineStart ? ` ${word}` : word;
    this.#atLineStart = false;
  }
}
