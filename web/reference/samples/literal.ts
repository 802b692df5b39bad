/** How a language writes values. */
export interface Syntax {
  object: readonly [open: string, close: string];
  list: readonly [open: string, close: string];
  entry: (name: string, value: string) => string;
  text: (text: string) => string;
  /** True, false, and null. */
  words: readonly [string, string, string];
  /** What one level is indented by. */
  indent: string;
}

/** Longer values take several lines. */
const MAX_WIDTH = 56;

/** Writes a JSON value in a language, on one line if it is short. */
export function literal(value: unknown, syntax: Syntax, at = ''): string {
  const [yes, no, nothing] = syntax.words;
  if (value === null || value === undefined) return nothing;
  if (typeof value === 'boolean') return value ? yes : no;
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return syntax.text(value);
  const inner = at + syntax.indent;
  const isList = Array.isArray(value);
  const parts = (indent: string): string[] =>
    isList
      ? value.map((item) => literal(item, syntax, indent))
      : Object.entries(value).map(([name, one]) => syntax.entry(name, literal(one, syntax, indent)));
  const [open, close] = isList ? syntax.list : syntax.object;
  const short = `${open}${parts(at).join(', ')}${close}`;
  if (short.length <= MAX_WIDTH && !short.includes('\n')) return short;
  const lines = parts(inner).map((part) => `${inner}${part},`);
  return `${open.trimEnd()}\n${lines.join('\n')}\n${at}${close.trimStart()}`;
}

export function isEmpty(values: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(values).length === 0;
}
