import packageJson from '../../package.json' with { type: 'json' };
import { type EndpointDeclaration, statusesOf } from '../http/endpoint/declaration.ts';
import { Components } from './components.ts';
import { errorResponse, errorSchema } from './error-responses.ts';
import { parameterObjects, postData } from './parameters.ts';
import { headerComponents, successHeaders } from './response-headers.ts';

const description = `Lists products, creates campaigns, reads monthly sales and retrieves variations of the merchant that the access token belongs to. HTTPS only.

- **Parameters** are read from the query and from post data: a form, a JSON object of plain values, or multipart fields. GET accepts post data too, which OpenAPI cannot express. A blank value counts as missing. Unknown parameter names are rejected.
- **Paths** also work without \`.json\`. \`HEAD\` works wherever \`GET\` does.
- **Records** always have all fields, in the documented order; missing values are null. Times are RFC 3339 in UTC, and amounts are in the currency's major unit, for example dollars.
- **Errors** explain in \`message\` what was wrong. Programs should use only the status.`;

/** Returns the OpenAPI document of the given endpoints, with paths relative to `basePath`. */
export function openApiDocument(endpoints: Iterable<EndpointDeclaration>, basePath: string): object {
  const components = new Components();
  const tags = new Map<string, object>();
  const paths: Record<string, object> = {};
  for (const endpoint of endpoints) {
    const { method, path, reference } = endpoint;
    tags.set(reference.tag.name, reference.tag);
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(endpoint, components) };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Tradepost merchant API',
      version: `1.0.0+tradepost.${packageJson.version}`,
      description,
      license: { name: packageJson.license, identifier: packageJson.license },
    },
    servers: [{ url: basePath, description: 'This service' }],
    security: [{ bearer: [] }, { access_token: [] }],
    tags: [...tags.values()],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'The token in the `Authorization` header.' },
        access_token: {
          type: 'apiKey',
          in: 'query',
          name: 'access_token',
          description:
            'The token of an API key, which identifies the merchant. It may be in the post data instead.',
        },
      },
      schemas: components.schemas,
      responses: components.responses,
      headers: headerComponents,
    },
  };
}

function operation(endpoint: EndpointDeclaration, components: Components): object {
  const { alias, reference } = endpoint;
  const { name, tag, summary, description } = reference;
  return {
    operationId: name,
    tags: [tag.name],
    summary,
    description: alias === undefined ? description : `${description} Also at \`${alias}\`.`,
    ...(alias !== undefined && { 'x-alias': alias }),
    parameters: parameterObjects(endpoint),
    ...(endpoint.method === 'POST' && {
      requestBody: postData(endpoint, (schema) => components.schema(schema)),
    }),
    responses: responses(endpoint, components),
  };
}

function responses(endpoint: EndpointDeclaration, components: Components): object {
  const { success } = endpoint.reference;
  const linked = success.linked ?? false;
  const all = statusesOf(endpoint).map((status): [number, object] => {
    if (status === 200) {
      const content = { schema: components.schema(success.schema), examples: success.examples };
      const headers = successHeaders({ content: true, linked });
      return [200, { description: success.description, headers, content: { 'application/json': content } }];
    }
    if (status === 304) {
      const headers = successHeaders({ content: false, linked });
      return [304, { description: 'Not modified: the `ETag` in `If-None-Match` is current.', headers }];
    }
    const { name, response } = errorResponse(status, components.schema(errorSchema));
    return [status, components.response(name, response)];
  });
  return Object.fromEntries(all);
}
