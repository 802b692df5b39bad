import type { Problem } from '../../errors/domain-error.ts';
import { errors } from '../../errors/errors.ts';
import { InvalidValue } from '../../shared/invalid-value.ts';
import { requestErrors } from '../responses/request-errors.ts';
import { orNull, type Schema } from '../schema.ts';
import { Findings } from './findings.ts';
import { gatherNested, type Nesting, type RawEntry } from './nested.ts';
import type { RawParameter, RawParameters } from './raw-parameters.ts';
import type { ParameterType } from './types.ts';

/** How a parameter is read. */
export interface ParameterRule {
  type: ParameterType<unknown>;
  required?: true;
  /** What null means: the value is cleared, or null is refused. By default, it counts as missing. */
  null?: 'clears' | 'refused';
  /** Set for a list: the fields of each entry, one of which is `identifier`. */
  entries?: ParameterRules;
  /** Set for an object: its members. */
  members?: ParameterRules;
}

/** By the names of parameters. */
export type ParameterRules = Record<string, ParameterRule>;

/** A parameter of an API, with its description in the OpenAPI document. */
export interface ParameterDefinition extends ParameterRule {
  description: string;
  /** What a missing parameter means. The endpoint applies it. */
  default?: string | number | boolean;
  /** JSON. */
  example?: unknown;
}

/** In JSON, null counts as missing unless the parameter says otherwise. */
export function jsonSchemaOf({ type, required, null: ofNull, entries }: ParameterRule): Schema {
  const mayBeNull = required !== true && ofNull === undefined && entries === undefined;
  return mayBeNull ? orNull(type.schema) : type.schema;
}

/** Returns the properties of a JSON object whose members are read by these definitions. */
export function propertiesOf(definitions: ParameterDefinitions): Record<string, Schema> {
  const properties = Object.entries(definitions).map(([name, definition]) => [
    name,
    { ...jsonSchemaOf(definition), description: definition.description },
  ]);
  return Object.fromEntries(properties) as Record<string, Schema>;
}

/** The parameters of an endpoint except `access_token`. */
export type ParameterDefinitions = Record<string, ParameterDefinition>;

export type NoParameters = Pick<ParameterDefinitions, never>;

export type BoundParameters<Definitions extends ParameterRules> = {
  [Name in keyof Definitions]: Definitions[Name] extends { required: true }
    ? BoundValue<Definitions[Name]>
    : BoundValue<Definitions[Name]> | undefined;
};

type BoundValue<Definition extends ParameterRule> =
  | (Definition['entries'] extends ParameterRules
      ? (BoundParameters<Definition['entries']> & { identifier: string })[]
      : Definition['members'] extends ParameterRules
        ? Partial<BoundParameters<Definition['members']>>
        : Definition['type'] extends ParameterType<infer T>
          ? T
          : never)
  | (Definition extends { null: 'clears' } ? null : never);

/**
 * Checks a request's parameters against the endpoint's definitions (contract, “Parameters”).
 * @throws {DomainError} what `unrecognized` returns, or else `invalid_parameters`; both name the affected
 *   parameters, up to the limits of `Findings`
 */
export function bind<Definitions extends ParameterRules>(
  definitions: Definitions,
  sent: RawParameters,
  unrecognized = requestErrors.unrecognized_parameters,
): BoundParameters<Definitions> {
  const isRepeated = valuesOf(sent, 'access_token').length > 1;
  const problems = isRepeated ? [{ field: 'access_token', reason: REPEATED }] : [];
  const parameters = new Map(sent);
  parameters.delete('access_token');
  return bindWithoutToken(definitions, parameters, { problems, unrecognized });
}

/**
 * Like `bind`, where the token is not a parameter. `problems` are those found before.
 * @throws {DomainError} as `bind`
 */
