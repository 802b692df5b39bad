import { checkText } from '../files/value-readers.ts';
import { fieldReaders } from '../products/files/read-fields.ts';
import { conditions } from '../products/record/product.ts';
import { InvalidValue } from '../shared/invalid-value.ts';
import { type ListName, lists } from './lists.ts';

/** What was sent for a list: an array, or the members of an object, which may repeat names. */
export type SentEntries =
  | { readonly items: readonly unknown[] }
  | { readonly members: readonly (readonly [name: string, value: unknown])[] };

/** The entries of a list that were checked, as `checkEntries` returns them. */
export interface CheckedEntries {
  /** The entries of an array, or the names of an object. */
  names: readonly string[];
  /** Counts the entries of all groups. */
  count: number;
  /** The list as the API returns it. */
  json: string;
}

/** Of a list, in all its groups. */
const MAX_COUNT_OF_ENTRIES = 10_000;
const MAX_NAME_LENGTH = 255;
/** In any script, so many fit in one PostgreSQL index entry. */
const MAX_LISTED_CATEGORY = 600;
const CONTROL_CHARACTER = /\p{Cc}/u;

const notName = new InvalidValue(`expected text of 1 to ${MAX_NAME_LENGTH} characters in one line`);
const notCategory = new InvalidValue('expected category levels, separated by |');
const notCondition = new InvalidValue(`expected one of ${conditions.join(', ')}`);
const notReason = new InvalidValue(
  'expected a lower-case word of up to 100 letters, digits and _, such as out_of_stock',
);

/** How the names of an array are read, where they are not just text. */
const nameReaders: { readonly [Name in ListName]?: (name: string) => string | InvalidValue } = {
  categories: readCategory,
  conditions: (name) => conditions.find((condition) => condition === name) ?? notCondition,
  refund_reasons: (name) => (/^[a-z][a-z0-9_]{0,99}$/.test(name) ? name : notReason),
};

const postalCode = { pattern: /^[A-Z0-9-]{1,10}$/, expected: 'a code of capitals and digits, such as TX' };
const codes: { readonly [Name in ListName]?: { pattern: RegExp; expected: string } } = {
  country_codes: { pattern: /^[A-Z]{3}$/, expected: 'an ISO 3166-1 alpha-3 code, such as CAN' },
  states: postalCode,
  provinces: postalCode,
  territories: postalCode,
  carriers: {
    pattern: /^[A-Za-z0-9_-]{1,50}$/,
    expected: 'a code of up to 50 letters, digits, _ and -, such as royal_mail',
  },
  moderation_reasons: {
    pattern: /^[a-z][a-z0-9_]{0,99}$/,
    expected: 'a lower-case code of up to 100 letters, digits and _, such as image_missing',
  },
};

/**
 * Checks entries that were sent for a list, and returns them trimmed, or what is wrong with the first wrong
 * one. No name occurs twice in an array, an object or a group.
 */
export function checkEntries(list: ListName, sent: SentEntries): CheckedEntries | InvalidValue {
  const { shape } = lists[list];
  if (shape === 'names') return 'items' in sent ? checkNames(list, sent.items) : notArray;
  if ('items' in sent) return shape === 'codes' ? notCodes : notGroups;
  return shape === 'codes' ? checkCodes(list, sent.members) : checkGroups(list, sent.members);
}

const notArray = new InvalidValue('expected an array of texts');
const notCodes = new InvalidValue('expected an object with a code for each name');
const notGroups = new InvalidValue('expected an object with an array of texts for each group');
const tooMany = new InvalidValue(`expected at most ${MAX_COUNT_OF_ENTRIES.toLocaleString('en')} entries`);

function checkNames(list: ListName, items: readonly unknown[]): CheckedEntries | InvalidValue {
  if (items.length > MAX_COUNT_OF_ENTRIES) return tooMany;
  const names = new Set<string>();
  for (const [index, item] of items.entries()) {
    const name = readName(list, item);
    if (name instanceof InvalidValue) return at(`entry ${index + 1}`, name);
    if (names.has(name)) return repeated(name);
    names.add(name);
  }
  return { names: [...names], count: names.size, json: JSON.stringify([...names]) };
}

function checkCodes(
  list: ListName,
  members: readonly (readonly [string, unknown])[],
): CheckedEntries | InvalidValue {
  const rule = codes[list];
  return checkMembers(list, members, (code) =>
    typeof code === 'string' && rule?.pattern.test(code) === true
      ? { count: 1, json: JSON.stringify(code) }
      : new InvalidValue(`expected ${rule?.expected}`),
  );
}

function checkGroups(
  list: ListName,
  members: readonly (readonly [string, unknown])[],
): CheckedEntries | InvalidValue {
  return checkMembers(list, members, (items) => (Array.isArray(items) ? checkNames(list, items) : notArray));
}

/** Text instead of an object, because an object would sort names that are numbers. */
function checkMembers(
  list: ListName,
  members: readonly (readonly [string, unknown])[],
  check: (value: unknown) => Pick<CheckedEntries, 'count' | 'json'> | InvalidValue,
): CheckedEntries | InvalidValue {
  if (members.length > MAX_COUNT_OF_ENTRIES) return tooMany;
  const values = new Map<string, string>();
  let count = 0;
  for (const [index, [sent, value]] of members.entries()) {
    const name = readName(list, sent);
    if (name instanceof InvalidValue) return at(`the name of entry ${index + 1}`, name);
    if (values.has(name)) return repeated(name);
    const checked = check(value);
    if (checked instanceof InvalidValue) return at(`"${name}"`, checked);
    values.set(name, checked.json);
    count += checked.count;
    if (count > MAX_COUNT_OF_ENTRIES) return tooMany;
  }
  const json = [...values].map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',');
  return { names: [...values.keys()], count, json: `{${json}}` };
}

function readName(list: ListName, value: unknown): string | InvalidValue {
  if (typeof value !== 'string') return notName;
  const name = value.trim();
  const reader = nameReaders[list];
  if (reader !== undefined) return reader(name);
  const isLine = name !== '' && !CONTROL_CHARACTER.test(name) && name.isWellFormed();
  return isLine && [...name].length <= MAX_NAME_LENGTH ? name : notName;
}

function readCategory(text: string): string | InvalidValue {
  if (CONTROL_CHARACTER.test(text)) return notCategory;
  const category = fieldReaders.category.fromCell(text);
  if (category === null) return notCategory;
  return category instanceof InvalidValue ? category : checkText(category, MAX_LISTED_CATEGORY);
}

function repeated(name: string): InvalidValue {
  return new InvalidValue(`expected each name once, found "${name}" again`);
}

function at(place: string, { reason }: InvalidValue): InvalidValue {
  return new InvalidValue(`${place}: ${reason}`);
}
