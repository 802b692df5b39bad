import { authEndpoints } from '../../../src/console/auth/endpoints.ts';
import type { Schema } from '../../../src/http/schema.ts';
import { type OpenApiDocument, operationsOf } from '../../support/openapi.ts';

/** One thing that can be asked for, and what it takes. */
export interface Endpoint {
  method: string;
  path: string;
  parameters: { name: string; schema: Schema; required: boolean }[];
  /** Of the console: asked with a session's cookie, and JSON alone as post data. */
  console: boolean;
  /** Asked with the session's cookie, as it does not end the session. */
  signedIn: boolean;
  /** How often it is asked beside the others. */
  weight: number;
}

const string: Schema = { type: 'string', maxLength: 100 };
const integer: Schema = { type: 'integer', minimum: 1 };

/** What the OpenAPI document describes. */
export function documented(document: OpenApiDocument): Endpoint[] {
  const base = document.servers[0]?.url ?? '';
  return operationsOf(document).map(({ method, path, parameters }) => ({
    method,
    path: `${base}${path}`,
    parameters: parameters
      .filter((parameter) => parameter.in === 'query' && parameter.name !== 'access_token')
      .map(({ name, schema, required = name === 'name' || name === 'type' }) => ({ name, schema, required })),
    console: false,
    signedIn: false,
    weight: 100,
  }));
}

function ofConsole(method: string, path: string, fields: Record<string, Schema> = {}, weight = 4): Endpoint {
  const parameters = Object.entries(fields).map(([name, schema]) => ({ name, schema, required: true }));
  const signedIn = !['/auth/sign-out', '/auth/revoke-sessions'].includes(path);
  return { method, path: `/console/api${path}`, parameters, console: true, signedIn, weight };
}

const pages = { page: integer, per_page: integer };
const words = (...names: string[]): Record<string, Schema> =>
  Object.fromEntries(names.map((name) => [name, string]));

/**
 * What the console's pages ask for, and the pages. What makes something that others then list, or takes long,
 * is asked for seldom.
 */
export const undocumented: readonly Endpoint[] = [
  ofConsole('GET', '/session'),
  ofConsole('GET', '/options'),
  ofConsole('GET', '/keys'),
  ofConsole('POST', '/keys', words('name', 'expires_at'), 0.2),
  ofConsole('POST', '/keys/1-999/rotate', words('old_token_until')),
  ofConsole('POST', '/keys/1-999/revoke'),
  ofConsole('GET', '/audit', { before: string, limit: integer }),
  ofConsole('GET', '/products', { ...words('status', 'category', 'sort'), ...pages }),
  ofConsole('GET', '/products/counts'),
  ofConsole('GET', '/products/1'),
  ofConsole('GET', '/campaigns', pages),
  ofConsole('POST', '/campaigns', words('name', 'type', 'daily_budget')),
  ofConsole('GET', '/sales'),
  ofConsole('GET', '/overview', {}, 0.5),
  ofConsole('POST', '/uploads', words('name'), 0.02),
  ofConsole('GET', '/uploads/1'),
  ofConsole('POST', '/uploads/1/import'),
  ofConsole('DELETE', '/uploads/1'),
  ofConsole('GET', '/uploads/1/rejects.csv'),
  ofConsole('POST', '/registration', words('merchant', 'name', 'email', 'password'), 0.5),
  ...authEndpoints.map(({ path, fields }) => ofConsole('POST', `/auth${path}`, words(...fields), 0.5)),
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
