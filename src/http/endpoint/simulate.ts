import type { BlockList } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../../errors/domain-error.ts';
import { errors } from '../../errors/errors.ts';
import { isTrustedProxy } from '../gate/client-address.ts';
import type { OverloadControl } from '../gate/overload-control.ts';
import type { RateLimits } from '../rate-limits/limits.ts';
import { contextOf } from '../request-context.ts';
import { requestErrors } from '../responses/request-errors.ts';
import type { RequestHeader } from './declaration.ts';

const MAX_DELAY_SECONDS = 30;
/** Seconds up to the maximum, which is a multiple of ten. */
const DELAY = `delay=(?:${MAX_DELAY_SECONDS}|[1-${MAX_DELAY_SECONDS / 10 - 1}]?[0-9])`;
const OUTCOME = '(?:status=(?:429|500|503)|drop)';
const HEADER = new RegExp(`^(?:${DELAY}(?:, ?${OUTCOME})?|${OUTCOME}(?:, ?${DELAY})?)$`);

export const simulateHeader: RequestHeader = {
  description:
    `With a test key only: \`delay=SECONDS\` (0 to ${MAX_DELAY_SECONDS}) waits before the call, \`status=429\`, ` +
    '`status=500` or `status=503` responds with this error, and `drop` closes the connection without a response, or ' +
    'responds with 502 behind a proxy. A comma combines a delay with one of the others. Ignored with live keys.',
  schema: { type: 'string', pattern: HEADER.source },
  example: 'delay=2,status=503',
};

export interface SimulationServices {
  overloadControl: OverloadControl;
  limits: RateLimits;
  trustedProxies: BlockList;
  /** Aborted when the service stops. */
  stopping: AbortSignal;
}

/**
 * Does what the `Tradepost-Simulate` header of a request with a test key says. Resolves to false if its
 * connection was dropped, or its client disconnected during the delay. Trusted proxies' connections are not
 * dropped, because proxies repeat such requests and exclude the instance. A delay does not count as a request
 * in progress for overload control, and ends early when the service stops.
 * @throws {DomainError} the simulated error, or `invalid_parameters` for another value
 */
export async function simulate(
  { overloadControl, limits, trustedProxies, stopping }: SimulationServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  const header = request.headers['tradepost-simulate'];
  if (header === undefined) return true;
  if (typeof header !== 'string' || !HEADER.test(header)) throw invalidHeader();
  const context = contextOf(request.raw);
  context.simulated = 'delay';
  const seconds = Number(/delay=(\d+)/.exec(header)?.[1] ?? 0);
  if (seconds > 0) await overloadControl.runOutside(() => delay(seconds, reply, stopping));
  const { socket } = request.raw;
  const isDrop = header.includes('drop');
  const [, status] = /status=(\d+)/.exec(header) ?? [];
  if (!socket.destroyed && !isDrop && status === undefined) return true;
  context.simulated = 'end';
  const isGone = socket.destroyed || (isDrop && !isTrustedProxy(socket.remoteAddress, trustedProxies));
  if (!isGone) throw isDrop ? proxyError() : simulatedError(status, request, limits);
  reply.hijack();
  socket.destroy();
  return false;
}

async function delay(seconds: number, { raw }: FastifyReply, stopping: AbortSignal): Promise<void> {
  const disconnected = new AbortController();
  const abort = (): void => disconnected.abort();
  raw.once('close', abort);
  try {
    await pause(seconds * 1000, undefined, { signal: AbortSignal.any([disconnected.signal, stopping]) });
  } catch {
    // The client has disconnected, or the service stops.
  } finally {
    raw.off('close', abort);
  }
}

/** Returns the response of a proxy whose connection to the service was closed. It is no error of the API. */
function proxyError(): DomainError {
  const message = 'The connection was closed without a response, as Tradepost-Simulate asked.';
  return new DomainError('connection_lost', { message });
}

function simulatedError(
  status: string | undefined,
  request: FastifyRequest,
  limits: RateLimits,
): DomainError {
  if (status === '500') return requestErrors.internal(request.id);
  if (status === '503') return requestErrors.unavailable();
  const context = contextOf(request.raw);
  const { seconds, headers } = limits.byKey.whenReached(context.caller?.requestLimit);
  context.rateLimitHeaders = headers;
  return requestErrors.rate_limited(seconds);
}

function invalidHeader(): DomainError {
  const reason =
    `expected delay=SECONDS (a whole number from 0 to ${MAX_DELAY_SECONDS}), status=429, status=500, status=503 or ` +
    'drop, or a delay and one of the others, separated by a comma';
  return errors.invalid_parameters([{ field: 'Tradepost-Simulate', reason }]);
}
