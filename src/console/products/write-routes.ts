import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { describeUser } from '../../audit/record-audit.ts';
import type { Database } from '../../database/database.ts';
import type { OffLoopReads } from '../../database/off-loop-reads.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { MAX_WRITE_BYTES } from '../../http/request-limits.ts';
import { statusOf } from '../../http/responses/statuses.ts';
import { type Product, parseProduct, renderProduct } from '../../products/record/product.ts';
import { retrieveProduct } from '../../products/retrieve/retrieve-product.ts';
import type { ProductChange } from '../../products/write/change-product.ts';
import type { ProductFinder } from '../../products/write/find-products.ts';
import type { GroupedWrites } from '../../products/write/grouped-writes.ts';
import { createParameters, identifierType, updateParameters } from '../../products/write/parameters.ts';
import { createProduct, setProductState, updateProduct } from '../../products/write/products.ts';
import { recordCall } from '../../products/write/write-records.ts';
import { recordEtag } from '../../shared/etags.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import type { RetrievedVariation } from '../../variations/retrieve-variation.ts';
import { createVariationParameters } from '../../variations/write-routes.ts';
import { createVariation, setVariationState } from '../../variations/write-variation.ts';
import type { ProductConflict } from '../console-api.ts';
import { registerConsoleEndpoint } from '../endpoint.ts';
import { consoleErrors } from '../errors.ts';
import type { ConsoleCaller } from '../sessions/current-session.ts';
import { internalIdOf, noProduct, withEtag } from './product-of-path.ts';

const { identifier: _, internal_id: __, ...changes } = updateParameters;

interface Services {
  database: Database;
  offLoop: OffLoopReads;
  groupedWrites: GroupedWrites;
}

/** Registers the endpoints that write products, with the rules and messages of the API's calls. */
export function consoleProductWriteRoutes(app: FastifyInstance, services: Services): void {
  const { groupedWrites } = services;
  const write = async (
    { request, caller }: { request: FastifyRequest; caller: ConsoleCaller },
    prepare: (products: ProductFinder) => Promise<ProductChange<Product>>,
  ): Promise<RenderedJson> => {
    const ifMatch = request.headers['if-match'];
    const call = recordCall({ ifMatch, who: describeUser(caller.user), prepare, render: renderProduct });
    const record = await groupedWrites.run(caller.merchant.id, call);
    return withEtag(record);
  };
  registerConsoleEndpoint(app, {
    method: 'POST',
    path: '/products',
    parameters: createParameters,
    statuses: [200, 412],
    bodyLimit: MAX_WRITE_BYTES,
    handle: (call) => write(call, (products) => createProduct(products, call.input)),
  });
  registerConsoleEndpoint(app, {
    method: 'POST',
    path: '/products/{id}',
    parameters: changes,
    statuses: [200, 404, 412],
    bodyLimit: MAX_WRITE_BYTES,
    handle: (call) => {
      const internalId = internalIdOf(call.path.id);
      return orConflict(services, call, internalId, () =>
        write(call, (products) =>
          updateProduct(products, { ...call.input, identifier: undefined, internal_id: internalId }),
        ),
      );
    },
  });
  for (const action of ['enable', 'disable', 'delete'] as const) {
    registerConsoleEndpoint(app, {
      method: 'POST',
      path: `/products/{id}/${action}`,
      parameters: {},
      statuses: [200, 404, 412],
      handle: (call) => {
        const internalId = internalIdOf(call.path.id);
        return orConflict(services, call, internalId, () =>
          write(call, (products) => setProductState(products, { internal_id: internalId, action })),
        );
      },
    });
  }
}

/** Registers the endpoints that write variations, by their identifiers, as the API does. */
export function consoleVariationRoutes(
  app: FastifyInstance,
  { groupedWrites }: Pick<Services, 'groupedWrites'>,
): void {
  const write = async (
    { merchant, user }: ConsoleCaller,
    prepare: (products: ProductFinder) => Promise<ProductChange<RetrievedVariation>>,
    missing: string,
  ): Promise<RenderedJson> => {
    const call = recordCall({
      ifMatch: undefined,
      who: describeUser(user),
      prepare,
      render: JSON.stringify,
    });
    const variation = await groupedWrites.run(merchant.id, call).catch((error) => {
      const isMissing = error instanceof DomainError && statusOf(error) === 404;
      throw isMissing ? consoleErrors.missing(missing) : error;
    });
    return new RenderedJson(Buffer.from(variation));
  };
  registerConsoleEndpoint(app, {
    method: 'POST',
    path: '/variations',
    parameters: createVariationParameters,
    statuses: [200, 404],
    handle: ({ caller, input }) =>
      write(
        caller,
        (products) => createVariation(products, input),
        'There is no product with this unique ID.',
      ),
  });
  for (const action of ['enable', 'disable', 'delete'] as const) {
    registerConsoleEndpoint(app, {
      method: 'POST',
      path: `/variations/${action}`,
      parameters: { identifier: { type: identifierType, required: true } },
      statuses: [200, 404],
      handle: ({ caller, input: { identifier } }) =>
        write(
          caller,
          (products) => setVariationState(products, { identifier, action }),
          'There is no variation with this unique ID.',
        ),
    });
  }
}

/** Responds 412 with the current product if `If-Match` names an older one. */
async function orConflict(
  sources: Pick<Services, 'database' | 'offLoop'>,
  { reply, caller, path: { id } }: { reply: FastifyReply; caller: ConsoleCaller; path: { id: string } },
  internalId: number,
  work: () => Promise<RenderedJson>,
): Promise<RenderedJson | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (statusOf(error) === 404) throw noProduct(id);
    if (error.code !== 'precondition_failed') throw error;
    const record = await retrieveProduct(sources, caller.merchant.id, { internalId });
    if (record === undefined) throw noProduct(id);
    const message = 'The product has changed since you opened it.';
    const conflict: ProductConflict = { message, current: parseProduct(record) };
    reply.code(412).header('etag', recordEtag(record)).send(conflict);
    return undefined;
  }
}
