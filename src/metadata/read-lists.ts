import type { Reader } from '../database/database.ts';
import { type ListName, listNames, lists, recordLists } from './lists.ts';
import { findList, listStoredLists } from './queries.ts';

export interface ListEntries {
  /** Whether the operator has not set the list. */
  isDefault: boolean;
  json: string;
}

/** Reads a list. Not cached: it is one lookup by primary key, and every node sees a change at once. */
export async function readList(database: Pick<Reader, 'first'>, name: ListName): Promise<ListEntries> {
  const stored = await database.first(findList, { name });
  return { isDefault: stored === undefined, json: stored?.value ?? initialJson(name) };
}

/** Reads all lists, in their order. */
export async function readLists(
  database: Pick<Reader, 'all'>,
): Promise<(ListEntries & { name: ListName })[]> {
  const stored = new Map((await database.all(listStoredLists)).map(({ name, value }) => [name, value]));
  return listNames.map((name) => ({
    name,
    isDefault: !stored.has(name),
    json: stored.get(name) ?? initialJson(name),
  }));
}

/** Reads the record `metadata` as JSON. */
export async function readMetadata(database: Pick<Reader, 'all'>): Promise<string> {
  const all = new Map((await readLists(database)).map(({ name, json }) => [name, json]));
  return `{${recordLists.map((name) => `"${name}":${all.get(name)}`).join(',')}}`;
}

function initialJson(name: ListName): string {
  return JSON.stringify(lists[name].initial);
}
