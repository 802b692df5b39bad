import type { FastifyInstance } from 'fastify';
import type { EndpointDeclaration } from '../http/endpoint/declaration.ts';
import { prepareBody, RenderedJson, sendResponse } from '../http/responses/respond.ts';
import { openApiDocument } from './document.ts';

/**
 * `GET /openapi.json`: the document of the endpoints that are registered after this, made when it is first
 * asked for. It is about the service, not a merchant: it needs no token.
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
      body ??= new RenderedJson(Buffer.from(JSON.stringify(openApiDocument(endpoints, basePath))));
      const { 'accept-encoding': acceptEncoding } = request.headers;
      sendResponse(request, reply, await prepareBody(body, acceptEncoding, ['cache-control', 'no-cache']));
    },
  });
}
