import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

/** An open element. */
export interface HtmlElement {
  readonly name: string;
  /** The name of its parent element. */
  readonly parent: string | undefined;
  /** Empty except for numbered lists. */
  readonly attributes: ReadonlyMap<string, string>;
  /** Whether it is in SVG or MathML, where `/>` closes an element. */
  readonly foreign: boolean;
}

/** Callbacks for a document's contents, in order. Every opened element is closed, the innermost first. */
export interface HtmlHandler {
  open(element: HtmlElement): void;
  close(element: HtmlElement): void;
  /** Called with all text between two tags, without comments and with entities decoded. */
  text(text: string): void;
}

const voidElements = new Set(
  'area base basefont br col command embed frame hr img input isindex keygen link meta param source track wbr'.split(
    ' ',
  ),
);
const foreignElements = new Set(['math', 'svg']);
/** Elements of SVG and MathML that contain HTML. */
const integrationElements = new Set('mi mo mn ms mtext annotation-xml foreignobject desc title'.split(' '));
const ELEMENTS_WITH_ATTRIBUTES = new Set(['ol']);
const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();

/** The elements that a start tag closes if they are the innermost element. */
const closedBy = new Map<string, ReadonlySet<string>>();
for (const [openers, closed] of [
  [
    'address article aside blockquote details div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section table ul',
    'p',
  ],
  ['li', 'li'],
  ['dd dt', 'dd dt'],
  ['rt rp', 'rt rp'],
  ['tr', 'tr th td'],
  ['th', 'th'],
  ['td', 'thead th td'],
  ['tbody tfoot', 'thead tbody'],
  ['body', 'head link script'],
  ['option', 'option'],
  ['optgroup', 'optgroup option'],
  ['select input output button datalist textarea', 'input option optgroup select button datalist textarea'],
] as const) {
  for (const opener of openers.split(' ')) closedBy.set(opener, new Set(closed.split(' ')));
}

/**
 * Parses HTML roughly as browsers do: end tags may be missing, or have no start tag. Time and memory are linear in the
 * length of the HTML, whatever it contains.
 */
export function readHtml(html: string, handler: HtmlHandler): void {
  const tokenizer = new Tokenizer({ decodeEntities: true }, new HtmlReader(html, handler));
  tokenizer.write(html);
  tokenizer.end();
}

class HtmlReader implements TokenizerCallbacks {
  readonly #html: string;
  readonly #handler: HtmlHandler;
  readonly #open: HtmlElement[] = [];
  /** The number of open elements of each name, so that an end tag without an open element causes no search. */
  readonly #openByName = new Map<string, number>();
  #text = '';
  #tag = '';
  #attributes: Map<string, string> | undefined;
  #attribute = '';
  #value = '';

  constructor(html: string, handler: HtmlHandler) {
    this.#html = html;
    this.#handler = handler;
  }

  ontext(start: number, end: number): void {
    this.#text += this.#html.slice(start, end);
  }

  ontextentity(codePoint: number): void {
    this.#text += String.fromCodePoint(codePoint);
  }

  onopentagname(start: number, end: number): void {
    this.#tag = this.#html.slice(start, end).toLowerCase();
    this.#attributes = ELEMENTS_WITH_ATTRIBUTES.has(this.#tag) ? new Map() : undefined;
  }

  onattribname(start: number, end: number): void {
    if (this.#attributes === undefined) return;
    this.#attribute = this.#html.slice(start, end).toLowerCase();
    this.#value = '';
  }

  onattribdata(start: number, end: number): void {
    if (this.#attributes !== undefined) this.#value += this.#html.slice(start, end);
  }

  onattribentity(codePoint: number): void {
    if (this.#attributes !== undefined) this.#value += String.fromCodePoint(codePoint);
  }

  onattribend(): void {
    if (this.#attributes === undefined || this.#attributes.has(this.#attribute)) return;
    this.#attributes.set(this.#attribute, this.#value);
  }

  onopentagend(): void {
    const element = this.#openElement(this.#tag, this.#attributes ?? NO_ATTRIBUTES);
    if (voidElements.has(element.name)) this.#closeInnermost();
  }

  onselfclosingtag(): void {
    const element = this.#openElement(this.#tag, this.#attributes ?? NO_ATTRIBUTES);
    if (element.foreign || voidElements.has(element.name)) this.#closeInnermost();
  }

  onclosetag(start: number, end: number): void {
    const name = this.#html.slice(start, end).toLowerCase();
    const isOpen = (this.#openByName.get(name) ?? 0) > 0;
    // As in browsers, `</p>` and `</br>` without a start tag are empty elements.
    if (!isOpen && (name === 'p' || name === 'br')) {
      this.#openElement(name, NO_ATTRIBUTES);
      this.#closeInnermost();
    } else if (isOpen) {
      while (this.#closeInnermost() !== name);
    }
  }

  onend(): void {
    this.#flushText();
    while (this.#closeInnermost() !== undefined);
  }

  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}

  #openElement(name: string, attributes: ReadonlyMap<string, string>): HtmlElement {
    this.#flushText();
    const closed = closedBy.get(name);
    for (let inner = this.#open.at(-1); inner !== undefined && closed?.has(inner.name); ) {
      this.#closeInnermost();
      inner = this.#open.at(-1);
    }
    const parent = this.#open.at(-1);
    const inForeign = parent?.foreign ?? false;
    const foreign = foreignElements.has(name) || (inForeign && !integrationElements.has(name));
    const element = { name, parent: parent?.name, attributes, foreign };
    this.#open.push(element);
    this.#openByName.set(name, (this.#openByName.get(name) ?? 0) + 1);
    this.#handler.open(element);
    return element;
  }

  #closeInnermost(): string | undefined {
    this.#flushText();
    const element = this.#open.pop();
    if (element === undefined) return undefined;
    this.#openByName.set(element.name, (this.#openByName.get(element.name) ?? 1) - 1);
    this.#handler.close(element);
    return element.name;
  }

  #flushText(): void {
    if (this.#text === '') return;
    const text = this.#text;
    this.#text = '';
    this.#handler.text(text);
  }
}
