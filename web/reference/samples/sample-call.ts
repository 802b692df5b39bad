import { inputOf, resultOf } from '../call-input.ts';
import type { Endpoint } from '../groups.ts';
import {
  type OpenApi,
  type Parameter,
  type Reference,
  referenceName,
  resolve,
  type Schema,
} from '../open-api.ts';
import type { SampleParameters } from './sample-parameters.ts';

/** A call of an endpoint with example values, which the samples in all languages make. */
export interface SampleCall {
  operationId: string;
  method: string;
  /** With `{name}` for each value of `inPath`. */
  path: string;
  inPath: readonly [string, unknown][];
  /** The parameters that are not in the path. */
  values: Readonly<Record<string, unknown>>;
  /** The lines, instead of parameters. */
  lines: readonly unknown[] | null;
  /** The name of the file that is sent after the parameters. */
  file: string | null;
  /** What the result is called, such as `product`. */
  result: string;
}

/** Where a sample sends its call. */
export interface SampleTarget {
  apiUrl: string;
  /** Blank if the sample reads it from the environment variable `TRADEPOST_TOKEN`. */
  token: string;
  /** The file with the service's self-signed certificate; null for another certificate. */
  certificateFile: string | null;
}

/** How many optional parameters a sample has if none are named. */
const MAX_OPTIONAL = 2;

/** Returns a call with the parameters that are named for its operation, or else required and first ones. */
export function sampleCallOf(
  document: OpenApi,
  { path, method, operation }: Endpoint,
  { [operation.operationId]: named }: SampleParameters,
): SampleCall {
  const { parameters, lines } = inputOf(document, operation);
  const shown = (parameter: Parameter): boolean => parameter.in !== 'path' && !isFile(document, parameter);
  const required = parameters.filter((parameter) => parameter.required && shown(parameter));
  const optional = parameters.filter(
    (parameter) => !parameter.required && parameter.example !== undefined && shown(parameter),
  );
  const chosen =
    named === undefined
      ? [...required, ...optional.slice(0, MAX_OPTIONAL)].map((one): [string, unknown] => [
          one.name,
          exampleOf(document, one),
        ])
      : named.map((name): [string, unknown] => {
          if (typeof name !== 'string') return name;
          const found = parameters.find((one) => one.name === name);
          return [name, found === undefined ? undefined : exampleOf(document, found)];
        });
  const { schema } = resultOf(document, operation);
  return {
    operationId: operation.operationId,
    method,
    path,
    inPath: parameters
      .filter((parameter) => parameter.in === 'path')
      .map((parameter) => [parameter.name, exampleOf(document, parameter)]),
    values: Object.fromEntries(chosen),
    lines,
    file: parameters.some((parameter) => isFile(document, parameter)) ? 'products.csv' : null,
    result: schema === undefined ? 'result' : resultName(document, schema),
  };
}

function isFile(document: OpenApi, { schema }: Parameter): boolean {
  return schema !== undefined && resolve(document, schema).contentMediaType !== undefined;
}

function exampleOf(document: OpenApi, { name, example, schema }: Parameter): unknown {
  if (example !== undefined) return example;
  const {
    default: ofMissing,
    enum: words,
    type,
    minimum,
  } = schema === undefined ? {} : resolve(document, schema);
  if (ofMissing !== undefined) return ofMissing;
  if (words !== undefined) return words[0];
  const types = [type].flat();
  if (types.includes('boolean')) return true;
  return types.includes('string') ? name.toUpperCase() : (minimum ?? 1);
}

/** A word of the languages cannot be the name of a variable. */
const RESERVED = ['import'];

function resultName(document: OpenApi, schema: Schema | Reference): string {
  const name = referenceName(schema);
  if (name !== undefined) {
    const lower = name.charAt(0).toLowerCase() + name.slice(1);
    return RESERVED.includes(lower) ? `${lower}ed` : lower;
  }
  const { items, oneOf: [first] = [] } = resolve(document, schema);
  if (first !== undefined) return resultName(document, first);
  if (items === undefined) return 'result';
  const one = resultName(document, items);
  if (one === 'result') return one;
  return one.endsWith('s') ? one : one === 'imported' ? 'imports' : `${one}s`;
}
