import {
  endpoints,
  type Operation,
  type ParametersOf,
  type ResponseOf,
} from '../../clients/typescript/src/operations.ts';
import type { ConsoleSession } from '../../src/console/console-api.ts';
import { queryClient } from './query-client.ts';
import { type RequestOptions, requestVersion } from './request.ts';
import { stringifySearch } from './search-params.ts';

/** The parameters of a call. Values are as the user has typed them: the server checks them. */
export type CallParameters<Name extends Operation> = { readonly [P in keyof ParametersOf<Name>]?: unknown };

type CallOptions = Pick<RequestOptions, 'ifMatch' | 'signal'>;

/**
 * Calls an operation of the API as the signed-in user.
 * @throws {ServerError} and {ServerUnreachable} as `request`
 */
export async function call<Name extends Operation>(
  name: Name,
  parameters: CallParameters<Name>,
  options: CallOptions = {},
): Promise<ResponseOf<Name>> {
  return (await callVersion(name, parameters, options)).body;
}

/** Like `call`, for one page of a list, which says how many entries the list has. */
export async function callPage<Name extends Operation>(
  name: Name,
  parameters: CallParameters<Name>,
  options: CallOptions = {},
): Promise<Extract<ResponseOf<Name>, { total_entries: number }>> {
  return (
    await requestVersion<Extract<ResponseOf<Name>, { total_entries: number }>>(
      `${basePath()}${endpoints[name].path}${stringifySearch({ ...parameters, pagination: true })}`,
      options,
    )
  ).body;
}

/** Like `call`, with the version of the response's body. */
export async function callVersion<Name extends Operation>(
  name: Name,
  parameters: CallParameters<Name>,
  options: CallOptions = {},
): Promise<{ body: ResponseOf<Name>; etag: string }> {
  const { method, path } = endpoints[name];
  const url = `${basePath()}${path}`;
  return method === 'GET'
    ? await requestVersion(`${url}${stringifySearch(parameters)}`, options)
    : await requestVersion(url, { ...options, method, body: parameters });
}

/** The path of the API, such as `/v1`. A proxy may serve the console at a different origin from the API. */
function basePath(): string {
  const session = queryClient.getQueryData<ConsoleSession | null>(['session']);
  if (session == null) throw new Error('This call needs a session.');
  return new URL(session.api_url).pathname;
}
