import type { Problem } from '../../errors/domain-error.ts';
import { MAX_ENTRIES } from '../request-limits.ts';
import type { Findings } from './findings.ts';
import {
  isBlank,
  mergeParameters,
  type RawParameter,
  type RawParameters,
  readJsonArray,
  readJsonMembers,
} from './raw-parameters.ts';

/** `base[key]`, `base[key][field]`, and anything deeper. */
const NESTED_NAME = /^([^[\]]+)\[([^[\]]*)\](?:\[([^[\]]*)\])?(.*)$/s;

export interface RawEntry {
  /** Null for an element of a JSON array, empty for a form such as `variations[][quantity]=3`. */
  key: string | null;
  /** What the entry is called in messages, such as `variations[SKU]`. */
  place: string;
  /** Called on demand: after many problems, the fields of further entries are not needed. */
  readFields: () => RawParameters;
}

/** A nested parameter has entries, which are objects, or members, which are plain values. */
export type Nesting = 'entries' | 'members';

interface GatheredParameters {
  plain: RawParameters;
  entries: Map<string, RawEntry[]>;
  /** The members of each parameter, by their names. */
  members: Map<string, RawParameters>;
}

/**
 * Gathers the entries of nested parameters (contract for writing, “Rules for all of it”): in forms
 * `name[key][field]` or `name[][field]`, in JSON an array or an object of objects. Members are `name[key]` in
 * forms, and an object in JSON, or an array, whose positions name them. Other parameters are plain. Adds what
 * is wrong to `found`, and stops gathering once there are too many problems.
 */
export function gatherNested(
  nestingOf: (name: string) => Nesting | undefined,
  sent: RawParameters,
  found: Findings,
): GatheredParameters {
  const gathered: GatheredParameters = { plain: new Map(), entries: new Map(), members: new Map() };
  const byKey = new Map<string, RawParameters>();
  const lists = new Map<string, RawParameters[]>();
  for (const [name, values] of sent) {
    const [, base = name, key = '', field, deeper] = (name.includes('[') && NESTED_NAME.exec(name)) || [];
    const nesting = nestingOf(base);
    if (nesting === undefined) {
      gathered.plain.set(name, values);
      continue;
    }
    if (found.hasTooMany) continue;
    if (nesting === 'members') {
      const isOneMember = key !== '' && field === undefined && deeper === '';
      gatherMembers(gathered, { base, key: isOneMember ? key : undefined, name, values }, found);
      continue;
    }
    const entries = gathered.entries.get(base) ?? [];
    gathered.entries.set(base, entries);
    if (base === name && values.length > 1) {
      found.addProblem({ field: name, reason: 'given more than once' });
    } else if (base === name) {
      for (const value of values) entries.push(...entriesInJson(base, value, found));
    } else if (values[0]?.entry !== undefined && field !== undefined) {
      const list = lists.get(base) ?? [];
      lists.set(base, list);
      addFields(list, field, values);
    } else if (field === undefined || field === '' || key === '' || deeper !== '') {
      found.addProblem({ field: name, reason: `expected a name such as ${base}[SKU][quantity]` });
    } else {
      const place = `${base}[${key}]`;
      const fields = byKey.get(place) ?? new Map();
      if (!byKey.has(place)) entries.push({ key, place, readFields: () => fields });
      byKey.set(place, fields);
      fields.set(field, values);
    }
  }
  for (const [base, list] of lists) {
    for (const [position, fields] of list.entries())
      gathered.entries.get(base)?.push({ key: '', place: `${base}[${position}]`, readFields: () => fields });
  }
  for (const [base, entries] of gathered.entries) {
    if (entries.length <= MAX_ENTRIES) continue;
    found.addProblem(tooManyEntries(base, entries.length));
    // The entries are not examined, because that takes long.
    entries.length = 0;
  }
  return gathered;
}

/** `key` is undefined if `name` does not name a member. */
function gatherMembers(
  { plain, members: all }: GatheredParameters,
  {
    base,
    key,
    name,
    values,
  }: { base: string; key: string | undefined; name: string; values: RawParameter[] },
  found: Findings,
): void {
  const [value, another] = values;
  if (base === name && (value === undefined || value.kind === 'null') && another === undefined) {
    plain.set(name, values);
  } else if (base === name && (value?.kind !== 'nested' || another !== undefined)) {
    const isRepeated = another !== undefined;
    found.addProblem({ field: name, reason: isRepeated ? 'given more than once' : 'expected an object' });
  } else if (base !== name && key === undefined) {
    found.addProblem({ field: name, reason: `expected a name such as ${base}[0]` });
  } else {
    const members = all.get(base) ?? new Map();
    all.set(base, members);
    const added =
      key === undefined ? mergeParameters(membersInJson(value?.text ?? '')) : new Map([[key, values]]);
    for (const [member, more] of added) members.set(member, [...(members.get(member) ?? []), ...more]);
  }
}

function membersInJson(json: string): RawParameter[] {
  return json.startsWith('[') ? readJsonArray(json) : readJsonMembers(json);
}

/** Adds a field to the entries of a form such as `variations[][quantity]=3`. */
function addFields(list: RawParameters[], field: string, values: readonly RawParameter[]): void {
  for (const value of values) {
    const { entry: position = 0 } = value;
    list[position] ??= new Map();
    list[position].set(field, isBlank(value) ? [] : [value]);
  }
}

function tooManyEntries(name: string, count: number): Problem {
  return { field: name, reason: `expected at most ${MAX_ENTRIES} entries, found ${count}` };
}

function entriesInJson(base: string, { kind, text }: RawParameter, found: Findings): RawEntry[] {
  if (kind !== 'nested') {
    found.addProblem({ field: base, reason: 'expected a list or an object' });
    return [];
  }
  const isList = text.startsWith('[');
  const members = isList ? readJsonArray(text) : readJsonMembers(text);
  if (members.length > MAX_ENTRIES) {
    found.addProblem(tooManyEntries(base, members.length));
    return [];
  }
  return members.flatMap(({ name, kind, text }) => {
    const place = `${base}[${name}]`;
    const readFields = (): RawParameters => mergeParameters(readJsonMembers(text));
    if (kind === 'nested' && text.startsWith('{')) return [{ key: isList ? null : name, place, readFields }];
    found.addProblem({ field: place, reason: 'expected an object' });
    return [];
  });
}
