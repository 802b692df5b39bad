import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createCompressor, type Encoding } from '../../shared/compression.ts';
import { etagIn, matchesCopy, recordEtag } from '../../shared/etags.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import type { SpoolFile } from '../../shared/spool-file.ts';
import { contextOf } from '../request-context.ts';
import { encodeFor, negotiateEncoding } from './negotiate-encoding.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** The `Cache-Control` of every v1 response with 200 or 304. */
export const SUCCESS_CACHE_CONTROL = 'private, no-cache';

/** For every v1 response: pages of any origin may read it. */
export const crossOriginHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'ETag, Link, Location, RateLimit, RateLimit-Policy, Retry-After, Tradepost-Error, X-Request-Id',
};

const SUCCESS_HEADERS = [
  'cache-control',
  SUCCESS_CACHE_CONTROL,
  ...Object.entries(crossOriginHeaders).flat(),
];

const VARY = 'Accept-Encoding';

const SPOOLED_RESPONSE_TIMEOUT_MS = 10 * 60 * 1000;
/** In one write to a connection. */
export const WRITE_CHUNK_BYTES = 256 * 1024;
/** Shorter responses fit into the operating system's send buffer. */
const SMALL_RESPONSE_BYTES = 16 * 1024;

export interface PreparedResponse {
  etag: string;
  /** A flat list of names and values. */
  headers: string[];
  bytes: Buffer;
}

/** JSON that is too large for memory. */
interface SpooledJson {
  etag: string;
  file: SpoolFile;
}

/** The values of further headers of a v1 response. */
interface FurtherHeaders {
  link?: string | null;
  vary?: string;
}

/**
 * Writes a response's head with the headers that all have: the request id, and the client's rate limit. Every
 * response starts here, except Fastify's own and responses to unreadable requests.
 */
export function writeHead(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  headers: readonly string[],
): ServerResponse {
  const { id, rateLimitHeaders, isConsole } = contextOf(request);
  const sent = isConsole ? forConsole(headers) : headers;
  return response.writeHead(status, [...sent, 'x-request-id', id, ...rateLimitHeaders]);
}

/** Other origins may not read what the console gets, and nothing may store it. */
function forConsole(headers: readonly string[]): string[] {
  const kept = headers.filter((_, index) => {
    const name = headers[index - (index % 2)] ?? '';
    return name !== 'cache-control' && !name.startsWith('access-control-');
  });
  return [...kept, 'cache-control', 'no-store'];
}

/** Prepares a v1 response (contract, “Answers”). */
export async function prepareResponse(
  body: RenderedJson,
  acceptEncoding: string | undefined,
  { link = null, vary }: FurtherHeaders = {},
): Promise<PreparedResponse> {
  const headers = link === null ? SUCCESS_HEADERS : [...SUCCESS_HEADERS, 'link', link];
  return await prepareWith(body, acceptEncoding, headers, vary);
}

/** `additional` is a flat list of the names and values of further headers. */
export async function prepareWith(
  body: RenderedJson,
  acceptEncoding: string | undefined,
  additional: readonly string[],
  vary = VARY,
): Promise<PreparedResponse> {
  const { encoding, bytes } = await encodeFor(body, acceptEncoding);
  const headers = ['content-type', JSON_TYPE, 'content-length', String(bytes.length)];
  if (encoding !== 'identity') headers.push('content-encoding', encoding);
  const etag = etagIn(encoding, body.etag);
  headers.push('etag', etag, 'vary', vary, ...additional);
  return { etag, headers, bytes };
}

/**
 * Sends JSON text with 200 and an ETag of its bytes. `headers` is a flat list of further names and values.
 */
export async function sendJson(
  request: FastifyRequest,
  reply: FastifyReply,
  json: string | Buffer,
  headers: readonly string[] = [],
): Promise<void> {
  const body = new RenderedJson(Buffer.from(json));
  const all = [...SUCCESS_HEADERS, ...headers];
  sendResponse(request, reply, await prepareWith(body, request.headers['accept-encoding'], all));
}

/** Sends a record with 200 and a strong ETag, which `If-Match` accepts. */
export async function sendRecord(
  request: FastifyRequest,
  reply: FastifyReply,
  json: string | Buffer,
  further: FurtherHeaders = {},
): Promise<void> {
  const body = new RenderedJson(Buffer.from(json), recordEtag(json));
  sendResponse(request, reply, await prepareResponse(body, request.headers['accept-encoding'], further));
}

/** Sends JSON text with 202: the work continues, and `location` shows its progress. */
export async function sendAccepted(
  request: FastifyRequest,
  reply: FastifyReply,
  json: string,
  location: string,
): Promise<void> {
  await sendWithStatus(request, reply, 202, json, ['location', location]);
}

export async function sendCreated(request: FastifyRequest, reply: FastifyReply, json: string): Promise<void> {
  await sendWithStatus(request, reply, 201, json, []);
}

