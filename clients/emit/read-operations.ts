import type { Input, Method, Operation } from './model.ts';
import { DECIDING, hasAlternatives, listReadings } from './read-results.ts';
import type { SchemaReader } from './read-schemas.ts';
import { upperFirst } from './text.ts';
import {
  type Field,
  isObject,
  type Json,
  listAt,
  objectAt,
  onlyMembers,
  type Type,
  textAt,
  Unknown,
} from './types.ts';

const MEMBERS = [
  'operationId',
  'tags',
  'summary',
  'description',
  'security',
  'deprecated',
  'parameters',
  'requestBody',
  'responses',
  'x-alias',
];
/** Headers that the clients set by themselves, or do not need. */
const OTHER_HEADERS = [
  'If-None-Match',
  'Tradepost-Fields',
  'Tradepost-Problems',
  'X-ERP-Name',
  'X-Request-Id',
];
const SENT_HEADERS = ['Idempotency-Key', 'If-Match', 'Tradepost-Simulate'];

/** Returns the operations of an OpenAPI document. @throws {Unknown} */
export function readOperations(document: Json, schemas: SchemaReader): Operation[] {
  return Object.entries(objectAt(document.paths, '#/paths')).flatMap(([path, methods]) =>
    Object.entries(objectAt(methods, path)).map(([method, operation]) =>
      readOperation(objectAt(operation, path), { path, method: method.toUpperCase() }, schemas),
    ),
  );
}

function readOperation(
  operation: Json,
  { path, method }: { path: string; method: string },
  schemas: SchemaReader,
): Operation {
  const at = `${method} ${path}`;
  if (!isMethod(method)) throw new Unknown(at, 'the method is not known');
  onlyMembers(operation, MEMBERS, at);
  const name = textAt(operation.operationId, at);
  const parameters = listAt(operation.parameters, at).map((one) => objectAt(one, at));
  const headers = parameters.filter(({ in: place }) => place === 'header').map((one) => one.name);
  for (const header of headers)
    if (![...OTHER_HEADERS, ...SENT_HEADERS].includes(String(header)))
      throw new Unknown(at, `the header ${header} is not known`);
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) => parameter);
  const input =
    operation.requestBody === undefined
      ? readQuery(parameters, name, at, schemas)
      : readBody(objectAt(operation.requestBody, at), name, at, schemas);
  const result = readResult(operation, name, at, schemas);
  return {
    name,
    method,
    path,
    summary: textAt(operation.summary, at),
    description: textAt(operation.description, at),
    inPath,
    input: hasAlternatives(result) ? withoutDeciding(input) : input,
    options: {
      hasIdempotencyKey: headers.includes('Idempotency-Key'),
      hasIfMatch: headers.includes('If-Match'),
      hasSimulate: headers.includes('Tradepost-Simulate'),
    },
    readings: listReadings({ name, result, input }, schemas, at),
  };
}

function withoutDeciding(input: Input): Input {
  if (input.kind !== 'parameters') return input;
  return { ...input, fields: input.fields.filter((field) => !DECIDING.includes(field.name)) };
}

function isMethod(method: string): method is Method {
  return ['GET', 'POST', 'PUT', 'DELETE'].includes(method);
}

function readQuery(parameters: readonly Json[], name: string, at: string, schemas: SchemaReader): Input {
  const fields = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.deprecated !== true)
    .map((parameter): Field => {
      const field = textAt(parameter.name, at);
      const type = schemas.typeOf(parameter.schema, `${at}: ${field}`, `${upperFirst(name)}Parameters`);
      checkQueryType(type, parameter, `${at}: ${field}`);
      const description = textAt(parameter.description, at);
      return { name: field, type, description, isRequired: parameter.required === true };
    });
  if (fields.length === 0) return { kind: 'nothing' };
  return { kind: 'parameters', place: 'query', name: `${upperFirst(name)}Parameters`, fields };
}

/** Lists in a query are sent in one value, separated by commas. */
function checkQueryType(type: Type, { explode }: Json, at: string): void {
  if (type.kind === 'list' && explode !== false)
    throw new Unknown(at, 'a list in the query needs explode: false');
  if (type.kind === 'map' || type.kind === 'object')
    throw new Unknown(at, 'an object in the query is not known');
}

function readBody(body: Json, name: string, at: string, schemas: SchemaReader): Input {
  const content = objectAt(body.content, at);
  const json = content['application/json'];
  if (json !== undefined) return readJsonBody(objectAt(json, at).schema, name, at, schemas);
  if (content['application/x-ndjson'] !== undefined) return { kind: 'stream' };
  if (content['multipart/form-data'] === undefined)
    throw new Unknown(at, `a body of the types ${Object.keys(content)} is not known`);
  const fields = fieldsOfBody(objectAt(content['multipart/form-data'], at).schema, name, at, schemas);
  const files = fields.filter(({ type }) => type.kind === 'file');
  const [file, ...others] = files;
  if (file === undefined || others.length > 0) throw new Unknown(at, 'expected one file');
  return {
    kind: 'file',
    file: file.name,
    name: `${upperFirst(name)}Parameters`,
    fields: fields.filter((field) => field !== file),
  };
}

function readJsonBody(value: unknown, name: string, at: string, schemas: SchemaReader): Input {
  const { schema } = schemas.resolve(value, at);
  if (schema.type === 'array') return { kind: 'lines', of: schemas.typeOf(schema.items, at, `${name}Line`) };
  const fields = fieldsOfBody(value, name, at, schemas);
  if (fields.length === 0) return { kind: 'nothing' };
  return { kind: 'parameters', place: 'json', name: `${upperFirst(name)}Parameters`, fields };
}

/** The token is in a header. */
function fieldsOfBody(value: unknown, name: string, at: string, schemas: SchemaReader): Field[] {
  const { schema } = schemas.resolve(value, at);
  if (schema.type !== 'object') throw new Unknown(at, `a body of the type ${schema.type} is not known`);
  const fields = schemas.fieldsOf(schema, at, upperFirst(name));
  return fields.filter((field) => field.name !== 'access_token');
}

/** Returns the type of the response of a call that succeeds; null if it has no body. */
function readResult(operation: Json, name: string, at: string, schemas: SchemaReader): Type | null {
  const responses = Object.entries(objectAt(operation.responses, at)).filter(([status]) => /^2/.test(status));
  const types = responses.map(([status, value]) => {
    const { content } = objectAt(value, at);
    if (content === undefined) return null;
    const media = objectAt(content, at)['application/json'];
    if (!isObject(media)) throw new Unknown(at, `the response ${status} has no JSON`);
    return schemas.typeOf(media.schema, `${at}: ${status}`, `${upperFirst(name)}Result`);
  });
  const [first, ...others] = types;
  if (first === undefined) throw new Unknown(at, 'no response is a success');
  if (others.some((other) => JSON.stringify(other) !== JSON.stringify(first)))
    throw new Unknown(at, 'successes with different bodies are not known');
  return first;
}
