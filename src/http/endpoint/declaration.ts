import type { ParameterDefinitions } from '../parameters/bind.ts';
import type { ParameterType } from '../parameters/types.ts';
import type { Schema } from '../schema.ts';
import type { EndpointReference, FileReference, ParameterReference } from './reference.ts';

/** An endpoint as its clients see it. Requests are checked against it, and the OpenAPI document describes it. */
export interface EndpointDeclaration<Definitions extends ParameterDefinitions = ParameterDefinitions> {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The path below the base path, with `{name}` for each path parameter. One of v1 also works without `.json`. */
  path: `/${string}`;
  /** The parameters in the path. */
  pathParameters?: Readonly<Record<string, PathParameter>>;
  /** Another path at which it answers, for clients of other versions of the API. */
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

/** A parameter in the path of an endpoint. */
export interface PathParameter<T = unknown> extends ParameterReference {
  type: ParameterType<T>;
  example: string;
}

/** Returns all statuses that an endpoint can respond with. */
export function statusesOf({ statuses, scope }: EndpointDeclaration): number[] {
  return [...statuses, 400, 401, ...(scope === undefined ? [] : [403]), 429, 500, 503];
}
