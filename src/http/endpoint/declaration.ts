import type { ParameterDefinitions } from '../parameters/bind.ts';
import type { ParameterType } from '../parameters/types.ts';
import type { Schema } from '../schema.ts';
import type { EndpointReference, FileReference, ParameterReference } from './reference.ts';

/** What clients see of an endpoint: requests are checked against it, and the OpenAPI document shows it. */
export interface EndpointDeclaration<Definitions extends ParameterDefinitions = ParameterDefinitions> {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the base path, with `{name}` for each path parameter. Paths of v1 also work without `.json`. */
  path: `/${string}`;
  pathParameters?: Readonly<Record<string, PathParameter>>;
  /** Another path, for clients of other versions of the API. */
  alias?: `/${string}.json`;
  parameters: Definitions;
  /** Set if the post data is not parameters, but up to `maximum` lines of NDJSON or a JSON array. */
  lines?: { maximum: number; schema: Schema; examples: readonly unknown[] };
  /** Set if the post data is lines of NDJSON, of any number, that the handler reads as a stream. */
  stream?: { schema: Schema; examples: readonly unknown[] };
  /** The scope that a key needs to call it; undefined if every key may. */
  scope?: string;
  /** The maximum size of post data in bytes, if not `MAX_BODY_BYTES`. */
  bodyLimit?: number;
  /** Set if it receives a file: the field `file` of a multipart body, or the whole body. */
  file?: FileReference;
  /** All statuses that it can respond with, except what `statusesOf` adds. A test fails on any other. */
  statuses: readonly number[];
  reference: EndpointReference<NoInfer<Definitions>>;
}

export interface PathParameter<T = unknown> extends ParameterReference {
  type: ParameterType<T>;
  example: string;
}

export function statusesOf({ statuses, scope }: Pick<EndpointDeclaration, 'statuses' | 'scope'>): number[] {
  return [...statuses, 400, 401, ...(scope === undefined ? [] : [403]), 429, 500, 503];
}
