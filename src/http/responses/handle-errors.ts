import type { FastifyInstance, FastifyRequest, FastifyServerOptions } from 'fastify';
import { isBudgetExceeded } from '../../budgets/budgets.ts';
import { DatabaseUnavailable } from '../../database/database.ts';
import { KeyFileUnusable, UndecryptableValue } from '../../encryption/key-file.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { errors } from '../../errors/errors.ts';
import type { Metrics } from '../../observability/metrics.ts';
import { QueueFull } from '../../shared/fair-queue.ts';
import { contextOf } from '../request-context.ts';
import { MAX_BODY_BYTES } from '../request-limits.ts';
import { OVERLOADED, requestErrors } from './request-errors.ts';
import { sendError } from './send-error.ts';
import { isErrorName, statusOf } from './statuses.ts';

/** Responds to whatever a hook, a parser or an endpoint throws. `forPages` words errors for the console. */
export function handleErrors(
  app: FastifyInstance,
  metrics: Metrics,
  forPages: (error: DomainError) => DomainError,
): void {
  app.setErrorHandler((error, request, reply) => {
    if (isBudgetExceeded(error)) metrics.budgetExceeded(error.budget);
    const { bodyLimit: maxBytes, file } = request.routeOptions.config.endpoint ?? {};
    const domainError = toDomainError(error, request.id, { maxBytes, receivesFile: file !== undefined });
    logFailure(request, error, domainError);
    if (!contextOf(request.raw).isConsole) return sendError(request, reply, forPrograms(domainError));
    // Too many attempts, a locked account, or a budget that renews.
    if (statusOf(domainError) === 429) metrics.limited('console');
    return sendError(request, reply, forPages(domainError));
  });
}

/** Programs need the name of each field, where a form shows the reason next to it. */
function forPrograms(error: DomainError): DomainError {
  if (isErrorName(error.code) || error.problems.length === 0) return error;
  return errors.invalid_parameters(
    error.problems.map(({ field, reason }) => ({ field, reason: reason.replace(/\.$/, '') })),
  );
}

/** Responds to errors of Fastify's router, which do not reach the error handler. */
export const frameworkErrors: NonNullable<FastifyServerOptions['frameworkErrors']> = (
  error,
  request,
  reply,
) => void sendError(request, reply, toDomainError(error, request.id));

/** Logs why a request gets a 5xx response: a 503 as a warning, and any other as an error with its stack. */
export function logFailure({ id: reqId, log, raw }: FastifyRequest, error: unknown, sent: DomainError): void {
  const status = statusOf(sent);
  // Overload can cause a flood of refusals, so they are only counted in the metrics.
  if (status < 500 || sent.code === OVERLOADED.code) return;
  if (raw.context?.simulated === 'end') return;
  const reason = error instanceof Error ? error.message : undefined;
  if (status === 503) log.warn({ reqId, reason }, 'request refused');
  else log.error({ reqId, reason, err: error }, 'request failed');
}

const MIB = 1024 * 1024;

/** A route's maximum size of post data, and whether it may be a file, which has its own limit. */
interface PostDataLimits {
  maxBytes?: number | undefined;
  receivesFile?: boolean;
}

/** Returns the error that a client learns about. */
export function toDomainError(
  error: unknown,
  requestId: string,
  { maxBytes = MAX_BODY_BYTES, receivesFile = false }: PostDataLimits = {},
): DomainError {
  if (error instanceof DomainError) return error;
  if (error instanceof QueueFull) return OVERLOADED;
  if (error instanceof DatabaseUnavailable) return requestErrors.unavailable();
  if (error instanceof KeyFileUnusable || error instanceof UndecryptableValue)
    return requestErrors.encrypted_data_unavailable();
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return requestErrors.not_found('this address');
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return requestErrors.unreadable_body(tooLarge(maxBytes, receivesFile));
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return requestErrors.unreadable_body('its length does not match Content-Length');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return requestErrors.unreadable_body('its Content-Type is not well-formed');
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EMFILE':
      // A large page needs a temporary file, and the disk, the quota or the file descriptors are used up.
      return requestErrors.unavailable();
    case 'ECONNRESET':
      // The client disconnected while it sent its post data, so this response is never received.
      return requestErrors.malformed_request();
    default:
      return requestErrors.internal(requestId);
  }
}

function tooLarge(maxBytes: number, receivesFile: boolean): string {
  const size = maxBytes < MIB ? `${maxBytes / 1024} KiB` : `${maxBytes / MIB} MiB`;
  // Some clients, such as curl, send a file as a form unless they are given its type.
  return receivesFile
    ? `a form or JSON is larger than ${size}; a file needs a type such as text/csv`
    : `it is larger than ${size}`;
}
