import { queryOptions } from '@tanstack/react-query';
import { toServerError } from '../server/server-error.ts';

/** The parts of an OpenAPI 3.1 document that the page shows. */
export interface OpenApi {
  info: { version: string; description?: string };
  tags?: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  components?: Record<string, Record<string, unknown>>;
}

export interface Reference {
  $ref: string;
}

export interface Operation {
  operationId: string;
  tags?: string[];
  summary?: string;
  description?: string;
  parameters?: (Parameter | Reference)[];
  requestBody?: { content: Record<string, { schema: Schema | Reference }> };
  responses: Record<string, Response | Reference>;
}

export interface Parameter {
  name: string;
  /** `body`: only in post data. */
  in: 'query' | 'header' | 'body';
  description?: string;
  required?: boolean;
  deprecated?: boolean;
  schema?: Schema | Reference;
  example?: unknown;
}

export interface Response {
  description: string;
  content?: Record<string, Content>;
}

export interface Content {
  schema?: Schema | Reference;
  examples?: Record<string, { summary?: string; value: unknown }>;
}

export interface Schema {
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  default?: unknown;
  format?: string;
  minimum?: number;
  maximum?: number;
  properties?: Record<string, Schema | Reference>;
  required?: string[];
  items?: Schema | Reference;
  oneOf?: (Schema | Reference)[];
}

/** The service's own OpenAPI document. */
export const openApiQuery = queryOptions({
  queryKey: ['open-api'],
  queryFn: async ({ signal }): Promise<OpenApi> => {
    const response = await fetch('/openapi.json', { signal });
    if (!response.ok) throw await toServerError(response);
    return (await response.json()) as OpenApi;
  },
  staleTime: Number.POSITIVE_INFINITY,
});

/** The endpoints of one tag of the document. */
export interface EndpointGroup {
  name: string;
  endpoints: { path: string; method: string; operation: Operation }[];
}

/** Groups the document's endpoints by tag, in the document's order. */
export function groupEndpoints({ paths }: OpenApi): EndpointGroup[] {
  const endpoints = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      operation,
    })),
  );
  const groups = Map.groupBy(endpoints, ({ operation }) => operation.tags?.[0] ?? '');
  return [...groups].map(([name, endpoints]) => ({ name, endpoints }));
}

/** Follows a reference within the document; returns anything else unchanged. */
export function resolve<Target extends object>(document: OpenApi, target: Target | Reference): Target {
  if (!('$ref' in target)) return target;
  const [, , kind = '', name = ''] = target.$ref.split('/');
  return resolve(document, (document.components?.[kind]?.[name] ?? {}) as Target);
}

/** Returns the schema's name from a reference, or undefined for an inline schema. */
export function referenceName(target: object): string | undefined {
  return '$ref' in target && typeof target.$ref === 'string' ? target.$ref.split('/').at(-1) : undefined;
}

/** Describes a schema's type, such as “string”, “integer or null” or “array of Product”. */
export function typeLabel(document: OpenApi, target: Schema | Reference): string {
  const name = referenceName(target);
  if (name !== undefined) return name;
  const schema = resolve(document, target);
  if (schema.oneOf !== undefined)
    return schema.oneOf.map((alternative) => typeLabel(document, alternative)).join(' or ');
  const types = [schema.type ?? 'any'].flat();
  return types
    .map((type) =>
      type === 'array' && schema.items !== undefined ? `array of ${typeLabel(document, schema.items)}` : type,
    )
    .join(' or ');
}
