import { pipeline } from 'node:stream/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { contextOf, type RequestContext } from '../request-context.ts';
import { logFailure, toDomainError } from './handle-errors.ts';
import { keepHeaders, WRITE_CHUNK_BYTES, writeHead } from './respond.ts';

/** A body that is read while it is sent. */
interface BodyInSteps {
  beginning: Buffer;
  steps: AsyncGenerator<Buffer>;
}

/**
 * Sends a body with 200 as fast as the client reads. Reads the next step once the connection has accepted the
 * one before, which counts against the merchant's budget until then. Resolves after the first step, so that a
 * slow client does not use up capacity. An error of a later step closes the connection.
 * @throws what reading the first step throws
 */
export async function sendInSteps(
  request: FastifyRequest,
  reply: FastifyReply,
  { beginning, steps }: BodyInSteps,
): Promise<void> {
  const first = await steps.next();
  keepHeaders(reply);
  reply.hijack();
  writeHead(request.raw, reply.raw, 200, []);
  if (request.method === 'HEAD') {
    reply.raw.end();
    return;
  }
  const begun = first.done === true ? [beginning] : [beginning, first.value];
  const body = async function* (): AsyncGenerator<Buffer> {
    // Taken out of the list, so that the first step is not in memory until the last one is sent.
    for (let next = begun.shift(); next !== undefined; next = begun.shift()) yield next;
    try {
      yield* steps;
    } catch (error) {
      logFailure(request, error, toDomainError(error, request.id));
      throw error;
    }
  };
  // A client that has disconnected cannot receive an error.
  pipeline(piecesOf(body(), contextOf(request.raw)), reply.raw).catch(() => reply.raw.destroy());
}

/** Counts each step as unread until the piece after its last one is wanted. */
async function* piecesOf(
  steps: AsyncIterable<Buffer>,
  { holdUnread }: Pick<RequestContext, 'holdUnread'>,
): AsyncGenerator<Buffer> {
  for await (const bytes of steps) {
    const release = holdUnread?.(bytes.length);
    try {
      for (let start = 0; start < bytes.length; start += WRITE_CHUNK_BYTES)
        yield bytes.subarray(start, start + WRITE_CHUNK_BYTES);
    } finally {
      release?.();
    }
  }
}
