import type { Input, Reading } from './model.ts';
import type { SchemaReader } from './read-schemas.ts';
import { lowerFirst, snake } from './text.ts';
import { type Type, Unknown } from './types.ts';

/** Parameters that decide what an operation with several results returns, so that each reading sets its own. */
export const DECIDING = ['pagination', 'changed_since'];

/** What a list with `pagination=true` returns. */
const PAGE = ['results', 'from', 'to', 'page', 'per_page', 'total_entries'];
const CHANGES = ['results', 'cursor', 'more'];
const FEED = ['results', 'next', 'more'];
const CHAIN = ['results', 'next'];
/** Orders in which new records come last, so that an iteration reaches them. */
const OLDEST_FIRST = ['created_at_ascending', 'id_asc'];

interface Described {
  name: string;
  result: Type | null;
  input: Input;
}

/** Returns the ways to read the result of an operation. @throws {Unknown} */
export function listReadings(operation: Described, schemas: SchemaReader, at: string): Reading[] {
  const { name, result, input } = operation;
  const parameters = input.kind === 'parameters' ? input.fields.map((field) => field.name) : [];
  const alternatives = hasAlternatives(result) ? result.of : [];
  if (alternatives.length > 0)
    return readAlternatives(name, alternatives, { parameters, input, schemas, at });
  const readings: Reading[] = [{ kind: 'result', method: name, result }];
  const iterator = iteratorName(name);
  if (result === null || iterator === null) return readings;
  if (result.kind === 'list') {
    if (parameters.includes('page')) readings.push(everyItem(iterator, result.of, input, schemas));
    return readings;
  }
  const members = membersOf(result, schemas);
  const item = itemOf(result, schemas);
  if (item === null) return readings;
  if (isSame(members, CHANGES) && parameters.includes('after'))
    readings.push({
      kind: 'every result',
      method: iterator,
      item,
      parameter: 'after',
      next: 'cursor',
    });
  if (isSame(members, CHANGES) && parameters.includes('changed_since'))
    readings.push(everyChange(result, item, parameters, at));
  if (isSame(members, FEED) && parameters.includes('after'))
    readings.push({
      kind: 'every page',
      method: `${iterator.replace(/s$/, '')}Pages`,
      page: result,
      parameter: 'after',
      next: 'next',
      size: 'limit',
    });
  if (isSame(members, CHAIN) && parameters.includes('after'))
    readings.push({
      kind: 'every result',
      method: iterator,
      item,
      parameter: 'after',
      next: 'next',
    });
  return readings;
}

/** Whether an operation returns one type or another. */
export function hasAlternatives(result: Type | null): result is Type & { kind: 'union' } {
  return result?.kind === 'union';
}

function readAlternatives(
  name: string,
  alternatives: readonly Type[],
  {
    parameters,
    input,
    schemas,
    at,
  }: { parameters: readonly string[]; input: Input; schemas: SchemaReader; at: string },
): Reading[] {
  const readings: Reading[] = [];
  for (const result of alternatives) {
    const members = membersOf(result, schemas);
    const item = itemOf(result, schemas);
    if (result.kind === 'list') {
      readings.push({ kind: 'result', method: name, result });
      const iterator = iteratorName(name);
      if (iterator !== null) readings.push(everyItem(iterator, result.of, input, schemas));
    } else if (isSame(members, PAGE) && parameters.includes('pagination')) {
      readings.push({ kind: 'page', method: `${name}Page`, result });
    } else if (isSame(members, CHANGES) && parameters.includes('changed_since') && item !== null) {
      readings.push({ kind: 'changes', method: `list${nameOf(result, at)}`, result });
      readings.push(everyChange(result, item, parameters, at));
    } else throw new Unknown(at, `it is not known when the result is ${JSON.stringify(result)}`);
  }
  return readings;
}

function everyItem(method: string, item: Type, input: Input, schemas: SchemaReader): Reading {
  const fields = input.kind === 'parameters' ? input.fields : [];
  const sort = fields.find((field) => field.name === 'sort')?.type;
  const words = sort?.kind === 'words' ? sort.words : [];
  const oldestFirst = words.find((word) => OLDEST_FIRST.includes(word)) ?? null;
  const members = membersOf(item, schemas);
  const names = ['internal_id', 'id', ...(item.kind === 'object' ? [`${snake(item.name)}_id`] : [])];
  const identity = names.find((name) => members.includes(name)) ?? null;
  return { kind: 'every item', method, item, identity, oldestFirst };
}

function everyChange(page: Type, item: Type, parameters: readonly string[], at: string): Reading {
  if (!parameters.includes('per_page')) throw new Unknown(at, 'changes without per_page are not known');
  const method = `${lowerFirst(nameOf(item, at))}Changes`;
  return { kind: 'every page', method, page, parameter: 'changed_since', next: 'cursor', size: 'per_page' };
}

/** `listProducts` has the iterator `products`. Null if the operation does not list. */
function iteratorName(operation: string): string | null {
  return /^list[A-Z]/.test(operation) ? lowerFirst(operation.slice('list'.length)) : null;
}

function membersOf(type: Type, { objects }: SchemaReader): string[] {
  return type.kind === 'object' ? (objects.get(type.name)?.fields ?? []).map((field) => field.name) : [];
}

/** Returns the type of the `results` of a page; null if they are something else than named objects. */
function itemOf(page: Type, { objects }: SchemaReader): Type | null {
  if (page.kind !== 'object') return null;
  const results = objects.get(page.name)?.fields.find((field) => field.name === 'results')?.type;
  if (results?.kind !== 'list') return null;
  return results.of;
}

function nameOf(type: Type, at: string): string {
  if (type.kind !== 'object') throw new Unknown(at, 'expected an object with a name');
  return type.name;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name) => other.includes(name));
}
