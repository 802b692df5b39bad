import packageJson from '../../package.json' with { type: 'json' };
import { type EndpointDeclaration, statusesOf } from '../http/endpoint/declaration.ts';
import type { ApiDescription } from './api-description.ts';
import { Components } from './components.ts';
import { errorResponse, errorSchema } from './error-responses.ts';
import { eventsTag, webhooks } from './events/webhooks.ts';
import { parameterObjects, postData } from './parameters.ts';
import { headerComponents, successHeaders } from './response-headers.ts';

/** Without an origin, such as `https://shop.example`, the base path is relative to the document's address. */
export function openApiDocument(
  endpoints: Iterable<EndpointDeclaration>,
  api: ApiDescription,
  origin: string | null,
): object {
  const components = new Components();
  const tags = new Map<string, object>();
  const paths: Record<string, object> = {};
  for (const endpoint of endpoints) {
    const { method, path, tag } = endpoint;
    tags.set(tag.name, tag);
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(endpoint, api, components) };
  }
  tags.set(eventsTag.name, eventsTag);
  const { schemas, responses } = components;
  return {
    openapi: '3.1.1',
    info: {
      title: api.title,
      version: `1.0.0+tradepost.${packageJson.version}`,
      description: api.description,
      license: { name: packageJson.license, identifier: packageJson.license },
    },
    servers: [{ url: `${origin ?? ''}${api.basePath}`, description: 'This service' }],
    security: api.securitySchemes.map(({ name }) => ({ [name]: [] })),
    tags: [...tags.values()],
    paths,
    webhooks: webhooks(api.events, components),
    components: {
      securitySchemes: Object.fromEntries(api.securitySchemes.map(({ name, scheme }) => [name, scheme])),
      schemas,
      responses,
      headers: usedHeaders(JSON.stringify([paths, responses])),
    },
  };
}

/** The headers that a JSON text refers to. */
function usedHeaders(json: string): object {
  const isUsed = (name: string): boolean => json.includes(`"#/components/headers/${name}"`);
  return Object.fromEntries(Object.entries(headerComponents).filter(([name]) => isUsed(name)));
}

function operation(endpoint: EndpointDeclaration, api: ApiDescription, components: Components): object {
  const { name, tag, summary, description, alias } = endpoint;
  return {
    operationId: name,
    tags: [tag.name],
    summary,
    description: alias === undefined ? description : `${description} Also at \`${alias}\`.`,
    ...(alias !== undefined && { 'x-alias': alias }),
    parameters: parameterObjects(endpoint, api, (schema) => components.schema(schema)),
    ...((endpoint.method === 'POST' || endpoint.method === 'PUT') && {
      requestBody: postData(endpoint, api, (schema) => components.schema(schema)),
    }),
    responses: responses(endpoint, api, components),
  };
}

function responses(endpoint: EndpointDeclaration, api: ApiDescription, components: Components): object {
  const { success } = endpoint;
  const hasFields = endpoint.headers?.['Tradepost-Fields'] !== undefined;
  const { status: successStatus = 200, linked = false, located = false, creates = false } = success;
  const { isPrivate = false } = success;
  const all = statusesOf(endpoint).map((status): [number, object] => {
    if (status === successStatus || (status === 201 && creates)) {
      const content = { schema: components.schema(success.schema), examples: success.examples };
      const headers = successHeaders({ content: true, linked, located, isPrivate, hasFields });
      const body = { 'application/json': content };
      const description = status === 201 && creates ? 'The created record.' : success.description;
      return [status, { description, headers, content: body }];
    }
    if (status === 304) {
      const headers = successHeaders({ content: false, linked, located, isPrivate, hasFields });
      return [304, { description: 'Not modified: the `ETag` in `If-None-Match` is current.', headers }];
    }
    const { name, response } = errorResponse(api.errors, status, components.schema(errorSchema));
    return [status, components.response(name, response)];
  });
  return Object.fromEntries(all);
}
