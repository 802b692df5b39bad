import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify';
import { BudgetExceeded } from '../../budgets/budgets.ts';
import type { Config } from '../../config.ts';
import { consoleHeaders, isConsoleTarget, isForConsole, protectConsole } from '../../console/headers.ts';
import { DatabaseUnavailable } from '../../database/database.ts';
import type { Metrics } from '../../observability/metrics.ts';
import { QueueFull } from '../../shared/fair-queue.ts';
import { MOST_HEADER_BYTES, MOST_URL_LENGTH } from '../bounds.ts';
import { destroyAfter } from '../connections/destroy-after.ts';
import { isPatient } from '../connections/patience.ts';
import { afterPendingResponses, hasEarlyResponse } from '../connections/pending-responses.ts';
import { arrivedByHttps } from '../gate/https.ts';
import { OVERLOADED } from '../gate/overload-control.ts';
import { BODY_LIMIT } from '../parameters/body.ts';
import { contextOf } from '../request-context.ts';
import { errors, HttpError } from './errors.ts';
import { crossOriginHeaders, JSON_TYPE, RenderedJson } from './respond.ts';

const ownErrorHeaders = { 'content-type': JSON_TYPE, 'cache-control': 'no-cache' };
/** On every error of the API (specification, part 7). */
export const errorHeaders = { ...ownErrorHeaders, ...crossOriginHeaders };

/** Other origins cannot read the errors of the console. */
function headersFor(isConsole: boolean): Record<string, string> {
  return isConsole ? ownErrorHeaders : errorHeaders;
}

/** The body of every error. */
export function errorBody(error: HttpError): string {
  return JSON.stringify({ message: error.message });
}

/** Answers whatever a hook, a parser or an endpoint throws; only what nobody expected is logged as an error. */
export function handleErrors(app: FastifyInstance, metrics: Metrics): void {
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof BudgetExceeded) metrics.budgetExceeded(error.budget);
    const answer = toHttpError(error, request.id);
    logFailure(request, error, answer);
    return sendError(request, reply, answer);
  });
}

/** Logs why a request is answered with a 5xx: what is unexpected as an error, with its stack. */
export function logFailure({ id: reqId, log }: FastifyRequest, error: unknown, answer: HttpError): void {
  // There are many of these, and they are counted.
  if (answer.status < 500 || answer === OVERLOADED) return;
  const reason = error instanceof Error ? error.message : undefined;
  if (answer.status === 503) log.warn({ reqId, reason }, 'request turned away');
  else log.error({ reqId, reason, err: error }, 'request failed');
}

/** The same for what goes wrong before a request has a route. */
export function earlyErrorOptions({ trustedProxies }: Pick<Config, 'trustedProxies'>) {
  return {
    frameworkErrors: (error, request, reply) => {
      // No hook sees these requests: the first refusal of all has to be made here too.
      const isHttps = arrivedByHttps(request, trustedProxies);
      if (isHttps && isForConsole(request)) protectConsole(reply.raw);
      void sendError(request, reply, isHttps ? toHttpError(error, request.id) : errors.https_required());
    },
    clientErrorHandler: (error, socket) => {
      if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isPatient(socket)) return;
      respondToUnreadable(error, socket);
    },
  } satisfies FastifyServerOptions;
}

/** Sends an error with the headers that all errors carry. */
export async function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  error: HttpError,
): Promise<void> {
  reply.hijack();
  const { encoding, bytes } = await new RenderedJson(Buffer.from(errorBody(error))).formFor(
    request.headers['accept-encoding'],
  );
  const compressed = encoding === 'identity' ? {} : { 'content-encoding': encoding, vary: 'Accept-Encoding' };
  reply.raw.writeHead(error.status, [
    ...Object.entries({ ...headersFor(isForConsole(request)), ...compressed, ...error.headers }).flat(),
    ...['content-length', String(bytes.length), 'x-request-id', request.id],
    ...contextOf(request.raw).rateLimitHeaders,
  ]);
  reply.raw.end(bytes);
}

