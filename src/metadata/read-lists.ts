import type { Reader } from '../database/database.ts';
import { type ListName, lists, recordLists } from './lists.ts';
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

/** Reads the record `metadata` as JSON. */
export async function readMetadata(database: Pick<Reader, 'all'>): Promise<string> {
  const stored = new Map((await database.all(listStoredLists)).map(({ name, value }) => [name, value]));
  const members = recordLists.map((name) => `"${name}":${stored.get(name) ?? initialJson(name)}`);
  return `{${members.join(',')}}`;
}

function initialJson(name: ListName): string {
  return JSON.stringify(lists[name].initial);
}
