import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

/** The maximum length of the HTML in a cell, in UTF-16 units. */
export const MAX_HTML = 300_000;

/** Deeper lists are not indented further, so that the text is not much longer than the HTML. */
const MAX_INDENTATION = 6;
const SPACES = /[ \t\r\n\f\u200b]+/g;

const hiddenElements = new Set(['script', 'style', 'title']);
const lists = new Set(['ol', 'ul']);
const paragraphs = new Set('blockquote h1 h2 h3 h4 h5 h6 hr ol p pre table ul'.split(' '));
const lines = new Set('article aside dd div dt footer form header li main nav section tr'.split(' '));

/**
 * Converts HTML to plain text. Paragraphs and list items start on new lines, links become their text, images
 * are removed, entities are decoded, and lines are not wrapped. Takes time and memory linear in the length.
 */
export function htmlToText(html: string): string {
  const writer = new TextWriter(html);
  const tokenizer = new Tokenizer({ decodeEntities: true }, writer);
  tokenizer.write(html);
  tokenizer.end();
  return writer.text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
}

/** Writes the text between tags. A missing or extra end tag changes only line breaks and indentation. */
class TextWriter implements TokenizerCallbacks {
  text = '';
  readonly #html: string;
  /** The text since the last tag. */
  #read = '';
  #tag = '';
  /** Whether the current attribute is the `start` of a numbered list. */
  #isStart = false;
  #firstNumber = 1;
  #isHidden = false;
  /** The number of open `pre` elements, whose whitespace is kept. */
  #preformatted = 0;
  /** The open lists, each with the number of its next item if it is numbered. */
  readonly #lists: { next: number | undefined }[] = [];
  /** Line breaks, a list item's marker, or a space before the next text. */
  #breaks = 0;
  #marker = '';
  #space = false;

  constructor(html: string) {
    this.#html = html;
  }

  ontext(start: number, end: number): void {
    this.#read += this.#html.slice(start, end);
  }

  ontextentity(codePoint: number): void {
    this.#read += String.fromCodePoint(codePoint);
  }

  onopentagname(start: number, end: number): void {
    this.#writeText();
    this.#tag = this.#html.slice(start, end).toLowerCase();
    this.#firstNumber = 1;
  }

  onattribname(start: number, end: number): void {
    this.#isStart = this.#tag === 'ol' && this.#html.slice(start, end).toLowerCase() === 'start';
  }

  onattribdata(start: number, end: number): void {
    if (!this.#isStart) return;
    const number = Number.parseInt(this.#html.slice(start, Math.min(end, start + 7)), 10);
    if (!Number.isNaN(number)) this.#firstNumber = number;
  }

  onopentagend(): void {
    const name = this.#tag;
    this.#isHidden = hiddenElements.has(name);
    if (name === 'pre') this.#preformatted += 1;
    this.#break(name);
    if (lists.has(name)) this.#lists.push({ next: name === 'ol' ? this.#firstNumber : undefined });
    if (name === 'li') this.#beginItem();
  }

  onselfclosingtag(): void {
    this.onopentagend();
    // Only SVG closes these elements so. In HTML, the slash means nothing.
    this.#isHidden = false;
  }

  onclosetag(start: number, end: number): void {
    this.#writeText();
    const name = this.#html.slice(start, end).toLowerCase();
    this.#isHidden = false;
    if (name === 'pre') this.#preformatted = Math.max(0, this.#preformatted - 1);
    if (lists.has(name)) this.#lists.pop();
    this.#break(name);
  }

  onend(): void {
    this.#writeText();
  }

  onattribentity(): void {}
  onattribend(): void {}
  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}

  /** Notes the line breaks that a start tag or end tag makes. */
  #break(name: string): void {
    if (name === 'td' || name === 'th') this.#space = true;
    if (name === 'br') this.#breaks += 1;
    const isInList = lists.has(name) && this.#lists.length > 0;
    if (lines.has(name) || isInList) this.#breaks = Math.max(this.#breaks, 1);
    else if (paragraphs.has(name)) this.#breaks = Math.max(this.#breaks, 2);
  }

  #beginItem(): void {
    const list = this.#lists.at(-1);
    this.#marker = list?.next === undefined ? '- ' : ` ${list.next++}. `;
  }

  #writeText(): void {
    const read = this.#isHidden ? '' : this.#read;
    this.#read = '';
    if (read === '') return;
    if (this.#preformatted > 0) {
      this.#write(read);
      return;
    }
    const text = read.replaceAll(SPACES, ' ');
    const isBlank = text.trim() === '';
    if (isBlank || text.startsWith(' ')) this.#space = true;
    if (isBlank) return;
    this.#write(text.replace(/^ | $/g, ''));
    this.#space = text.endsWith(' ');
  }

  #write(text: string): void {
    if (this.#breaks > 0 || this.#marker !== '') this.#beginLine();
    else if (this.#space) this.text += ' ';
    this.text += text;
    this.#space = false;
  }

  #beginLine(): void {
    const depth = Math.min(this.#lists.length, MAX_INDENTATION);
    const indentation = '  '.repeat(this.#marker === '' ? depth : Math.max(0, depth - 1));
    this.text += '\n'.repeat(Math.min(this.#breaks, 2)) + indentation + this.#marker;
    this.#breaks = 0;
    this.#marker = '';
  }
}