/** The same on Node's own request, which came by HTTPS, and response, as cheaply as it goes. */
export function sendErrorRaw(request: IncomingMessage, response: ServerResponse, error: HttpError): void {
  const { id, rateLimitHeaders } = contextOf(request);
  const isConsole = isConsoleTarget(request.url);
  if (isConsole) protectConsole(response);
  const body = errorBody(error);
  response.writeHead(error.status, [
    ...Object.entries({ ...headersFor(isConsole), ...error.headers }).flat(),
    ...['content-length', String(Buffer.byteLength(body)), 'x-request-id', id],
    ...rateLimitHeaders,
  ]);
  response.end(body);
}

/** What to answer to whatever was thrown. */
export function toHttpError(error: unknown, requestId: string): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof BudgetExceeded) return errors.budget_exceeded(error);
  if (error instanceof QueueFull) return OVERLOADED;
  if (error instanceof DatabaseUnavailable) return errors.unavailable();
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return errors.not_found('this address');
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return errors.unreadable_body(`it is larger than ${BODY_LIMIT / 1024} KiB`);
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return errors.unreadable_body('its length is not what Content-Length says');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return errors.unreadable_body('its Content-Type is not well-formed');
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EMFILE':
      // A large page needs a temporary file, for which there is no room now.
      return errors.unavailable();
    case 'ECONNRESET':
      // The caller has gone in the middle of its post data: nobody reads this.
      return errors.malformed_request();
    default:
      return errors.internal(requestId);
  }
}

/** Connections that got their last answer. */
const answered = new WeakSet<Duplex>();
/** How long a connection has to take an answer that ends it. */
const LAST_ANSWER_MS = 2_000;

/** What Node's HTTP parser gave up on. */
export interface Unreadable {
  code?: string;
  /** The bytes that it was reading then. */
  rawPacket?: unknown;
}

function beginningOf({ rawPacket }: Unreadable): string {
  return Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1', 0, MOST_HEADER_BYTES) : '';
}

function toReadError(unreadable: Unreadable): HttpError {
  if (unreadable.code === 'ERR_HTTP_REQUEST_TIMEOUT') return errors.request_timeout();
  if (unreadable.code !== 'HPE_HEADER_OVERFLOW') return errors.malformed_request();
  // Where the first line began in these bytes and has no end before the bound, it is the address that is so long.
  return /^[A-Z]+ [^\n]*$/.test(beginningOf(unreadable))
    ? errors.url_too_long(MOST_URL_LENGTH)
    : errors.headers_too_large();
}

/** Whether the bytes begin with a request to the console, as far as they can be read. */
function isUnreadableConsole(unreadable: Unreadable): boolean {
  const [, target] = /^[A-Z]+ (\S+)/.exec(beginningOf(unreadable)) ?? [];
  return target !== undefined && isConsoleTarget(target);
}

/** Answers what Node's HTTP parser gave up on, where the connection still takes an answer. */
export function respondToUnreadable(unreadable: Unreadable, socket: Duplex): void {
  const { code } = unreadable;
  // What comes after cannot be read either; to close the connection for it would take the answer back.
  if (answered.has(socket)) return;
  if (code === 'ECONNRESET' || code === 'ERR_TLS_HANDSHAKE_TIMEOUT' || !socket.writable) {
    socket.destroy();
    return;
  }
  answered.add(socket);
  // What follows a request that was to be the last is nobody's, and the connection ends by itself.
  if (code === 'HPE_CLOSED_CONNECTION') return;
  const hasAnswer = hasEarlyResponse(socket);
  afterPendingResponses(socket, () => {
    if (hasAnswer) socket.end();
    else answerLast(unreadable, socket);
    // One that does not take its last answer, as in the middle of its handshake, is not kept for it.
    destroyAfter(LAST_ANSWER_MS, socket);
  });
}

function answerLast(unreadable: Unreadable, socket: Duplex): void {
  if (!socket.writable) return;
  const error = toReadError(unreadable);
  const body = errorBody(error);
  const headers = {
    ...(isUnreadableConsole(unreadable) ? { ...ownErrorHeaders, ...consoleHeaders } : errorHeaders),
    'content-length': Buffer.byteLength(body),
    'x-request-id': randomUUID(),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${error.status} Error\r\n${lines.join('')}\r\n${body}`);
}
