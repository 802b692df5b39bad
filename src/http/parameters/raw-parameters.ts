import { isUtf8 } from 'node:buffer';

/**
 * `text` comes from a form or the query; `string`, `number` and `boolean` are JSON's types; `nested` is a
 * JSON array or object, `null` is JSON's null; `malformed` is text that cannot be stored.
 */
export type RawParameterKind = 'text' | 'string' | 'number' | 'boolean' | 'nested' | 'null' | 'malformed';

export interface RawParameter {
  name: string;
  kind: RawParameterKind;
  /** Decoded, but JSON numbers, arrays and objects as sent. Empty for `null` and `malformed`. */
  text: string;
  /** The position of its entry, for a name such as `variations[][quantity]`. */
  entry?: number;
}

/**
 * Text up to this length is decoded without exceptions: tens of thousands of short names with an exception
 * each would block the event loop for 100 ms.
 */
const MAX_SHORT = 60;
const INCOMPLETE_ESCAPE = /%(?![\da-f]{2})/i;
const ESCAPE = /%(..)/g;
const ESCAPE_OF_UTF_8 = /%[89a-f]/i;

/**
 * Reads `application/x-www-form-urlencoded` text, or a query string, in order. `bytes` is Latin-1. A value
 * that is not UTF-8 or contains a NUL is `malformed`. Stops after one parameter more than `maximum`.
 */
export function readForm(bytes: string, maximum = Number.POSITIVE_INFINITY): RawParameter[] {
  const parameters: RawParameter[] = [];
  for (const pair of bytes.split('&')) {
    if (parameters.length > maximum) break;
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const rawName = equals < 0 ? pair : pair.slice(0, equals);
    const name = decode(rawName);
    const text = equals < 0 ? '' : decode(pair.slice(equals + 1));
    if (name === undefined) parameters.push({ name: rawName, kind: 'malformed', text: '' });
    else parameters.push(textValue(name, text, 'text'));
  }
  return parameters;
}

/** Returns a `malformed` parameter if the text cannot be stored. */
export function textValue(name: string, text: string | undefined, kind: 'text' | 'string'): RawParameter {
  if (text === undefined || text.includes('\0') || !text.isWellFormed())
    return { name, kind: 'malformed', text: '' };
  return { name, kind, text };
}

