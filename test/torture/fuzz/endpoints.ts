import { betterAuthEndpoints } from '../../../src/console/auth/better-auth-endpoints.ts';
import type { Schema } from '../../../src/http/schema.ts';
import { type MediaType, type OpenApiDocument, operationsOf } from '../../support/openapi.ts';

interface Parameter {
  name: string;
  schema: Schema;
  required: boolean;
}

export interface Endpoint {
  method: string;
  path: string;
  parameters: Parameter[];
  /** The fields of each line, if the post data is lines. */
  lines?: Parameter[] | undefined;
  /** Called as the console's pages call it: without a token, and with JSON as post data. */
  console: boolean;
  /** Sends the session's cookie. False for endpoints that would end the session. */
  signedIn: boolean;
  weight: number;
}

/** Test data has an order with this ID. */
export const ORDER_ID = 1;
const string: Schema = { type: 'string', maxLength: 100 };
const integer: Schema = { type: 'integer', minimum: 1 };

/** Each operation, called with a token and with a session. */
export function documented(document: OpenApiDocument): Endpoint[] {
  const base = document.servers[0]?.url ?? '';
  const withToken = operationsOf(document).map(({ method, path, parameters, requestBody }) => ({
    method,
    path: `${base}${path}`.replace('{order_id}', String(ORDER_ID)),
    lines: lineFields(document, requestBody?.content ?? {}),
    parameters: parameters
      .filter((parameter) => parameter.in === 'query' && parameter.name !== 'access_token')
      .map(({ name, schema, required = name === 'name' || name === 'type' }) => ({ name, schema, required })),
    console: false,
    signedIn: false,
    weight: 100,
  }));
  const withSession = withToken.map((each) => ({ ...each, console: true, signedIn: true, weight: 20 }));
  return [...withToken, ...withSession];
}

function lineFields(
  { components }: OpenApiDocument,
  content: Record<string, MediaType>,
): Parameter[] | undefined {
  if (content['application/x-ndjson'] === undefined) return undefined;
  const name = content['application/json']?.schema.items?.$ref?.split('/').at(-1) ?? '';
  const { properties = {}, required = [] } = components.schemas[name] ?? {};
  return Object.entries(properties).map(([field, schema]) => ({
    name: field,
    schema,
    required: required.includes(field),
  }));
}

function consoleEndpoint(
  method: string,
  path: string,
  fields: Record<string, Schema> = {},
  weight = 4,
): Endpoint {
  const parameters = Object.entries(fields).map(([name, schema]) => ({ name, schema, required: true }));
  const signedIn = !['/auth/sign-out', '/auth/revoke-sessions'].includes(path);
  return { method, path: `/console/api${path}`, parameters, console: true, signedIn, weight };
}

const pages = { page: integer, per_page: integer };
const words = (...names: string[]): Record<string, Schema> =>
  Object.fromEntries(names.map((name) => [name, string]));

/** The console. Endpoints that are slow, or create something that others list, have a low weight. */
export const undocumented: readonly Endpoint[] = [
  consoleEndpoint('GET', '/session'),
  consoleEndpoint('GET', '/options'),
  consoleEndpoint('GET', '/keys'),
  consoleEndpoint('POST', '/keys', words('name', 'expires_at'), 0.2),
  consoleEndpoint('POST', '/keys/1-999/rotate', words('old_token_until')),
  consoleEndpoint('POST', '/keys/1-999/revoke'),
  consoleEndpoint('GET', '/activity', {
    ...words('who', 'type', 'day', 'field', 'before'),
    limit: integer,
  }),
  consoleEndpoint('GET', '/activity.csv', words('who', 'type', 'day', 'field'), 0.5),
  consoleEndpoint('GET', '/activity/products', { ...words('id', 'before'), limit: integer }),
  consoleEndpoint('GET', '/products/history', { ...words('identifier', 'before'), limit: integer }),
  consoleEndpoint('POST', '/imports/undo', words('import_id', 'change_id'), 0.2),
  consoleEndpoint('GET', '/products', { ...words('status', 'category', 'sort'), ...pages }),
  consoleEndpoint('GET', '/products/counts'),
  consoleEndpoint('GET', '/products/names', words('identifiers')),
  consoleEndpoint('GET', '/campaigns/overview'),
  consoleEndpoint('GET', '/campaigns/returns', words('ids')),
  consoleEndpoint('POST', '/campaigns/1', words('name', 'daily_budget')),
  consoleEndpoint('GET', '/orders/counts'),
  consoleEndpoint('GET', '/orders/overdue', { before: string, limit: integer }),
  consoleEndpoint('GET', '/orders/search', words('query')),
  consoleEndpoint('GET', `/orders/${ORDER_ID}/timeline`),
  consoleEndpoint('POST', '/orders/reveal', words('order_ids')),
  consoleEndpoint('GET', '/overview', {}, 0.5),
  consoleEndpoint('POST', '/imports', words('name'), 0.02),
  consoleEndpoint('GET', '/imports/1'),
  consoleEndpoint('POST', '/imports/1/import'),
  consoleEndpoint('DELETE', '/imports/1'),
  consoleEndpoint('GET', '/imports/1/rejects.csv'),
  consoleEndpoint('POST', '/registration-links', words('email'), 0.5),
  consoleEndpoint('POST', '/registration-links/check', words('token'), 0.5),
  consoleEndpoint(
    'POST',
    '/registration',
    words('merchant_name', 'time_zone', 'name', 'email', 'token', 'password'),
    0.5,
  ),
  ...betterAuthEndpoints.map(({ path, fields }) =>
    consoleEndpoint('POST', `/auth${path}`, words(...fields), 0.5),
  ),
  ...['/', '/console', '/console/keys', '/console/assets/none.js', '/openapi.json', '/favicon.ico'].map(
    (path): Endpoint => ({
      method: 'GET',
      path,
      parameters: [],
      console: false,
      signedIn: false,
      weight: 1,
    }),
  ),
];
