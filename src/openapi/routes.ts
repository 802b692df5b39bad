import type { FastifyInstance } from 'fastify';
import type { EndpointDeclaration } from '../http/endpoint/declaration.ts';
import { prepareWith, sendResponse } from '../http/responses/respond.ts';
import { RenderedJson } from '../shared/rendered-json.ts';
import { openApiDocument } from './document.ts';

/**
 * Serves the OpenAPI document at `GET /openapi.json`. It includes the endpoints that are registered afterwards,
 * is created on the first request, and needs no token because it contains no merchant's data.
 */
export function openApiRoutes(app: FastifyInstance, { basePath }: { basePath: string }): void {
  const endpoints = new Set<EndpointDeclaration>();
  let body: RenderedJson | undefined;
  app.addHook('onRoute', ({ config }) => {
    if (config?.endpoint !== undefined) endpoints.add(config.endpoint);
  });
  app.route({
    method: ['GET', 'HEAD'],
    url: '/openapi.json',
    config: { statuses: [200, 304, 400, 500, 503] },
    handler: async (request, reply) => {
      body ??= RenderedJson.of(openApiDocument(endpoints, basePath));
      const { 'accept-encoding': acceptEncoding } = request.headers;
      sendResponse(request, reply, await prepareWith(body, acceptEncoding, ['cache-control', 'no-cache']));
    },
  });
}
