import type { FastifyInstance } from 'fastify';
import { type EndpointServices, registerEndpoint } from '../http/endpoint/register.ts';
import type { ResponseCache } from '../http/endpoint/response-cache.ts';
import { pathOf } from '../http/gate/request-target.ts';
import { prepareResponse, sendResponse, sendSpooledResponse } from '../http/responses/respond.ts';
import { SpoolFile } from '../shared/spool-file.ts';
import type { ProductLister } from './list/list-products.ts';
import { type ListInput, listParameters, pageOf, pageRequestOf } from './list/parameters.ts';
import { listReference } from './list/reference.ts';

/** `GET /products.json` (specification, 4.1). */
export function productRoutes(
  app: FastifyInstance,
  { lister, responseCache }: { lister: ProductLister; responseCache: ResponseCache },
  services: EndpointServices,
): void {
  registerEndpoint(app, services, {
    method: 'GET',
    path: '/products.json',
    scope: 'read',
    parameters: listParameters,
    statuses: [200, 304],
    reference: listReference,
    handle: async ({ request, reply, caller, token, input }) => {
      const found = await lister.list(pageRequestOf(caller.merchantId, input), caller.catalogRevision);
      const link = pageLinks(pathOf(request.url), input, found.total);
      const { etag, body } = found;
      if (body instanceof SpoolFile) return sendSpooledResponse(request, reply, { etag, file: body }, link);
      const response = await prepareResponse(body, request.headers['accept-encoding'], link);
      const { merchantId } = caller;
      responseCache.offer(request, { token, merchantId, revision: found.revision, response });
      sendResponse(request, reply, response);
    },
  });
}

/**
 * Returns a Link header (RFC 8288) to the previous and the next page. If the pagination summary was requested, it also
 * links to the first and the last page. Links are relative and do not contain the token. Null if there are no links.
 */
export function pageLinks(path: string, input: ListInput, total: number): string | null {
  const { page, perPage, summary } = pageOf(input);
  const last = Math.max(1, Math.ceil(total / perPage));
  const targets: [string, number][] = [];
  if (summary) targets.push(['first', 1]);
  if (page > 1) targets.push(['prev', Math.min(page - 1, last)]);
  if (page < last) targets.push(['next', page + 1]);
  if (summary) targets.push(['last', last]);
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input)) {
    query.set(name, Array.isArray(value) ? value.join(' | ') : String(value));
  }
  const links = targets.map(([relation, target]) => {
    query.set('page', String(target));
    return `<${path}?${query}>; rel="${relation}"`;
  });
  return links.length === 0 ? null : links.join(', ');
}
