import { errors, type ParameterProblem } from '../responses/errors.ts';
import type { RawParameter } from './raw-parameters.ts';
import type { ParameterType } from './types.ts';

/** The parameters that an endpoint takes, beside `access_token`. */
export type ParameterDefinitions = Record<string, { type: ParameterType<unknown>; required?: true }>;

/** What an endpoint gets: a value for each parameter, undefined where it was not given. */
export type BoundParameters<Definitions extends ParameterDefinitions> = {
  [Name in keyof Definitions]: Definitions[Name]['type'] extends ParameterType<infer T>
    ? Definitions[Name] extends { required: true }
      ? T
      : T | undefined
    : never;
};

/**
 * What a request sent under each name: blank values left out, a value repeated kept once, and no more
 * than two that differ, which is one too many already.
 */
export type RawParameters = Map<string, RawParameter[]>;

/** Brings together what the query string and the post data gave. */
export function mergeParameters(...sources: RawParameter[][]): RawParameters {
  const parameters: RawParameters = new Map();
  for (const given of sources.flat()) {
    const values = parameters.get(given.name) ?? [];
    parameters.set(given.name, values);
    if (values.length < 2 && !isBlank(given) && !values.some((value) => isSame(value, given)))
      values.push(given);
  }
  return parameters;
}

function isBlank({ kind, text }: RawParameter): boolean {
  return (kind === 'text' || kind === 'string') && text.trim() === '';
}

function isSame(one: RawParameter, other: RawParameter): boolean {
  return (
    one.kind !== 'nested' && other.kind !== 'nested' && one.text === other.text && one.kind !== 'malformed'
  );
}

/**
 * Checks what was sent against what the endpoint takes (contract, “Parameters”).
 * @throws {HttpError} `unrecognized_parameters` naming all of them, else `invalid_parameters` naming all
 */
export function bind<Definitions extends ParameterDefinitions>(
  definitions: Definitions,
  given: RawParameters,
): BoundParameters<Definitions> {
  const unrecognized = [...given.keys()].filter(
    (name) => name !== 'access_token' && !Object.hasOwn(definitions, name),
  );
  if (unrecognized.length > 0) throw errors.unrecognized_parameters(unrecognized);

  const problems: ParameterProblem[] = [];
  if ((given.get('access_token')?.length ?? 0) > 1) {
    problems.push({ name: 'access_token', reason: 'given more than once, with different values' });
  }
  const bound: Record<string, unknown> = {};
  for (const [name, { type, required }] of Object.entries(definitions)) {
    const [value, ...others] = given.get(name) ?? [];
    if (value === undefined) {
      if (required) problems.push({ name, reason: `missing, expected ${type.expected}` });
    } else if (others.length > 0) {
      problems.push({ name, reason: 'given more than once, with different values' });
    } else {
      const result = read(type, value);
      if (result === undefined) problems.push({ name, reason: reasonAgainst(type, value) });
      else bound[name] = result;
    }
  }
  if (problems.length > 0) throw errors.invalid_parameters(problems);
  return bound as BoundParameters<Definitions>;
}

function read<T>(type: ParameterType<T>, value: RawParameter): T | undefined {
  return value.kind === 'nested' || value.kind === 'malformed' ? undefined : type.read(value);
}

function reasonAgainst(type: ParameterType<unknown>, { kind, text }: RawParameter): string {
  if (kind === 'nested') return `expected ${type.expected}, not a list or an object`;
  if (kind === 'malformed') return `expected ${type.expected}, in valid UTF-8 without NUL characters`;
  return `expected ${type.expected}, not "${text.length > 60 ? `${text.slice(0, 60).toWellFormed()}…` : text}"`;
}
