import type { FastifyInstance } from 'fastify';
import type { EndpointDeclaration } from '../http/endpoint/declaration.ts';
import { prepareWith, sendResponse } from '../http/responses/respond.ts';
import { RenderedJson } from '../shared/rendered-json.ts';
import type { ApiDescription } from './api-description.ts';
import { openApiDocument } from './document.ts';

/**
 * Serves the OpenAPI document of the endpoints below the base path that are registered afterwards. It is
 * created on the first request, and needs no token because it contains nobody's data. `origin` is the API's
 * public origin, if known.
 */
export function serveDocument(app: FastifyInstance, api: ApiDescription, origin: string | null): void {
  const endpoints = new Set<EndpointDeclaration>();
  let body: RenderedJson | undefined;
  app.addHook('onRoute', ({ config, url }) => {
    if (config?.endpoint !== undefined && url.startsWith(`${api.basePath}/`)) endpoints.add(config.endpoint);
  });
  app.route({
    method: ['GET', 'HEAD'],
    url: api.documentPath,
    config: { statuses: [200, 304, 400, 500, 503] },
    handler: async (request, reply) => {
      body ??= RenderedJson.of(openApiDocument(endpoints, api, origin));
      const { 'accept-encoding': acceptEncoding } = request.headers;
      sendResponse(request, reply, await prepareWith(body, acceptEncoding, ['cache-control', 'no-cache']));
    },
  });
}