export function bindWithoutToken<Definitions extends ParameterRules>(
  definitions: Definitions,
  sent: RawParameters,
  {
    problems = [],
    unrecognized = requestErrors.unrecognized_parameters,
  }: { problems?: readonly Problem[]; unrecognized?: typeof requestErrors.unrecognized_parameters } = {},
): BoundParameters<Definitions> {
  const found = new Findings(problems);
  const bound = bindAll(definitions, sent, found);
  if (found.unrecognized.length > 0) throw unrecognized(found.unrecognized, Object.keys(definitions));
  if (found.problems.length > 0) throw errors.invalid_parameters(found.problems);
  return bound as BoundParameters<Definitions>;
}

/** Reads the fields of a record like parameters. Returns what is wrong with them, if anything is. */
export function bindRecord<Definitions extends ParameterRules>(
  definitions: Definitions,
  sent: RawParameters,
): { bound: BoundParameters<Definitions> } | { problems: Problem[] } {
  const found = new Findings();
  const bound = bindAll(definitions, sent, found);
  const unrecognized = found.unrecognized.map((name) => ({ field: name, reason: 'unrecognized' }));
  const problems = [...unrecognized, ...found.problems];
  return problems.length > 0 ? { problems } : { bound: bound as BoundParameters<Definitions> };
}

const REPEATED = 'given more than once, with different values';

function bindAll(definitions: ParameterRules, sent: RawParameters, found: Findings): Record<string, unknown> {
  const nestingOf = (name: string): Nesting | undefined => {
    const { entries, members } = definitions[name] ?? {};
    if ((entries === undefined && members === undefined) || !Object.hasOwn(definitions, name))
      return undefined;
    return entries === undefined ? 'members' : 'entries';
  };
  const { plain, entries, members: objects } = gatherNested(nestingOf, sent, found);
  gatherLists(definitions, plain);
  const bound = bindPlain(definitions, plain, '', found);
  for (const [name, values] of objects) {
    const { members } = definitions[name] ?? {};
    if (members !== undefined) bound[name] = bindMembers(members, values, name, found);
  }
  for (const [name, listed] of entries) {
    const { entries: fields } = definitions[name] ?? {};
    if (fields !== undefined) bound[name] = bindEntries(fields, listed, found);
  }
  return bound;
}

const ITEM_OF_LIST = /^([^[\]]+)\[\d*\]$/;

/** Replaces the items of lists in forms, such as `fees[]` and `fees[0]`, by JSON arrays. */
function gatherLists(definitions: ParameterRules, plain: RawParameters): void {
  const lists = new Map<string, string[]>();
  for (const [name, values] of plain) {
    const [, base] = (name.endsWith(']') && ITEM_OF_LIST.exec(name)) || [];
    if (base === undefined || !Object.hasOwn(definitions, base)) continue;
    if (definitions[base]?.type.isList !== true) continue;
    plain.delete(name);
    const items = lists.get(base) ?? [];
    lists.set(base, items);
    // A line of a batch can have tens of thousands of such names, so no list is copied for each.
    for (const { text } of values) items.push(text);
  }
  for (const [name, items] of lists) {
    if (items.length === 0) continue;
    const list: RawParameter = { name, kind: 'nested', text: JSON.stringify(items) };
    plain.set(name, [...(plain.get(name) ?? []), list]);
  }
}

function bindPlain(
  definitions: ParameterRules,
  plain: RawParameters,
  place: string,
  found: Findings,
): Record<string, unknown> {
  const qualifiedName = (name: string): string => (place === '' ? name : `${place}[${name}]`);
  const fail = (name: string, reason: string): void =>
    found.addProblem({ field: qualifiedName(name), reason });
  for (const name of plain.keys()) {
    if (found.hasTooManyNames) break;
    if (!Object.hasOwn(definitions, name)) found.addUnrecognized(qualifiedName(name));
  }
  const bound: Record<string, unknown> = {};
  // Batches bind 50 definitions for each line: a list of them would take longer to create than to read.
  for (const name in definitions) {
    const definition = definitions[name] as ParameterRule;
    const values = plain.get(name);
    if (definition.entries !== undefined || (values === undefined && definition.required !== true)) continue;
    const [value, another] = valuesOf(plain, name, definition);
    if (value === undefined) {
      if (definition.required) fail(name, `missing, expected ${definition.type.expected}`);
    } else if (another !== undefined) {
      fail(name, REPEATED);
    } else if (value.kind === 'null') {
      if (definition.null === 'clears') bound[name] = null;
      else fail(name, `expected ${definition.type.expected}, not null`);
    } else {
      const result = read(definition.type, value);
      if (result === undefined) fail(name, describeInvalidValue(definition.type, value));
      else if (result instanceof InvalidValue) fail(name, result.reason);
      else bound[name] = result;
    }
  }
  return bound;
}

