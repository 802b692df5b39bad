import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { beginning, MAX_PROBLEMS } from '../../errors/describe-problems.ts';
import type { DomainError } from '../../errors/domain-error.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import { contextOf, type RequestContext, wantsProblems } from '../request-context.ts';
import { encodeFor } from './negotiate-encoding.ts';
import { crossOriginHeaders, JSON_TYPE, writeHead } from './respond.ts';
import { isErrorName, statusOf } from './statuses.ts';

/** Errors of the console have these headers and their name, and none that let other origins read them. */
export const commonErrorHeaders = { 'content-type': JSON_TYPE, 'cache-control': 'no-cache' };
/** The headers of every error of the API (specification, part 7), which other origins may read. */
const apiErrorHeaders = { ...commonErrorHeaders, ...crossOriginHeaders };

/** The page that describes every error. All servers of the API have it. */
export const ERRORS_PATH = '/errors';

/**
 * Statuses that clients of the original API take for success, and what they get instead. Such clients send
 * the token as a parameter; clients that send it in the `Authorization` header get the statuses themselves.
 */
const originalStatuses: ReadonlyMap<number, number> = new Map([
  [403, 401],
  [409, 400],
]);

/** Returns the status with which an error is sent, which depends on where the token of the request was. */
function statusToSend(error: DomainError, { tokenPlace }: Pick<RequestContext, 'tokenPlace'>): number {
  const status = statusOf(error);
  return tokenPlace === 'parameters' ? (originalStatuses.get(status) ?? status) : status;
}

/** The headers of an error of the API: the common headers, its name, and a link to its description. */
export function errorHeaders({ code }: DomainError): Record<string, string> {
  if (!isErrorName(code)) return apiErrorHeaders;
  return {
    ...apiErrorHeaders,
    'tradepost-error': code,
    link: `<${ERRORS_PATH}#${code}>; rel="help"`,
  };
}

/** Returns the headers that tell a client when to try again. */
export function retryHeaders({ retryAfterSeconds }: DomainError): Record<string, string> {
  return retryAfterSeconds === null ? {} : { 'retry-after': String(retryAfterSeconds) };
}

/** What an error's body has next to the message: the name and the reason of each field that is wrong. */
type Details = 'none' | 'problems' | 'console fields';

/** Clients of the original API get nothing but the message. Forms show what is wrong next to each field. */
function detailsFor({ raw }: FastifyRequest): Details {
  if (contextOf(raw).isConsole) return 'console fields';
  return wantsProblems(raw) ? 'problems' : 'none';
}

/** Returns the body of an error response. */
export function errorBody({ message, problems }: DomainError, details: Details = 'none'): string {
  if (details === 'none' || problems.length === 0) return JSON.stringify({ message });
  if (details === 'console fields')
    return JSON.stringify({ message, fields: problems.map(({ field: name, reason }) => ({ name, reason })) });
  const described = problems
    .slice(0, MAX_PROBLEMS)
    .map(({ field, reason }) => ({ field: beginning(field), reason }));
  return JSON.stringify({ message, problems: described });
}

export async function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  error: DomainError,
): Promise<void> {
  reply.hijack();
  const body = new RenderedJson(Buffer.from(errorBody(error, detailsFor(request))));
  const { encoding, bytes } = await encodeFor(body, request.headers['accept-encoding']);
  const encodingHeaders =
    encoding === 'identity' ? {} : { 'content-encoding': encoding, vary: 'Accept-Encoding' };
  write(request.raw, reply.raw, error, bytes, encodingHeaders);
}

/** Sends an error on Node's own response, as cheaply as possible. */
export function refuse(request: IncomingMessage, response: ServerResponse, error: DomainError): void {
  write(request, response, error, Buffer.from(errorBody(error)));
}

function write(
  request: IncomingMessage,
  response: ServerResponse,
  error: DomainError,
  body: Buffer,
  encodingHeaders: Record<string, string> = {},
): void {
  const context = contextOf(request);
  context.error = error;
  const common = context.isConsole
    ? { ...commonErrorHeaders, 'console-error': error.code }
    : errorHeaders(error);
  const all = {
    ...common,
    ...encodingHeaders,
    ...retryHeaders(error),
    'content-length': String(body.length),
  };
  writeHead(request, response, statusToSend(error, context), Object.entries(all).flat()).end(body);
}
