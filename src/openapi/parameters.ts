import type { AcceptedFile, EndpointDeclaration, RequestHeaders } from '../http/endpoint/declaration.ts';
import { jsonSchemaOf, type ParameterDefinition } from '../http/parameters/bind.ts';
import type { Schema } from '../http/schema.ts';
import type { ApiDescription } from './api-description.ts';
import { describeLimits } from './describe-limits.ts';

const POST_DATA_TYPES = ['application/x-www-form-urlencoded', 'application/json', 'multipart/form-data'];

const headersOfGet: RequestHeaders = {
  'If-None-Match': {
    description: 'The `ETag` of an earlier response. If it is still current, the response is 304.',
    schema: { type: 'string' },
    example: 'W/"2k-9pXn4hJYlq0TzS3vL0V5oQm8cE0"',
  },
};

const tokenInBody: Schema = { type: 'string', description: 'Required if it is not in the query.' };

/** A parameter as the document shows it. */
interface Documented {
  name: string;
  description: string;
  required: boolean;
  /** Nested parameters are written `name[key][field]` in the query and in forms. */
  isNested: boolean;
  /** Whether it is a list, whose items are separated by commas in forms. */
  isList: boolean;
  schema: Schema;
  example: ParameterDefinition['example'];
}

/** How nested parameters are written in forms. */
const nestedStyle = { style: 'deepObject', explode: true } as const;
const listStyle = { style: 'form', explode: false } as const;

function documented({ method, parameters, file }: EndpointDeclaration): Documented[] {
  const hasJson = (method === 'POST' || method === 'PUT') && file === undefined;
  return Object.entries(parameters).map(([name, definition]) => {
    const { type, required = false, entries, members, description, default: ofMissing, example } = definition;
    const text = sentences(description, describeLimits(type));
    const ofType = hasJson ? jsonSchemaOf(definition) : type.schema;
    const schema = ofMissing === undefined ? ofType : { ...ofType, default: ofMissing };
    const isList = type.isList === true;
    const isNested = entries !== undefined || members !== undefined || (type.isNested === true && !isList);
    return { name, description: text, required, isNested, isList, schema, example };
  });
}

function sentences(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ');
}

/**
 * The parameters in the path and the query, and the headers. POST's are optional here if post data may hold
 * them, and missing if only post data may.
 */
export function parameterObjects(
  endpoint: EndpointDeclaration,
  api: ApiDescription,
  schemaOf: (schema: Schema) => Schema,
): object[] {
  const { method } = endpoint;
  const isPosted = method === 'POST' || method === 'PUT';
  const inPath = Object.entries(endpoint.pathParameters ?? {}).map(([name, parameter]) => ({
    name,
    in: 'path',
    description: sentences(parameter.description, describeLimits(parameter.type)),
    required: true,
    schema: parameter.type.schema,
    example: parameter.example,
  }));
  const queried = isPosted && api.parameterPlaces === 'json' ? [] : documented(endpoint);
  // Generated clients cannot write nested parameters and lists in a query: only the post data has them.
  const plain = queried.filter(({ isNested, isList }) => !isNested && !isList);
  const inQuery = plain.map(({ name, description, required, schema, example }) => ({
    name,
    in: 'query',
    description: required && isPosted ? `${description} Required, here or in the post data.` : description,
    required: required && !isPosted,
    ...(schema.deprecated && { deprecated: true }),
    schema: schemaOf(schema),
    ...(example !== undefined && { example }),
  }));
  const headers = { ...endpoint.headers, ...(method === 'GET' && headersOfGet), ...api.headers };
  const inHeaders = Object.entries(headers).map(([name, header]) => ({ name, in: 'header', ...header }));
  return [...inPath, ...inQuery, ...inHeaders];
}

/** The post data: lines, or parameters with the same schema for each content type. */
export function postData(
  endpoint: EndpointDeclaration,
  { parameterPlaces }: ApiDescription,
  schema: (schema: Schema) => Schema,
): object {
  if (endpoint.lines !== undefined) return postedLines(endpoint.lines, schema);
  if (endpoint.stream !== undefined) return streamedLines(endpoint.stream);
  const all = documented(endpoint);
  const { name } = endpoint;
  const body: Schema = {
    title: `${name.charAt(0).toUpperCase()}${name.slice(1)}Request`,
    type: 'object',
    properties: {
      ...(parameterPlaces === 'anywhere' && { access_token: tokenInBody }),
      ...Object.fromEntries(all.map(({ name, description, schema }) => [name, { ...schema, description }])),
    },
    required: all.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
  const example = Object.fromEntries(
    all.flatMap(({ name, example }) => (example === undefined ? [] : [[name, example]])),
  );
  const { file } = endpoint;
  if (file !== undefined) return fileData(file, { schema: schema(withFile(body, file)), example });
  const content = { schema: schema(body), example };
  if (parameterPlaces === 'json') {
    const required = all.some((parameter) => parameter.required);
    return { description: 'The parameters.', required, content: { 'application/json': content } };
  }
  const styled = all.flatMap(({ name, isNested, isList }): [string, object][] =>
    isNested ? [[name, nestedStyle]] : isList ? [[name, listStyle]] : [],
  );
  const form = styled.length > 0 ? { ...content, encoding: Object.fromEntries(styled) } : content;
  return {
    description: 'The parameters that are not in the query.',
    required: false,
    content: Object.fromEntries(
      POST_DATA_TYPES.map((type) => [type, type === 'application/json' ? content : form]),
    ),
  };
}

const binary: Schema = { type: 'string', contentMediaType: 'application/octet-stream' };

/** The file is the last field, so that the token is before it. */
function withFile(fields: Schema, { description }: AcceptedFile): Schema {
  const properties = { ...fields.properties, file: { ...binary, description } };
  return { ...fields, properties, required: [...(fields.required ?? []), 'file'] };
}

/** The document lists only the multipart body: clients generated for several types do not compile. */
function fileData(
  { description, example }: AcceptedFile,
  fields: { schema: Schema; example: Record<string, unknown> },
): object {
  return {
    description:
      `${description} It is the field \`file\`. Or the file is the whole body, with a type such ` +
      'as `text/csv` or `application/octet-stream`, and all parameters are in the query.',
    required: true,
    content: { 'multipart/form-data': { ...fields, example: { ...fields.example, file: example } } },
  };
}

function postedLines(
  { maximum, schema: line, examples }: NonNullable<EndpointDeclaration['lines']>,
  schema: (schema: Schema) => Schema,
): object {
  const items = schema(line);
  return {
    description: `Up to ${maximum.toLocaleString('en')} lines.`,
    required: false,
    content: {
      'application/json': { schema: { type: 'array', items }, example: examples },
      'application/x-ndjson': {
        schema: { type: 'string', description: 'One JSON object per line, as in the JSON array.' },
        example: examples.map((example) => `${JSON.stringify(example)}\n`).join(''),
      },
    },
  };
}

function streamedLines({ schema: line, examples }: NonNullable<EndpointDeclaration['stream']>): object {
  const fields = Object.keys(line.properties ?? {}).map((name) => `\`${name}\``);
  return {
    description: `Any number of JSON objects, one per line, with the fields ${fields.join(', ')}. It may be compressed with gzip, which \`Content-Encoding\` has to say.`,
    required: true,
    content: {
      'application/x-ndjson': {
        schema: { type: 'string', description: 'One JSON object per line.' },
        example: examples.map((example) => `${JSON.stringify(example)}\n`).join(''),
      },
    },
  };
}
