import { type RawParameter, readJsonObject } from '../http/parameters/raw-parameters.ts';
import type { ParameterType } from '../http/parameters/types.ts';
import type { Schema } from '../http/schema.ts';
import type { SentEntries } from './check-entries.ts';
import type { ListShape } from './lists.ts';

const name = { type: 'string' } as const;

/** The schema of the entries of a list. */
export const entriesSchemas: Record<ListShape, Schema> = {
  names: { type: 'array', items: name },
  codes: { type: 'object', additionalProperties: name },
  groups: { type: 'object', additionalProperties: { type: 'array', items: name } },
};

/** Any of the shapes: an empty object has two of them. */
export const anyEntriesSchema: Schema = { anyOf: Object.values(entriesSchemas) };

/** The entries of a list. `checkEntries` checks them by the rules of the list. */
export const sentEntries: ParameterType<SentEntries> = {
  expected: 'an array of texts, an object of codes, or an object of arrays of texts',
  schema: anyEntriesSchema,
  isNested: true,
  read: ({ kind, text }) => (kind === 'nested' ? readEntries(text) : undefined),
};

/** Returns undefined for JSON other than an array or an object. @throws {SyntaxError} if it is not JSON */
export function readEntries(json: string): SentEntries | undefined {
  const parsed: unknown = JSON.parse(json);
  if (Array.isArray(parsed)) return { items: parsed };
  // `JSON.parse` would keep only the last of repeated names.
  const members = readJsonObject(json);
  return members && { members: members.map((member) => [member.name, readValue(member)] as const) };
}

function readValue({ kind, text }: RawParameter): unknown {
  if (kind === 'text' || kind === 'string') return text;
  return kind === 'malformed' || kind === 'null' ? null : JSON.parse(text);
}
