import type { EndpointDeclaration } from '../http/endpoint/declaration.ts';
import type { HeaderReference, ParameterReference } from '../http/endpoint/reference.ts';
import { requestIdReference } from '../http/request-context.ts';
import type { Schema } from '../http/schema.ts';

const POST_DATA_TYPES = ['application/x-www-form-urlencoded', 'application/json', 'multipart/form-data'];

const headersOfAll: Record<string, HeaderReference> = {
  'X-ERP-Name': {
    description: 'The company that makes the calling software. Shown next to the key.',
    schema: { type: 'string' },
    example: 'Northwind ERP',
  },
  'X-Request-Id': requestIdReference,
};
const headersOfGet: Record<string, HeaderReference> = {
  'If-None-Match': {
    description: 'The `ETag` of an earlier response. If it is still current, the response is 304.',
    schema: { type: 'string' },
    example: 'W/"2k-9pXn4hJYlq0TzS3vL0V5oQm8cE0"',
  },
};

/** A parameter as the document shows it, from its type and its description. */
interface Documented {
  name: string;
  required: boolean;
  schema: Schema;
  reference: ParameterReference;
}

function documented({ parameters, reference }: EndpointDeclaration): Documented[] {
  return Object.entries(parameters).map(([name, { type, required = false }]) => {
    const said = reference.parameters[name];
    if (said === undefined) throw new Error(`no description of ${name}`);
    const { description, ...values } = said;
    // An enum in the schema already lists the values.
    const takes = type.schema.enum === undefined ? ` Expects ${type.expected}.` : '';
    const schema = said.default === undefined ? type.schema : { ...type.schema, default: said.default };
    return { name, required, schema, reference: { ...values, description: description + takes } };
  });
}

/** Returns the query parameters and headers. POST parameters are optional here, because post data may hold them. */
export function parameterObjects(endpoint: EndpointDeclaration): object[] {
  const { method, reference } = endpoint;
  const inQuery = documented(endpoint).map(
    ({ name, required, schema, reference: { description, example } }) => ({
      name,
      in: 'query',
      description:
        required && method === 'POST' ? `${description} Required, here or in the post data.` : description,
      required: required && method !== 'POST',
      schema,
      ...(example !== undefined && { example }),
    }),
  );
  const headers = { ...reference.headers, ...(method === 'GET' && headersOfGet), ...headersOfAll };
  const inHeaders = Object.entries(headers).map(([name, header]) => ({ name, in: 'header', ...header }));
  return [...inQuery, ...inHeaders];
}

/** Returns the post data of an endpoint, with the same schema for each content type. */
export function postData(endpoint: EndpointDeclaration, schema: (schema: Schema) => Schema): object {
  const all = documented(endpoint);
  const { name } = endpoint.reference;
  const body: Schema = {
    title: `${name.charAt(0).toUpperCase()}${name.slice(1)}Request`,
    type: 'object',
    properties: {
      access_token: { type: 'string', description: 'Required if it is not in the query.' },
      ...Object.fromEntries(
        all.map(({ name, schema, reference: { description } }) => [name, { ...schema, description }]),
      ),
    },
    required: all.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
  const example = Object.fromEntries(
    all.flatMap(({ name, reference: { example } }) => (example === undefined ? [] : [[name, example]])),
  );
  const content = { schema: schema(body), example };
  return {
    description: 'The parameters that are not in the query.',
    required: false,
    content: Object.fromEntries(POST_DATA_TYPES.map((type) => [type, content])),
  };
}
