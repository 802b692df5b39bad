import type { Schema } from '../../src/http/schema.ts';
import type { TestService } from './service.ts';

/** A parameter in the OpenAPI document. */
export interface ParameterObject {
  name: string;
  in: 'path' | 'query' | 'header';
  description?: string;
  required?: boolean;
  deprecated?: boolean;
  schema: Schema;
  example?: unknown;
}

export interface Referable {
  $ref?: string;
}

export interface HeaderObject extends Referable {
  required?: boolean;
  schema: Schema;
  example?: unknown;
}

export interface MediaType {
  schema: Schema;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

export interface ResponseObject extends Referable {
  headers?: Record<string, HeaderObject>;
  content?: Record<string, MediaType>;
}

export interface OperationObject {
  operationId: string;
  'x-alias'?: string;
  parameters: ParameterObject[];
  requestBody?: { content: Record<string, MediaType> };
  responses: Record<string, ResponseObject>;
}

/** The parts of the OpenAPI document that the tests use. */
export interface OpenApiDocument {
  openapi: string;
  info: { version: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, OperationObject>>;
  components: { schemas: Record<string, Schema>; headers: Record<string, HeaderObject> };
}

/** An operation and its position in the document. */
export interface Operation extends OperationObject {
  /** In uppercase. */
  method: string;
  path: string;
  /** A JSON pointer to it. */
  pointer: string;
}

/** Fetches the document from the service. */
export async function documentOf({ client }: TestService): Promise<OpenApiDocument> {
  return (await client.request('GET', '/openapi.json')).json<OpenApiDocument>();
}

export function operationsOf({ paths }: OpenApiDocument): Operation[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
      pointer: pointer('paths', path, method),
    })),
  );
}

/** Returns a JSON pointer (RFC 6901) as a URL fragment. */
export function pointer(...tokens: string[]): string {
  return ['#', ...tokens.map((token) => token.replaceAll('~', '~0').replaceAll('/', '~1'))].join('/');
}
