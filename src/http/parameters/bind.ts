import { errors, type ParameterProblem } from '../responses/errors.ts';
import type { RawParameter } from './raw-parameters.ts';
import type { ParameterType } from './types.ts';

/** The parameters of an endpoint besides `access_token`. */
export type ParameterDefinitions = Record<string, { type: ParameterType<unknown>; required?: true }>;

/** The definitions of an endpoint without parameters. */
export type NoParameters = Pick<ParameterDefinitions, never>;

/** The values of an endpoint's parameters; undefined for those that were not sent. */
export type BoundParameters<Definitions extends ParameterDefinitions> = {
  [Name in keyof Definitions]: Definitions[Name]['type'] extends ParameterType<infer T>
    ? Definitions[Name] extends { required: true }
      ? T
      : T | undefined
    : never;
};

/**
 * The values that a request sent for each name, without blank values and repetitions. Has at most two values per name,
 * because a second one is already an error.
 */
export type RawParameters = Map<string, RawParameter[]>;

/** Merges the parameters of the query string and the post data. */
export function mergeParameters(...sources: RawParameter[][]): RawParameters {
  const parameters: RawParameters = new Map();
  for (const parameter of sources.flat()) {
    const values = parameters.get(parameter.name) ?? [];
    parameters.set(parameter.name, values);
    if (values.length < 2 && !isBlank(parameter) && !values.some((value) => isSame(value, parameter)))
      values.push(parameter);
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
 * Checks a request's parameters against the endpoint's definitions (contract, “Parameters”).
 * @throws {HttpError} `unrecognized_parameters`, or else `invalid_parameters`; both name all affected parameters
 */
export function bind<Definitions extends ParameterDefinitions>(
  definitions: Definitions,
  sent: RawParameters,
): BoundParameters<Definitions> {
  const unrecognized = [...sent.keys()].filter(
    (name) => name !== 'access_token' && !Object.hasOwn(definitions, name),
  );
  if (unrecognized.length > 0) throw errors.unrecognized_parameters(unrecognized);

  const problems: ParameterProblem[] = [];
  if ((sent.get('access_token')?.length ?? 0) > 1) {
    problems.push({ name: 'access_token', reason: 'given more than once, with different values' });
  }
  const bound: Record<string, unknown> = {};
  for (const [name, { type, required }] of Object.entries(definitions)) {
    const [value, ...others] = sent.get(name) ?? [];
    if (value === undefined) {
      if (required) problems.push({ name, reason: `missing, expected ${type.expected}` });
    } else if (others.length > 0) {
      problems.push({ name, reason: 'given more than once, with different values' });
    } else {
      const result = read(type, value);
      if (result === undefined) problems.push({ name, reason: describeInvalidValue(type, value) });
      else bound[name] = result;
    }
  }
  if (problems.length > 0) throw errors.invalid_parameters(problems);
  return bound as BoundParameters<Definitions>;
}

function read<T>(type: ParameterType<T>, value: RawParameter): T | undefined {
  return value.kind === 'nested' || value.kind === 'malformed' ? undefined : type.read(value);
}

function describeInvalidValue(type: ParameterType<unknown>, { kind, text }: RawParameter): string {
  if (kind === 'nested') return `expected ${type.expected}, not a list or an object`;
  if (kind === 'malformed') return `expected ${type.expected}, in valid UTF-8 without NUL characters`;
  return `expected ${type.expected}, not "${text.length > 60 ? `${text.slice(0, 60).toWellFormed()}…` : text}"`;
}
