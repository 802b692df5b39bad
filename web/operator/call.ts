import {
  type OperatorOperation,
  type OperatorParametersOf,
  type OperatorResponseOf,
  operatorEndpoints,
} from '../../clients/typescript/src/operator-operations.ts';
import { base } from '../server/application.ts';
import { type RequestOptions, requestVersion } from '../server/request.ts';
import { stringifySearch } from '../server/search-params.ts';

/** The parameters of a call, except in its path. Values are as they were typed: the server checks them. */
type Parameters<Name extends OperatorOperation> = {
  readonly [P in keyof OperatorParametersOf<Name>]?: unknown;
};

/**
 * Calls an operation of the operator API as the signed-in operator. `path` has the values of the names in
 * braces in the operation's path.
 * @throws {ServerError} and {ServerUnreachable} as `request`
 */
export async function call<Name extends OperatorOperation>(
  name: Name,
  path: Readonly<Record<string, string>> = {},
  parameters: Parameters<Name> = {},
  options: Pick<RequestOptions, 'signal'> = {},
): Promise<OperatorResponseOf<Name>> {
  const { method, path: template } = operatorEndpoints[name];
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, part: string) => encodeURIComponent(path[part] ?? ''));
  const url = `${base}v1${filled}`;
  const { body } = await requestVersion<OperatorResponseOf<Name>>(
    method === 'GET' ? `${url}${stringifySearch(parameters)}` : url,
    method === 'GET' ? options : { ...options, method, body: parameters },
  );
  return body;
}
