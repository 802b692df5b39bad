import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SpoolFile } from '../../shared/spool-file.ts';
import { contextOf } from '../request-context.ts';
import {
  COMPRESSION_THRESHOLD,
  compress,
  compressor,
  type Encoding,
  negotiateEncoding,
} from './compression.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Of every v1 answer with 200 or 304. */
export const SUCCESS_CACHE_CONTROL = 'private, no-cache';

/** How long a client may take to read a response that is sent from a file. */
const SPOOLED_RESPONSE_TIMEOUT_MS = 10 * 60 * 1000;

/** Bytes that a connection is given at once. */
const WRITE_CHUNK_BYTES = 256 * 1024;

/** On every v1 answer, so that pages of any origin may read it. */
export const crossOriginHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, Link, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id',
};

/** JSON to be sent with 200: its bytes, each compressed form of them made once, and their weak ETag. */
export class RenderedJson {
  readonly #forms: Map<Encoding, Buffer>;
  #etag: string | undefined;

  /** `etag` has to change whenever the bytes do; without one, it is computed from the bytes when it is needed. */
  constructor(bytes: Buffer, etag?: string) {
    this.#etag = etag;
    this.#forms = new Map([['identity', bytes]]);
  }

  get etag(): string {
    this.#etag ??= `W/"${hash('sha1', this.#bytes, 'base64url')}"`;
    return this.#etag;
  }

  get #bytes(): Buffer {
    return this.#forms.get('identity') ?? Buffer.alloc(0);
  }

  /** The form for a client that accepts these encodings, and its name. */
  async formFor(acceptEncoding: string | undefined): Promise<{ encoding: Encoding; bytes: Buffer }> {
    const identity = this.#bytes;
    const encoding = identity.length > COMPRESSION_THRESHOLD ? negotiateEncoding(acceptEncoding) : 'identity';
    let bytes = this.#forms.get(encoding);
    if (bytes === undefined) {
      bytes = await compress(identity, encoding);
      this.#forms.set(encoding, bytes);
    }
    return { encoding, bytes };
  }
}

/** A 200 ready to be written: its headers as a flat list of names and values, and its bytes. */
export interface PreparedResponse {
  etag: string;
  headers: string[];
  bytes: Buffer;
}

const SUCCESS_HEADERS = [
  'cache-control',
  SUCCESS_CACHE_CONTROL,
  ...Object.entries(crossOriginHeaders).flat(),
];

/** The 200 that carries this body to this client (contract, “Answers”). `link` is a Link header's value. */
export async function prepareResponse(
  body: RenderedJson,
  acceptEncoding: string | undefined,
  link: string | null = null,
): Promise<PreparedResponse> {
  const further = link === null ? SUCCESS_HEADERS : [...SUCCESS_HEADERS, 'link', link];
  return await prepareBody(body, acceptEncoding, further);
}

/** A 200 with the headers that its body needs, and `further` ones as a flat list of names and values. */
export async function prepareBody(
  body: RenderedJson,
  acceptEncoding: string | undefined,
  further: readonly string[],
): Promise<PreparedResponse> {
  const { encoding, bytes } = await body.formFor(acceptEncoding);
  const headers = ['content-type', JSON_TYPE, 'content-length', String(bytes.length)];
  if (encoding !== 'identity') headers.push('content-encoding', encoding);
  headers.push('etag', body.etag, 'vary', 'Accept-Encoding', ...further);
  return { etag: body.etag, headers, bytes };
}

/** Sends a prepared answer, or 304 where a GET or HEAD names its ETag in `If-None-Match`. */
export function sendResponse(request: FastifyRequest, reply: FastifyReply, answer: PreparedResponse): void {
  reply.hijack();
  writeResponse(request.raw, reply.raw, answer);
}

/**
 * The same on Node's own request and response. Every 200 goes out this way: Fastify's sending costs more
 * than all of our work for a known page.
 */
export function writeResponse(
  request: IncomingMessage,
  response: ServerResponse,
  answer: PreparedResponse,
): void {
  const ofRequest = requestHeaders(request);
  if (isNotModified(request, answer.etag)) {
    response.writeHead(304, [...withoutContent(answer.headers), ...ofRequest]).end();
  } else {
    endInChunks(response.writeHead(200, [...answer.headers, ...ofRequest]), answer.bytes);
    countUnread(request, response, answer.bytes.length);
  }
}

/** Responses shorter than this fit into what the system buffers for every connection. */
const SMALL_BYTES = 16 * 1024;

