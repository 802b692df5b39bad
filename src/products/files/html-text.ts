import { type HtmlElement, type HtmlHandler, readHtml } from './html-elements.ts';
import { listMarkers } from './list-markers.ts';
import { TextBlock } from './text-block.ts';

/** The maximum length of the HTML in a cell, in UTF-16 units. */
export const MAX_HTML = 300_000;

/** Deeper lists and quotations are not indented further, because every level copies the text once more. */
const MAX_INDENTATION = 6;
const RULE = '-'.repeat(40);

/** The minimum number of line breaks before and after each block. */
const blocks = new Map<string, { before: number; after: number }>();
for (const [names, before, after] of [
  ['article aside div footer form header main nav section', 1, 1],
  ['h1 h2 h3', 3, 2],
  ['blockquote h4 h5 h6 hr ol p pre table tr ul', 2, 2],
] as const) {
  for (const name of names.split(' ')) blocks.set(name, { before, after });
}

/**
 * Converts HTML to plain text. Paragraphs and list items start on new lines, links become their text, images are
 * removed, entities are decoded, and lines are not wrapped. If there is a `body`, only its content is converted. Time
 * and memory are linear in the length of the HTML.
 */
export function htmlToText(html: string): string {
  const writer = new TextWriter();
  readHtml(html, writer);
  return writer.result
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
}

/** A block whose element is open. */
interface OpenBlock {
  kind: 'block' | 'quotation' | 'list' | 'item';
  /** The element whose end closes this block; undefined for the whole text, and for loose text in a list. */
  element: HtmlElement | undefined;
  text: TextBlock;
  /** The number of indented blocks around it, including itself. */
  indentation: number;
  /** The items so far if it is a list. */
  items: OpenBlock[] | undefined;
}

class TextWriter implements HtmlHandler {
  #whole = newBlock('block', undefined, undefined, 0);
  /** The innermost block is last. An element without its own block writes to the innermost block. */
  #open = [this.#whole];
  #body: HtmlElement | undefined;
  #hasBody = false;
  #hidden: HtmlElement | undefined;

  get result(): string {
    return this.#whole.text.text;
  }

  open(element: HtmlElement): void {
    if (this.#hidden !== undefined) return;
    if (element.name === 'body' && this.#body === undefined) this.#openBody(element);
    if (this.#isOutsideBody) return;
    if (this.#innermost.kind === 'list') this.#push('item', element, 1);
    if (element.name === 'script' || element.name === 'style') this.#hidden = element;
    const breaks = blocks.get(element.name);
    if (breaks !== undefined) this.#push(kindOf(element), element, isNested(element) ? 1 : breaks.before);
    if (element.name === 'br') this.#innermost.text.addLineBreak();
    if (element.name === 'hr') this.#innermost.text.addInline(RULE);
  }

  text(text: string): void {
    if (this.#hidden !== undefined || this.#isOutsideBody) return;
    if (this.#innermost.kind !== 'list') {
      this.#innermost.text.addInline(text);
    } else if (text.trim() !== '') {
      this.#push('item', undefined, 1).text.addInline(text);
      this.#closeInnermost();
    }
  }

  close(element: HtmlElement): void {
    if (this.#hidden === element) this.#hidden = undefined;
    if (this.#hidden !== undefined || this.#isOutsideBody) return;
    if (element.name === 'td' || element.name === 'th') this.#innermost.text.addSpace();
    while (this.#open.length > 1 && this.#innermost.element === element) this.#closeInnermost();
    if (this.#body === element) this.#body = undefined;
  }

  get #innermost(): OpenBlock {
    return this.#open.at(-1) ?? this.#whole;
  }

  get #isOutsideBody(): boolean {
    return this.#hasBody && this.#body === undefined;
  }

  #openBody(element: HtmlElement): void {
    this.#body = element;
    if (this.#hasBody) return;
    this.#hasBody = true;
    this.#whole = newBlock('block', undefined, undefined, 0);
    this.#open = [this.#whole];
  }

  #push(kind: OpenBlock['kind'], element: HtmlElement | undefined, breaksBefore: number): OpenBlock {
    const block = newBlock(kind, element, this.#innermost, breaksBefore);
    this.#open.push(block);
    return block;
  }

  #closeInnermost(): void {
    const block = this.#open.pop();
    if (block === undefined) return;
    const outer = this.#innermost;
    if (block.kind === 'item') {
      outer.items?.push(block);
      return;
    }
    if (block.kind === 'list') {
      addItems(block);
      const { text, breaksBefore } = block.text;
      if (text !== '') outer.text.addBlock(text, breaksBefore, endBreaks(block));
      return;
    }
    const text = block.kind === 'quotation' ? quoted(block) : block.text.text;
    const { breaksBefore, breaksAfter } = block.text;
    outer.text.addBlock(text, breaksBefore, Math.max(breaksAfter, endBreaks(block)));
  }
}

function newBlock(
  kind: OpenBlock['kind'],
  element: HtmlElement | undefined,
  outer: OpenBlock | undefined,
  breaksBefore: number,
): OpenBlock {
  const isPreformatted = element?.name === 'pre' || (outer?.text.isPreformatted ?? false);
  const text = new TextBlock({ breaksBefore, isPreformatted });
  const isIndented = kind === 'item' || kind === 'quotation';
  const items = kind === 'list' ? [] : undefined;
  return { kind, element, text, indentation: (outer?.indentation ?? 0) + Number(isIndented), items };
}

function kindOf({ name }: HtmlElement): OpenBlock['kind'] {
  if (name === 'ul' || name === 'ol') return 'list';
  return name === 'blockquote' ? 'quotation' : 'block';
}

function isNested({ name, parent }: HtmlElement): boolean {
  return (name === 'ul' || name === 'ol') && parent === 'li';
}

function endBreaks({ element }: OpenBlock): number {
  if (element === undefined) return 0;
  return isNested(element) ? 1 : (blocks.get(element.name)?.after ?? 0);
}

function quoted({ text: { text }, indentation }: OpenBlock): string {
  if (indentation > MAX_INDENTATION) return text;
  return `> ${trimLineBreaks(text).replaceAll('\n', '\n> ')}`;
}

/** Does not use a regular expression, which would take quadratic time for many line breaks in the middle. */
function trimLineBreaks(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && text[start] === '\n') start += 1;
  while (end > start && text[end - 1] === '\n') end -= 1;
  return text.slice(start, end);
}

/** Adds the items of a list to its text. The texts of all items are aligned after the widest marker. */
function addItems({ element, items, text: list }: OpenBlock): void {
  if (element === undefined || items === undefined) return;
  const markers = listMarkers(element, items.filter(isMarked).length);
  const width = markers.reduce((widest, { length }) => Math.max(widest, length), 0);
  const margin = `\n${' '.repeat(width)}`;
  let next = 0;
  for (const item of items) {
    const marker = isMarked(item) ? (markers[next++] ?? '') : '';
    const { text, breaksBefore, breaksAfter } = item.text;
    const indented = item.indentation > MAX_INDENTATION ? text : text.replaceAll('\n', margin);
    list.addBlock(marker.padEnd(width) + indented, breaksBefore, Math.max(breaksAfter, 1));
  }
}

function isMarked({ element }: OpenBlock): boolean {
  return element?.name === 'li';
}
