import type { Schema } from '../../src/http/schema.ts';
import type { TestService } from './service.ts';

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

export interface OpenApiDocument {
  openapi: string;
  info: { version: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, OperationObject>>;
  components: { schemas: Record<string, Schema>; headers: Record<string, HeaderObject> };
}

/** An operation and its position in the document. */
export interface Operation extends OperationObject {
  method: string;
  path: string;
  pointer: string;
}

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

/** A JSON pointer (RFC 6901) as a URL fragment. */
export function pointer(...tokens: string[]): string {
  return ['#', ...tokens.map((token) => token.replaceAll('~', '~0').replaceAll('/', '~1'))].join('/');
}
