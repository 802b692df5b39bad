import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Database } from '../database/database.ts';
import { missingMerchant } from '../database/merchant-queries.ts';
import { errors } from '../errors/errors.ts';
import type { Success } from '../http/endpoint/declaration.ts';
import { registerEndpoint } from '../http/endpoint/register.ts';
import { pathOf } from '../http/gate/request-target.ts';
import { exampleSummary, pageSchemas } from '../http/pages/page-schema.ts';
import { pageLinks, pageOf } from '../http/pages/pages.ts';
import type { BoundParameters } from '../http/parameters/bind.ts';
import { requireOrderedDays } from '../http/parameters/day-range.ts';
import { sendPrivate } from '../http/responses/send-private.ts';
import { findTimeZone } from '../merchants/queries.ts';
import { findProductId } from '../products/record/queries.ts';
import { periodOfDays } from '../sales/periods.ts';
import { RenderedJson } from '../shared/rendered-json.ts';
import { formatTime } from '../shared/timestamps.ts';
import { requireOnlyChanges } from '../sync/changes-cursor.ts';
import { frame } from '../sync/framed-page.ts';
import { ordersChangedSince, renderOrderChanges } from './list/list-changes.ts';
import type { OrderListing, OrderPage } from './list/list-orders.ts';
import { type FilterName, filters, type SortName } from './list/sorts.ts';
import { type OrderServices, viewerOf } from './order-endpoints.ts';
import { listParameters } from './order-parameters.ts';
import { exampleOrder } from './record/example-order.ts';
import { exampleOrderChanges, orderChangesSchema, orderSchema, ordersTag } from './record/order-schema.ts';
import { type RenderOrders, rendererFor } from './record/show-orders.ts';

type ListInput = BoundParameters<typeof listParameters>;

const page = pageSchemas('OrderPaginationSummary', { items: 'orders', one: 'order', schema: orderSchema });
const listSuccess: Success = {
  description:
    'The page: an array of orders, the pagination summary if `pagination` is true, or changes if `changed_since` is ' +
    'sent.',
  schema: { oneOf: [...page, orderChangesSchema] },
  examples: {
    orders: { summary: 'Orders', value: [exampleOrder] },
    summary: { summary: 'With `pagination=true`', value: exampleSummary(exampleOrder) },
    changes: { summary: 'With `changed_since`', value: exampleOrderChanges },
  },
  linked: true,
  isPrivate: true,
};

/** `GET /orders.json` (contract for orders, “Calls”). */
export function orderListEndpoint(app: FastifyInstance, services: OrderServices): void {
  const { database, offLoop } = services;
  registerEndpoint(app, services, {
    method: 'GET',
    path: '/orders.json',
    name: 'listOrders',
    tag: ordersTag,
    summary: 'List orders',
    description:
      'Lists the merchant’s orders page by page. A page past the end is empty. To keep a copy of the orders, follow ' +
      '`changed_since`: begin with `start`, and send the `cursor` of each response with the next request. An order that ' +
      'changes again is returned again, also when its customer’s data is erased.',
    scope: 'orders',
    parameters: listParameters,
    statuses: [200, 304, 404, 410],
    success: listSuccess,
    handle: async ({ request, reply, caller, input: { changed_since: since, ...input } }) => {
      const render = rendererFor(services, viewerOf(caller));
      if (since !== undefined) {
        const { per_page, ...others } = input;
        requireOnlyChanges(others);
        const { perPage } = pageOf({ per_page });
        const { merchantId } = caller;
        const changes = await ordersChangedSince(
          { database, offLoop },
          { merchantId, perPage },
          since,
          render,
        );
        await sendPrivate(request, reply, renderOrderChanges(changes));
        return;
      }
      const listed = await listPage(services, render, caller.merchantId, input);
      const [start, end] = frame(pageOf(input), listed);
      const body = new RenderedJson(Buffer.concat([start, Buffer.from(listed.json), end]));
      await sendPrivate(request, reply, body, linksOf(request, input, listed));
    },
  });
}

/** @throws {DomainError} `invalid_parameters` */
async function listPage(
  { database, orderLister }: OrderServices,
  render: RenderOrders,
  merchantId: number,
  input: Omit<ListInput, 'changed_since'>,
): Promise<OrderPage> {
  const { filter, status, sort = 'id_desc', order_ids: ids, created_after: createdAfter, after } = input;
  const ofFilter = filters[(filter ?? 'all') as FilterName];
  if (status !== undefined && ofFilter !== undefined && status !== ofFilter) {
    const reason = `cannot be combined with the status ${status}: it selects orders that are ${ofFilter}`;
    throw errors.invalid_parameters([{ field: 'filter', value: filter, reason }]);
  }
  const listing = {
    ...{ merchantId, status: status ?? ofFilter, sort: sort as SortName, createdAfter },
    paid: await paidPeriodOf(database, merchantId, input),
    productId: await productIdOf(database, merchantId, input),
  };
  const { page, perPage, summary } = pageOf(input);
  if (ids !== undefined && after !== undefined) {
    const reason = 'cannot be combined with order_ids, whose pages have numbers';
    throw errors.invalid_parameters([{ field: 'after', reason }]);
  }
  if (ids !== undefined && listing.productId !== undefined) {
    const reason = 'cannot be combined with order_ids';
    throw errors.invalid_parameters([{ field: 'product_identifier', reason }]);
  }
  if (ids === undefined) return await orderLister.list({ listing, page, perPage, summary, after }, render);
  const orders = await orderLister.withIds(listing, ids);
  const start = (page - 1) * perPage;
  const shown = orders.slice(start, start + perPage);
  const json = await render(database, shown);
  return { json, count: shown.length, total: orders.length, after: undefined };
}

/** @throws {DomainError} `invalid_parameters` */
async function paidPeriodOf(
  database: Database,
  merchantId: number,
  { paid_from: from, paid_to: to }: Pick<ListInput, 'paid_from' | 'paid_to'>,
): Promise<OrderListing['paid']> {
  if (from === undefined && to === undefined) return undefined;
  requireOrderedDays({ from, to }, 'paid_to');
  const merchant = await database.first(findTimeZone, { merchantId });
  if (merchant === undefined) throw missingMerchant(merchantId);
  const period = periodOfDays(merchant.time_zone, { from, to });
  // An order that was not paid has a negative time.
  return { ...period, from: Math.max(0, period.from) };
}

/** @throws {DomainError} `product_not_found` */
async function productIdOf(
  database: Database,
  merchantId: number,
  { product_identifier: identifier }: Pick<ListInput, 'product_identifier'>,
): Promise<number | undefined> {
  if (identifier === undefined) return undefined;
  const product = await database.first(findProductId, { merchantId, identifier });
  if (product === undefined) throw errors.product_not_found(identifier);
  return product.internal_id;
}

/** Repeats the parameters as they were sent. */
function linksOf(
  request: FastifyRequest,
  { after: _, ...input }: Omit<ListInput, 'changed_since'>,
  { total, after }: OrderPage,
): string | null {
  const { order_ids: ids, created_after: createdAfter } = input;
  const repeated = {
    ...input,
    ...(ids !== undefined && { order_ids: ids.join(',') }),
    ...(createdAfter !== undefined && { created_after: formatTime(createdAfter) }),
  };
  return pageLinks(pathOf(request.url), repeated, { total, ...(after !== undefined && { after }) });
}