async function sendWithStatus(
  request: FastifyRequest,
  reply: FastifyReply,
  status: 201 | 202,
  json: string,
  additional: readonly string[],
): Promise<void> {
  const body = new RenderedJson(Buffer.from(json));
  const { headers, bytes } = await prepareWith(body, request.headers['accept-encoding'], [
    ...SUCCESS_HEADERS,
    ...additional,
  ]);
  reply.hijack();
  writeHead(request.raw, reply.raw, status, headers).end(bytes);
}

/** Sends a prepared response, or 304 if a GET or HEAD names its ETag in `If-None-Match`. */
export function sendResponse(request: FastifyRequest, reply: FastifyReply, response: PreparedResponse): void {
  reply.hijack();
  writeResponse(request.raw, reply.raw, response);
}

/** With Node's own objects: for a cached page, Fastify's `send` takes longer than everything else. */
export function writeResponse(
  request: IncomingMessage,
  response: ServerResponse,
  { etag, headers, bytes }: PreparedResponse,
): void {
  if (isNotModified(request, etag)) {
    writeHead(request, response, 304, withoutContentHeaders(headers)).end();
  } else {
    endInChunks(writeHead(request, response, 200, headers), bytes);
    holdUnread(request, response, bytes.length);
  }
}

/** Like `sendResponse`, from a file, which it closes. */
export function sendSpooledResponse(
  request: FastifyRequest,
  reply: FastifyReply,
  { etag, file }: SpooledJson,
  { link = null, vary = VARY }: FurtherHeaders,
): void {
  const headers = ['etag', etag, ...SUCCESS_HEADERS, ...(link === null ? [] : ['link', link])];
  if (!isNotModified(request.raw, etag)) {
    sendFile(request, reply, file, headers, vary);
    return;
  }
  reply.hijack();
  writeHead(request.raw, reply.raw, 304, ['vary', vary, ...headers]).end();
  file.close().catch(() => {});
}

/**
 * Sends JSON from a file with 200 as fast as the client reads, and closes the file. Returns immediately, so
 * that a slow client does not use up capacity, and disconnects it after ten minutes.
 */
export function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: SpoolFile,
  headers: readonly string[],
  vary = VARY,
): void {
  reply.hijack();
  // A client that has disconnected, or took too long, cannot receive an error.
  writeFile(request.raw, reply.raw, file, ['vary', vary, ...headers]).catch(() => reply.raw.destroy());
}

/** Passes on the reply's headers to a response that does not use Fastify's `send`. */
export function keepHeaders(reply: FastifyReply): void {
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
}

/** Calls `work` once a response has been sent or its connection has closed, or immediately. */
export function afterResponse(response: ServerResponse, work: () => void): void {
  if (response.closed || response.req.socket.destroyed) work();
  else response.once('close', work);
}

/**
 * Counts a response against the merchant's budget until it has been sent or its connection has closed.
 * Ignores a small response, and one that the connection has already accepted completely.
 */
function holdUnread(request: IncomingMessage, response: ServerResponse, bytes: number): void {
  const { holdUnread: hold } = contextOf(request);
  // A response that is sent in chunks has not been written to the connection completely yet.
  const isAccepted = bytes <= WRITE_CHUNK_BYTES && response.writableLength === 0;
  if (hold === undefined || bytes < SMALL_RESPONSE_BYTES || isAccepted) return;
  afterResponse(response, hold(bytes));
}

function isNotModified({ method, headers }: IncomingMessage, etag: string): boolean {
  const conditional = headers['if-none-match'];
  const isRead = method === 'GET' || method === 'HEAD';
  return conditional !== undefined && isRead && matchesCopy(conditional, etag);
}

function withoutContentHeaders(headers: string[]): string[] {
  return headers.filter((_, index) => !headers[index - (index % 2)]?.startsWith('content-'));
}

/** In chunks: for each open TLS connection, Node keeps a buffer as large as its largest write. */
function endInChunks(response: ServerResponse, bytes: Buffer): void {
  if (bytes.length <= WRITE_CHUNK_BYTES) {
    response.end(bytes);
    return;
  }
  response.write(bytes.subarray(0, WRITE_CHUNK_BYTES), (error) => {
    if (error == null) endInChunks(response, bytes.subarray(WRITE_CHUNK_BYTES));
  });
}

async function writeFile(
  request: IncomingMessage,
  response: ServerResponse,
  file: SpoolFile,
  headers: readonly string[],
): Promise<void> {
  try {
    const encoding = negotiateEncoding(request.headers['accept-encoding']);
    // The length of a compressed body is known only at its end.
    const encodingHeaders =
      encoding === 'identity' ? ['content-length', String(file.bytes)] : ['content-encoding', encoding];
    const contentHeaders = ['content-type', JSON_TYPE, ...encodingHeaders];
    writeHead(request, response, 200, [...contentHeaders, ...headers]);
    if (request.method === 'HEAD') response.end();
    else await pipeInto(response, file, encoding);
  } finally {
    await file.close();
  }
}

async function pipeInto(response: ServerResponse, file: SpoolFile, encoding: Encoding): Promise<void> {
  const signal = AbortSignal.timeout(SPOOLED_RESPONSE_TIMEOUT_MS);
  if (encoding === 'identity') await pipeline(file.read(), response, { signal });
  else await pipeline(file.read(), createCompressor(encoding), response, { signal });
}