function decode(bytes: string): string | undefined {
  const spaced = bytes.includes('+') ? bytes.replaceAll('+', ' ') : bytes;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it detects bytes beyond ASCII
  const text = /^[\x00-\x7f]*$/.test(spaced) ? spaced : decodeUtf8(spaced);
  if (text === undefined || !text.includes('%')) return text;
  if (text.length <= MAX_SHORT) {
    if (INCOMPLETE_ESCAPE.test(text)) return undefined;
    if (ESCAPE_OF_UTF_8.test(text)) return decodeUtf8(unescaped(spaced));
  }
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function unescaped(text: string): string {
  return text.replaceAll(ESCAPE, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** Returns undefined if these bytes are not UTF-8. */
function decodeUtf8(bytes: string): string | undefined {
  const buffer = Buffer.from(bytes, 'latin1');
  return isUtf8(buffer) ? buffer.toString() : undefined;
}

const KEY = /\s*"([^"\\]*(?:\\.[^"\\]*)*)"\s*:\s*/y;
const SCALAR = /"[^"\\]*(?:\\.[^"\\]*)*"|[^\s,}\]]+/y;
const SPACE_AND_COMMA = /[\s,]*/y;
const OPENING_BRACKET = /[[{]/g;
const STRING_OR_BRACKET = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}]/g;

/**
 * Reads a JSON object's members, in order; undefined for other JSON. Unlike `JSON.parse`, it keeps repeated
 * names, and numbers as they were written.
 * @throws {SyntaxError} for text that is not JSON
 */
export function readJsonObject(json: string): RawParameter[] | undefined {
  const parsed: unknown = JSON.parse(json);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined;
  return readJsonMembers(json);
}

/** Like `readJsonObject`, for text that is known to be a JSON object. */
export function readJsonMembers(json: string): RawParameter[] {
  const parameters: RawParameter[] = [];
  let position = json.indexOf('{') + 1;
  // The text is valid, so each member is followed by `,` or the end of the object.
  for (;;) {
    KEY.lastIndex = position;
    const key = KEY.exec(json);
    if (key === null) return parameters;
    const name = decodeString(key[1] ?? '');
    const [member, end] = readMember(name, json, KEY.lastIndex);
    parameters.push(member);
    position = json.indexOf(',', end) + 1;
    if (position === 0) return parameters;
  }
}

/** Reads the elements of a JSON array, named by their positions. The text must be one. */
export function readJsonArray(json: string): RawParameter[] {
  const elements: RawParameter[] = [];
  SPACE_AND_COMMA.lastIndex = 1;
  for (;;) {
    SPACE_AND_COMMA.exec(json);
    if (json[SPACE_AND_COMMA.lastIndex] === ']') return elements;
    const [element, end] = readMember(String(elements.length), json, SPACE_AND_COMMA.lastIndex);
    elements.push(element);
    SPACE_AND_COMMA.lastIndex = end;
  }
}

/** The text does not have to be valid JSON. */
export function isNestedDeeper(json: string, levels: number): boolean {
  // Most texts have too few brackets. Counting these takes a fraction of the time of the loop.
  if ((json.match(OPENING_BRACKET)?.length ?? 0) <= levels) return false;
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < json.length; index += 1) {
    const letter = json[index];
    if (isInString) {
      if (letter === '\\') index += 1;
      else if (letter === '"') isInString = false;
    } else if (letter === '"') {
      isInString = true;
    } else if (letter === '[' || letter === '{') {
      depth += 1;
      if (depth > levels) return true;
    } else if (letter === ']' || letter === '}') {
      depth -= 1;
    }
  }
  return false;
}

function readMember(name: string, json: string, start: number): [RawParameter, number] {
  const first = json[start];
  if (first === '{' || first === '[') {
    const end = endOfNested(json, start);
    return [{ name, kind: 'nested', text: json.slice(start, end) }, end];
  }
  SCALAR.lastIndex = start;
  const source = SCALAR.exec(json)?.[0] ?? '';
  const end = start + source.length;
  if (first === '"') return [textValue(name, decodeString(source.slice(1, -1)), 'string'), end];
  if (source === 'null') return [{ name, kind: 'null', text: '' }, end];
  return [{ name, kind: source === 'true' || source === 'false' ? 'boolean' : 'number', text: source }, end];
}

function decodeString(characters: string): string {
  return characters.includes('\\') ? String(JSON.parse(`"${characters}"`)) : characters;
}

function endOfNested(json: string, start: number): number {
  let depth = 0;
  STRING_OR_BRACKET.lastIndex = start;
  for (let token = STRING_OR_BRACKET.exec(json); token !== null; token = STRING_OR_BRACKET.exec(json)) {
    if (token[0] === '{' || token[0] === '[') depth += 1;
    else if (token[0] === '}' || token[0] === ']') depth -= 1;
    if (depth === 0) break;
  }
  return STRING_OR_BRACKET.lastIndex;
}

/**
 * The values of each name, without blank ones and repetitions, at most three: null and two others are already
 * an error. Names such as `variations[][quantity]` have all values, each for another entry.
 */
export type RawParameters = Map<string, RawParameter[]>;

const FIELD_OF_LIST = /^([^[\]]+)\[\]\[[^[\]]+\]$/;

export function mergeParameters(...sources: RawParameter[][]): RawParameters {
  const parameters: RawParameters = new Map();
  const lists = new Map<string, OpenEntry>();
  for (const parameter of sources.length === 1 ? (sources[0] ?? []) : sources.flat()) {
    const { name } = parameter;
    const values = parameters.get(name);
    const [, list] = (name.includes('[][') && FIELD_OF_LIST.exec(name)) || [];
    if (list !== undefined) {
      const field = { ...parameter, entry: positionOf(list, name, lists) };
      if (values === undefined) parameters.set(name, [field]);
      else values.push(field);
    } else if (values === undefined) {
      parameters.set(name, isBlank(parameter) ? [] : [parameter]);
    } else if (
      !isBlank(parameter) &&
      (name.endsWith('[]') || (values.length < 3 && !values.some((value) => isSame(value, parameter))))
    ) {
      values.push(parameter);
    }
  }
  return parameters;
}

/** The last entry of a list so far, and the names of its fields. */
interface OpenEntry {
  position: number;
  fields: Set<string>;
}

/** An entry ends where a field repeats. */
function positionOf(list: string, name: string, lists: Map<string, OpenEntry>): number {
  const last = lists.get(list);
  if (last !== undefined && !last.fields.has(name)) {
    last.fields.add(name);
    return last.position;
  }
  const position = last === undefined ? 0 : last.position + 1;
  lists.set(list, { position, fields: new Set([name]) });
  return position;
}

export function isBlank({ kind, text }: RawParameter): boolean {
  return (kind === 'text' || kind === 'string') && text.trim() === '';
}

function isSame(one: RawParameter, other: RawParameter): boolean {
  if ([one, other].some(({ kind }) => kind === 'nested' || kind === 'malformed')) return false;
  return one.text === other.text && (one.kind === 'null') === (other.kind === 'null');
}
