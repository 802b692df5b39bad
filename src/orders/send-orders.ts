import type { FastifyReply, FastifyRequest } from 'fastify';
import { crossOriginHeaders, prepareWith, sendResponse } from '../http/responses/respond.ts';
import { recordEtag } from '../shared/etags.ts';
import { RenderedJson } from '../shared/rendered-json.ts';

/** Nothing may store what contains a customer's data. */
const headers = ['cache-control', 'private, no-store', ...Object.entries(crossOriginHeaders).flat()];

/** Sends JSON text of orders with 200. `link` is the value of a `Link` header. */
export async function sendOrders(
  request: FastifyRequest,
  reply: FastifyReply,
  json: string | Buffer,
  link: string | null = null,
): Promise<void> {
  const all = link === null ? headers : [...headers, 'link', link];
  const body = new RenderedJson(Buffer.from(json));
  sendResponse(request, reply, await prepareWith(body, request.headers['accept-encoding'], all));
}

/** Sends an order with 200 and a strong ETag. */
export async function sendOrder(request: FastifyRequest, reply: FastifyReply, order: object): Promise<void> {
  const json = JSON.stringify(order);
  const body = new RenderedJson(Buffer.from(json), recordEtag(json));
  sendResponse(request, reply, await prepareWith(body, request.headers['accept-encoding'], headers));
}
