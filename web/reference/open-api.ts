import { queryOptions } from '@tanstack/react-query';
import { errorFrom } from '../server/server-error.ts';

/** What of an OpenAPI 3.1 document is shown here. */
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
  in: 'query' | 'header';
  description?: string;
  required?: boolean;
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

/** The document that the service gives of itself. */
export const openApiQuery = queryOptions({
  queryKey: ['open-api'],
  queryFn: async ({ signal }): Promise<OpenApi> => {
    const response = await fetch('/openapi.json', { signal });
    if (!response.ok) throw await errorFrom(response);
    return (await response.json()) as OpenApi;
  },
  staleTime: Number.POSITIVE_INFINITY,
});

/** What a reference inside the document stands for; anything else is itself. */
export function resolve<Thing extends object>(document: OpenApi, thing: Thing | Reference): Thing {
  if (!('$ref' in thing)) return thing;
  const [, , kind = '', name = ''] = thing.$ref.split('/');
  return resolve(document, (document.components?.[kind]?.[name] ?? {}) as Thing);
}

/** The last part of a reference, which names the schema. */
export function nameOf(thing: object): string | undefined {
  return '$ref' in thing && typeof thing.$ref === 'string' ? thing.$ref.split('/').at(-1) : undefined;
}

/** “text”, “whole number or null”: what a value may be. */
export function typeWords(document: OpenApi, thing: Schema | Reference): string {
  const name = nameOf(thing);
  if (name !== undefined) return name;
  const schema = resolve(document, thing);
  if (schema.oneOf !== undefined) return schema.oneOf.map((one) => typeWords(document, one)).join(' or ');
  const types = [schema.type ?? 'any value'].flat();
  return types
    .map((type) =>
      type === 'array' && schema.items !== undefined ? `array of ${typeWords(document, schema.items)}` : type,
    )
    .join(' or ');
}
