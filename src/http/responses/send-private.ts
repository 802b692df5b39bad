import type { FastifyReply, FastifyRequest } from 'fastify';
import { recordEtag } from '../../shared/etags.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import { crossOriginHeaders, prepareWith, sendResponse, writeHead } from './respond.ts';

/** The `Cache-Control` of responses with data of customers, which no cache may store. */
export const PRIVATE_CACHE_CONTROL = 'private, no-store';

const headers = ['cache-control', PRIVATE_CACHE_CONTROL, ...Object.entries(crossOriginHeaders).flat()];

/** Sends JSON that no cache may store. `link` is the value of a `Link` header. */
export async function sendPrivate(
  request: FastifyRequest,
  reply: FastifyReply,
  body: RenderedJson,
  link: string | null = null,
): Promise<void> {
  const all = link === null ? headers : [...headers, 'link', link];
  sendResponse(request, reply, await prepareWith(body, request.headers['accept-encoding'], all));
}

/** Sends a record that no cache may store, with a strong ETag. `isNew` sends 201. */
export async function sendPrivateRecord(
  request: FastifyRequest,
  reply: FastifyReply,
  json: string,
  { isNew = false }: { isNew?: boolean } = {},
): Promise<void> {
  const body = new RenderedJson(Buffer.from(json), recordEtag(json));
  const prepared = await prepareWith(body, request.headers['accept-encoding'], headers);
  if (!isNew) {
    sendResponse(request, reply, prepared);
    return;
  }
  reply.hijack();
  writeHead(request.raw, reply.raw, 201, prepared.headers).end(prepared.bytes);
}
