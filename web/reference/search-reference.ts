import { inputOf } from './call-input.ts';
import type { Group } from './groups.ts';
import { type OpenApi, resolve, type Schema } from './open-api.ts';

/** Something that the search finds. */
export interface Entry {
  kind: 'call' | 'parameter' | 'field' | 'record';
  label: string;
  /** What it belongs to. */
  hint: string;
  /** The slug of the page. */
  group: string;
  /** The fragment of the URL. */
  hash: string;
  /** In lower case. */
  text: string;
}

/** Returns all calls, parameters, records and fields. */
export function entriesOf(document: OpenApi, groups: readonly Group[]): Entry[] {
  return groups.flatMap(({ slug, name, endpoints, records }) => [
    ...endpoints.flatMap(({ path, method, operation }): Entry[] => {
      const { operationId, summary = operationId } = operation;
      const { parameters, readOnly, deprecated } = inputOf(document, operation);
      const call: Entry = {
        kind: 'call',
        label: summary,
        hint: `${method} ${path}`,
        group: slug,
        hash: operationId,
        text: `${summary} ${operationId} ${method} ${path} ${path}.json ${name}`.toLowerCase(),
      };
      const sent = [...parameters, ...readOnly, ...deprecated].map(
        (parameter): Entry => ({
          kind: 'parameter',
          label: parameter.name,
          hint: summary,
          group: slug,
          hash: `${operationId}.${parameter.name}`,
          text: parameter.name.toLowerCase(),
        }),
      );
      return [call, ...sent];
    }),
    ...records.flatMap((record): Entry[] => {
      const schema = resolve<Schema>(document, { $ref: `#/components/schemas/${record}` });
      const entry = { group: slug, hint: name };
      return [
        { ...entry, kind: 'record', label: record, hash: record, text: record.toLowerCase() },
        ...Object.keys(schema.properties ?? {}).map(
          (field): Entry => ({
            ...entry,
            kind: 'field',
            label: field,
            hint: record,
            hash: `${record}.${field}`,
            text: field.toLowerCase(),
          }),
        ),
      ];
    }),
  ]);
}

const RANKS = ['record', 'call', 'field', 'parameter'] as const;

/** Returns the entries that have all words of a query, the best ones first. */
export function search(entries: readonly Entry[], query: string): Entry[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return [];
  const whole = words.join(' ');
  const rank = ({ kind, text, label }: Entry): number => {
    const name = label.toLowerCase();
    const fit = name === whole ? 0 : name.startsWith(whole) ? 1 : text.includes(whole) ? 2 : 3;
    return fit * RANKS.length + RANKS.indexOf(kind);
  };
  return entries
    .filter(({ text }) => words.every((word) => text.includes(word)))
    .map((entry) => ({ entry, rank: rank(entry) }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ entry }) => entry);
}
