import type { FastifyInstance } from 'fastify';
import type { Database } from '../database/database.ts';
import { findCatalogState, missingMerchant } from '../database/merchant-queries.ts';
import type { OffLoopReads } from '../database/off-loop-reads.ts';
import { fieldsHeader, recordFieldsOf, VARY_BY_FIELDS } from '../http/endpoint/record-fields.ts';
import { type Call, type EndpointServices, registerEndpoint } from '../http/endpoint/register.ts';
import type { ResponseCache } from '../http/endpoint/response-cache.ts';
import { pathOf } from '../http/gate/request-target.ts';
import { pageLinks, pageOf } from '../http/pages/pages.ts';
import type { BoundParameters } from '../http/parameters/bind.ts';
import { prepareResponse, sendResponse, sendSpooledResponse } from '../http/responses/respond.ts';
import { SpoolFile } from '../shared/spool-file.ts';
import { requireOnlyChanges } from '../sync/changes-cursor.ts';
import { type CursorList, decodeCursor, encodeCursor } from '../sync/cursor.ts';
import { renderChanges } from './changes/render-changes.ts';
import type { PageRequest, ProductLister } from './list/list-products.ts';
import { pageOrChanges } from './list/list-schema.ts';
import { type Listing, listingKey, sortKeyTypes } from './list/listing.ts';
import { pageRequestOf, productsParameters } from './list/parameters.ts';
import { productsTag } from './record/product-schema.ts';

type ProductsInput = BoundParameters<typeof productsParameters>;

interface ListServices {
  database: Database;
  offLoop: OffLoopReads;
  lister: ProductLister;
  responseCache: ResponseCache;
}

/** `GET /products.json` (specification, 4.1; contract for writing, “Staying in sync”). */
export function productListEndpoint(app: FastifyInstance, services: EndpointServices & ListServices): void {
  registerEndpoint(app, services, {
    method: 'GET',
    path: '/products.json',
    name: 'listProducts',
    tag: productsTag,
    summary: 'List products',
    description:
      'Lists the merchant’s products page by page, in every status unless `status` is given. Products ' +
      'without a value for the sort key count as lower than all others. Ties are sorted by `internal_id` in ' +
      'the same direction, so that pages never overlap or skip products while the catalog does not change. ' +
      'A page past the end is empty.\n\n' +
      'To read the whole list while it changes, follow `rel="next"` of the `Link` header. To keep a copy of the ' +
      'catalog, follow `changed_since`: begin with `start`, and send the `cursor` of each response with the next ' +
      'request. Products come in the order of their last change, in every status; one that changes again comes ' +
      'again. While `more` is true, there are further changes already. `changed_since` can only be combined with ' +
      '`per_page`.',
    scope: 'read',
    parameters: productsParameters,
    headers: fieldsHeader,
    statuses: [200, 304, 410],
    success: pageOrChanges,
    handle: async (call) => {
      const { changed_since: changedSince, ...input } = call.input;
      if (changedSince === undefined) return await sendPage(call, input, services);
      services.unreadBytes.requireRemaining(call.caller.merchantId);
      await sendChanges(call, changedSince, services);
    },
  });
}

type ProductsCall = Call<typeof productsParameters>;

async function sendPage(
  { request, reply, caller }: ProductsCall,
  { after, ...input }: Omit<ProductsInput, 'changed_since'>,
  { database, lister, responseCache }: ListServices,
): Promise<void> {
  const { merchantId, key } = caller;
  const fields = recordFieldsOf(request, caller);
  const pageRequest = pageRequestOf(merchantId, input);
  const list: CursorList = { merchantId, listing: listingKey(pageRequest.listing) };
  const found = await lister.list(
    {
      ...pageRequest,
      fields,
      after: after === undefined ? undefined : positionOf(after, list, pageRequest.listing),
    },
    key?.catalogRevision ?? (await readRevision(database, merchantId)),
  );
  const { total, continueAfter } = found;
  const next =
    continueAfter === undefined
      ? null
      : encodeCursor(list, [continueAfter.key ?? '', continueAfter.internal_id ?? 0]);
  const link = pageLinks(pathOf(request.url), input, { total, after: next });
  const { etag, body, revision } = found;
  const further = { link, vary: VARY_BY_FIELDS };
  if (body instanceof SpoolFile) return sendSpooledResponse(request, reply, { etag, file: body }, further);
  const response = await prepareResponse(body, request.headers['accept-encoding'], further);
  responseCache.offer(request, { key, merchantId, revision, response });
  sendResponse(request, reply, response);
}

/** Returns the catalog's current revision, which a session does not know. */
async function readRevision(database: Pick<Database, 'first'>, merchantId: number): Promise<number> {
  const state = await database.first(findCatalogState, { merchantId });
  if (state === undefined) throw missingMerchant(merchantId);
  return state.revision;
}

/** Returns the product after which a page begins. @throws {DomainError} as `decodeCursor` */
function positionOf(after: string, list: CursorList, { sort }: Listing): PageRequest['after'] {
  const [key = null, internalId] = decodeCursor('after', after, list, [sortKeyTypes[sort.field], 'integer']);
  return { key, internal_id: Number(internalId) };
}

async function sendChanges(
  { request, reply, caller, input: { changed_since, per_page, ...others } }: ProductsCall,
  changedSince: string,
  { database, offLoop, responseCache }: ListServices,
): Promise<void> {
  const { merchantId, key } = caller;
  const fields = recordFieldsOf(request, caller);
  requireOnlyChanges(others);
  const { perPage } = pageOf({ per_page });
  const { body, revision } = await renderChanges(
    { database, offLoop },
    { merchantId, changedSince, perPage, fields },
  );
  const response = await prepareResponse(body, request.headers['accept-encoding'], { vary: VARY_BY_FIELDS });
  responseCache.offer(request, { key, merchantId, revision, response });
  sendResponse(request, reply, response);
}