function bindMembers(
  definitions: ParameterRules,
  sent: RawParameters,
  place: string,
  found: Findings,
): Record<string, unknown> {
  const reason = `expected one of the names ${Object.keys(definitions).join(', ')}`;
  const known: RawParameters = new Map();
  for (const [name, values] of sent) {
    if (found.hasTooMany) break;
    if (Object.hasOwn(definitions, name)) known.set(name, values);
    else found.addProblem({ field: `${place}[${name}]`, reason });
  }
  return bindPlain(definitions, known, place, found);
}

/** Each entry is identified by its `identifier` or else by its key, and may occur once. */
function bindEntries(
  definitions: ParameterRules,
  entries: readonly RawEntry[],
  found: Findings,
): Record<string, unknown>[] {
  const listed = new Set<string>();
  const bound: Record<string, unknown>[] = [];
  for (const { key, place, readFields } of entries) {
    // The call fails anyway, and its message cannot list more.
    if (found.hasTooMany) break;
    const fields = readFields();
    // Clients send blank rows for what they do not know.
    if (key !== null && fields.size > 0 && fields.values().every((values) => values.length === 0)) {
      for (const name of fields.keys())
        if (!Object.hasOwn(definitions, name)) found.addUnrecognized(`${place}[${name}]`);
      continue;
    }
    const hasIdentifier = valuesOf(fields, 'identifier').length > 0;
    // Next to a blank identifier, a number is the entry's position and not its identifier.
    const isPosition = key === '' || (fields.has('identifier') && key !== null && /^\d+$/.test(key));
    if (!hasIdentifier && key !== null && !isPosition)
      fields.set('identifier', [{ name: 'identifier', kind: 'text', text: key }]);
    const entry = bindPlain(definitions, fields, place, found);
    bound.push(entry);
    const { identifier } = entry;
    const fail = (reason: string): void => found.addProblem({ field: place, reason });
    if (typeof identifier !== 'string') continue;
    if (hasIdentifier && key !== null && key !== identifier && !/^\d*$/.test(key))
      fail(`the key must be a number or the identifier "${identifier}"`);
    if (listed.has(identifier)) fail(`expected each identifier once, found "${identifier}" again`);
    listed.add(identifier);
  }
  return bound;
}

/** Leaves out null unless it means more than a missing value. */
function valuesOf(sent: RawParameters, name: string, definition?: ParameterRule): RawParameter[] {
  const values = sent.get(name) ?? [];
  const isKept = definition?.null !== undefined || values.every(({ kind }) => kind !== 'null');
  return isKept ? values : values.filter(({ kind }) => kind !== 'null');
}

function read<T>(type: ParameterType<T>, value: RawParameter): T | InvalidValue | undefined {
  if (value.kind === 'malformed' || (value.kind === 'nested' && type.isNested !== true)) return undefined;
  return type.read(value);
}

function describeInvalidValue(type: ParameterType<unknown>, { kind, text }: RawParameter): string {
  if (type.isNested === true || type.isPersonal === true) return `expected ${type.expected}`;
  if (kind === 'nested') return `expected ${type.expected}, not a list or an object`;
  if (kind === 'malformed') return `expected ${type.expected}, in valid UTF-8 without NUL characters`;
  return `expected ${type.expected}, not "${text.length > 60 ? `${text.slice(0, 60).toWellFormed()}…` : text}"`;
}