/** Counts the bytes that the connection has not accepted yet against the merchant's budget, until the response ends. */
function countUnread(request: IncomingMessage, response: ServerResponse, bytes: number): void {
  const { holdUnread } = contextOf(request);
  // What is sent in pieces is not all given to the connection yet.
  const isTaken = bytes <= WRITE_CHUNK_BYTES && response.writableLength === 0;
  if (holdUnread === undefined || bytes < SMALL_BYTES || isTaken) return;
  afterResponse(response, holdUnread(bytes));
}

/** Does something when a response has been sent or its connection has gone; at once, if that has happened already. */
export function afterResponse(response: ServerResponse, work: () => void): void {
  if (response.closed || response.req.socket.destroyed) work();
  else response.once('close', work);
}

function requestHeaders(request: IncomingMessage): string[] {
  const { id, rateLimitHeaders } = contextOf(request);
  return ['x-request-id', id, ...rateLimitHeaders];
}

function isNotModified({ method, headers }: IncomingMessage, etag: string): boolean {
  const conditional = headers['if-none-match'];
  return conditional !== undefined && method !== 'POST' && matches(conditional, etag);
}

/** A body that is too large for memory. */
export interface SpooledJson {
  etag: string;
  file: SpoolFile;
}

/** As `sendAnswer`, from a file. */
export function sendSpooledResponse(
  request: FastifyRequest,
  reply: FastifyReply,
  { etag, file }: SpooledJson,
  link: string | null,
): void {
  const headers = ['etag', etag, ...SUCCESS_HEADERS, ...requestHeaders(request.raw)];
  if (link !== null) headers.push('link', link);
  if (isNotModified(request.raw, etag)) {
    reply.hijack();
    reply.raw.writeHead(304, ['vary', 'Accept-Encoding', ...headers]).end();
    file.close().catch(() => {});
  } else {
    sendFile(request, reply, file, headers);
  }
}

/**
 * Sends JSON with 200 from a file, as fast as the client reads: little of it is in memory at any time. Closes the
 * file at the end, for which it does not wait: what depends on the client's speed must not take room from others.
 * A client that takes longer than ten minutes is cut off.
 */
export function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: SpoolFile,
  headers: readonly string[],
): void {
  reply.hijack();
  // Where the client has gone or was too slow, the connection is closed, and there is nobody to tell.
  writeFile(request, reply.raw, file, headers).catch(() => reply.raw.destroy());
}

async function writeFile(
  request: FastifyRequest,
  response: ServerResponse,
  file: SpoolFile,
  headers: readonly string[],
): Promise<void> {
  try {
    const encoding = negotiateEncoding(request.headers['accept-encoding']);
    // The length of a compressed body is known only at its end.
    const ofEncoding =
      encoding === 'identity' ? ['content-length', String(file.bytes)] : ['content-encoding', encoding];
    response.writeHead(200, [
      'content-type',
      JSON_TYPE,
      'vary',
      'Accept-Encoding',
      ...ofEncoding,
      ...headers,
    ]);
    if (request.method === 'HEAD') response.end();
    else await pipeInto(response, file, encoding);
  } finally {
    await file.close();
  }
}

async function pipeInto(response: ServerResponse, file: SpoolFile, encoding: Encoding): Promise<void> {
  const signal = AbortSignal.timeout(SPOOLED_RESPONSE_TIMEOUT_MS);
  if (encoding === 'identity') await pipeline(file.read(), response, { signal });
  else await pipeline(file.read(), compressor(encoding), response, { signal });
}

/**
 * Ends an answer with its body, given to the connection as fast as it is taken: Node keeps as much memory
 * for a TLS connection as it ever had to encrypt at once, for as long as the connection lasts.
 */
function endInChunks(response: ServerResponse, bytes: Buffer): void {
  if (bytes.length <= WRITE_CHUNK_BYTES) {
    response.end(bytes);
    return;
  }
  response.write(bytes.subarray(0, WRITE_CHUNK_BYTES), (error) => {
    // Where the connection has gone, nobody waits for the rest.
    if (error == null) endInChunks(response, bytes.subarray(WRITE_CHUNK_BYTES));
  });
}

function matches(conditional: string, etag: string): boolean {
  const opaque = (tag: string): string => tag.trim().replace(/^W\//, '');
  return conditional.trim() === '*' || conditional.split(',').some((tag) => opaque(tag) === opaque(etag));
}

function withoutContent(headers: string[]): string[] {
  return headers.filter((_, index) => !headers[index - (index % 2)]?.startsWith('content-'));
}

/** Sends JSON text with 200, its ETag made from its bytes. */
export async function sendJson(request: FastifyRequest, reply: FastifyReply, json: string): Promise<void> {
  const body = new RenderedJson(Buffer.from(json));
  sendResponse(request, reply, await prepareResponse(body, request.headers['accept-encoding']));
}
