import type { ParameterDefinitions, ParameterRules } from '../parameters/bind.ts';
import type { ParameterType } from '../parameters/types.ts';
import type { Schema } from '../schema.ts';

/** What requests to an endpoint, and its responses, are checked against. */
export interface EndpointRules<Definitions extends ParameterRules = ParameterRules> {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the base path, with `{name}` for each path parameter. Paths of v1 also work without `.json`. */
  path: `/${string}`;
  /** Another path, for clients of other versions of the API. */
  alias?: `/${string}.json`;
  /** The scope that a key needs to call it; undefined if every key may. */
  scope?: string;
  pathParameters?: Readonly<Record<string, PathParameter>>;
  parameters: Definitions;
  /** Set if the post data is not parameters, but up to `maximum` lines of NDJSON or a JSON array. */
  lines?: { maximum: number; schema: Schema; examples: readonly unknown[] };
  /** Set if the post data is lines of NDJSON, of any number, that the handler reads as a stream. */
  stream?: { schema: Schema; examples: readonly unknown[] };
  /** The maximum size of post data in bytes, if not `MAX_BODY_BYTES`. */
  bodyLimit?: number;
  /** Set if it receives a file: the field `file` of a multipart body, or the whole body. */
  file?: AcceptedFile;
  /** All statuses that it can respond with, except what `statusesOf` adds. A test fails on any other. */
  statuses: readonly number[];
}

/** An endpoint of an API: its rules, and what else the OpenAPI document says of it. */
export interface EndpointDeclaration<Definitions extends ParameterDefinitions = ParameterDefinitions>
  extends EndpointRules<Definitions> {
  /** The name of the operation in generated clients. */
  name: string;
  /** The group of endpoints that it belongs to. */
  tag: Tag;
  summary: string;
  description: string;
  /** Headers that it reads and other endpoints do not. */
  headers?: RequestHeaders;
  success: Success;
}

export interface Tag {
  name: string;
  description: string;
}

export interface PathParameter<T = unknown> {
  type: ParameterType<T>;
  description: string;
  example: string | number;
}

export interface AcceptedFile {
  description: string;
  example: string;
}

/** By the names of headers. */
export type RequestHeaders = Readonly<Record<string, RequestHeader>>;

export interface RequestHeader {
  description: string;
  schema: Schema;
  example: string;
}

/** The response of a call that succeeds. */
export interface Success {
  status?: 201 | 202;
  description: string;
  schema: Schema;
  examples: Readonly<Record<string, { summary: string; value: unknown }>>;
  /** Whether the status is 201 if the request created the record. */
  creates?: true;
  /** Whether it has a `Link` header. */
  linked?: true;
  /** Whether it has a `Location` header, the URL of the created record. */
  located?: true;
  /** Whether no cache may store it, because it may have data of customers. */
  isPrivate?: true;
}

export function statusesOf({ statuses, scope }: Pick<EndpointRules, 'statuses' | 'scope'>): number[] {
  return [...statuses, 400, 401, ...(scope === undefined ? [] : [403]), 429, 500, 503];
}
