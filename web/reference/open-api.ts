/** The parts of an OpenAPI 3.1 document that the reference shows. */
export interface OpenApi {
  info: { title: string; version: string; description?: string };
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
  requestBody?: { description?: string; content: Record<string, Content> };
  responses: Record<string, Response | Reference>;
}

export interface Parameter {
  name: string;
  /** `body`: only in post data. */
  in: 'path' | 'query' | 'header' | 'body';
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
  /** Of a request. */
  example?: unknown;
  /** Of a response. */
  examples?: Record<string, { summary?: string; value: unknown }>;
}

export interface Schema {
  type?: string | string[];
  description?: string;
  deprecated?: boolean;
  enum?: unknown[];
  default?: unknown;
  format?: string;
  minimum?: number;
  contentMediaType?: string;
  properties?: Record<string, Schema | Reference>;
  required?: string[];
  items?: Schema | Reference;
  additionalProperties?: boolean | Schema | Reference;
  oneOf?: (Schema | Reference)[];
  anyOf?: (Schema | Reference)[];
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
