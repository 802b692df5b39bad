import {
  type OpenApi,
  type Operation,
  type Parameter,
  type Reference,
  referenceName,
  resolve,
  type Schema,
} from './open-api.ts';

/** What a call sends. */
export interface CallInput {
  /** In the path, in the query or post data, and only in post data, in this order. */
  parameters: Parameter[];
  /** Fields of a record that may be sent back as they were read. */
  readOnly: Parameter[];
  /** Parameters that no new program should send. */
  deprecated: Parameter[];
  headers: Parameter[];
  /** What each line is, if the post data is lines. */
  line: Schema | Reference | null;
  /** An example of the lines. */
  lines: unknown[] | null;
}

/** Returns what a call sends, without the headers that every call reads. */
export function inputOf(document: OpenApi, operation: Operation): CallInput {
  const all = (operation.parameters ?? []).map((parameter) => resolve(document, parameter));
  const common = commonHeaders(document);
  const headers = all.filter(({ in: place, name }) => place === 'header' && !common.has(name));
  const plain = all.filter(({ in: place }) => place !== 'header');
  const [content] = Object.values(operation.requestBody?.content ?? {});
  const body = content?.schema === undefined ? {} : resolve(document, content.schema);
  const { properties = {}, required = [] } = body;
  const examples = isObject(content?.example) ? content.example : {};
  const names = new Set(['access_token', ...plain.map(({ name }) => name)]);
  const inBody = Object.entries(properties)
    .filter(([name]) => !names.has(name))
    .map(([name, schema]): Parameter => {
      const { description = '', deprecated = false } = resolve(document, schema);
      return { name, in: 'body', description, deprecated, schema, example: examples[name] };
    });
  // The document marks a parameter that can be in the query or in the body as required only in the body.
  const sent = [...plain, ...inBody].map((parameter) => ({
    ...parameter,
    required: parameter.required || required.includes(parameter.name),
  }));
  const line = body.type === 'array' && body.items !== undefined ? body.items : null;
  const current = sent.filter(({ deprecated }) => deprecated !== true);
  return {
    parameters: current.filter((parameter) => !isReadOnly(parameter)),
    readOnly: current.filter(isReadOnly),
    deprecated: sent.filter(({ deprecated }) => deprecated === true),
    headers,
    line,
    lines: line !== null && Array.isArray(content?.example) ? content.example : null,
  };
}

/** How the descriptions begin or end. */
function isReadOnly({ description = '' }: Parameter): boolean {
  return /\bRead-only: |^Ignored: /.test(description);
}

/** Returns the headers that every call reads, by their names. */
export function commonHeaders(document: OpenApi): Map<string, Parameter> {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const lists = operations.map(({ parameters = [] }) =>
    parameters.map((parameter) => resolve(document, parameter)).filter((each) => each.in === 'header'),
  );
  const [first = [], ...others] = lists;
  const common = first.filter(({ name }) => others.every((list) => list.some((each) => each.name === name)));
  return new Map(common.map((header) => [header.name, header]));
}

/** Returns the schema of what a call returns if it succeeds, and the examples. */
export function resultOf(
  document: OpenApi,
  { responses }: Operation,
): {
  status: string;
  description: string;
  schema: Schema | Reference | undefined;
  examples: [string, { summary?: string; value: unknown }][];
} {
  const [status, response] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  if (status === undefined || response === undefined) throw new Error('no response is a success');
  const { description, content = {} } = resolve(document, response);
  const json = content['application/json'];
  return { status, description, schema: json?.schema, examples: Object.entries(json?.examples ?? {}) };
}

/** Returns an example of a record that a call returns by itself; undefined if no call does. */
export function exampleOfRecord(document: OpenApi, name: string): unknown {
  for (const methods of Object.values(document.paths))
    for (const operation of Object.values(methods)) {
      const { schema, examples } = resultOf(document, operation);
      if (schema !== undefined && referenceName(schema) === name) return examples[0]?.[1].value;
    }
  return undefined;
}

/** Returns the names of the records in a schema, in order of first use, with the records in them. */
export function recordsIn(
  document: OpenApi,
  target: Schema | Reference,
  found = new Set<string>(),
): Set<string> {
  const name = referenceName(target);
  if (name !== undefined) {
    if (found.has(name)) return found;
    found.add(name);
  }
  const { properties = {}, items, oneOf = [], anyOf = [], additionalProperties } = resolve(document, target);
  const inner = [...Object.values(properties), ...oneOf, ...anyOf];
  if (items !== undefined) inner.push(items);
  if (typeof additionalProperties === 'object') inner.push(additionalProperties);
  for (const each of inner) recordsIn(document, each, found);
  return found;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
