import type { FastifyInstance } from 'fastify';
import { BudgetExceeded } from '../budgets/budgets.ts';
import { HttpError, type ParameterProblem } from '../http/responses/errors.ts';
import { logFailure, toHttpError } from '../http/responses/handle-errors.ts';
import { MerchantSuspended } from '../merchants/suspension.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { ConsoleError } from './console-api.ts';
import type { Role } from './users/role.ts';

/** Returns the error for invalid form fields; each reason is shown next to its field. */
export function formError(fields: readonly ParameterProblem[]): HttpError {
  return new HttpError(400, fields.map(({ reason }) => reason).join(' '), {}, fields);
}

/** The message for a password that is easy to guess. */
export const COMMON_PASSWORD = 'This password is too common.';

/** Errors of the console that the API does not have. */
export const consoleErrors = {
  session_required: () => new HttpError(401, 'You aren’t signed in, or your session has expired.'),
  merchant_suspended: () => new HttpError(403, new MerchantSuspended().message),
  two_factor_required: (by: 'operator' | 'owner') =>
    new HttpError(
      403,
      `${by === 'operator' ? 'Your marketplace operator' : 'An owner of your shop'} requires two-factor authentication. Set it up to continue.`,
    ),
  role_required: (least: Role, role: Role) =>
    new HttpError(
      403,
      `Only ${least === 'owner' ? 'owners' : 'owners and editors'} can do this. You are ${role === 'viewer' ? 'a viewer' : 'an editor'}.`,
    ),
  other_origin: () => new HttpError(403, 'The console accepts requests from its own pages only.'),
  wrong_content_type: () =>
    new HttpError(403, 'The console accepts JSON, and files as application/octet-stream.'),
  unreadable_json: () => new HttpError(400, 'The request isn’t a JSON object.'),
  wrong_sign_in: () => new HttpError(401, 'Incorrect email or password.'),
  too_many_attempts: (seconds: number) =>
    new HttpError(429, `Too many attempts. Try again in ${seconds} s.`, { 'retry-after': String(seconds) }),
  sign_in_busy: () =>
    new HttpError(503, 'Too many people are signing in right now. Try again in a few seconds.', {
      'retry-after': '10',
    }),
  no_mail: () => new HttpError(403, 'Ask your marketplace operator for a new link to set a password.'),
  no_registration_mail: () =>
    new HttpError(403, 'This console sends no email, so registration needs no link.'),
  registration_closed: () => new HttpError(403, 'Only your marketplace operator can create accounts.'),
};

/** The statuses that every route of /console/api can return in addition to its own. */
export const consoleStatuses = [400, 401, 403, 429, 500, 503] as const;

/** Sends errors as JSON for the console's pages. */
export function handleConsoleErrors(app: FastifyInstance, metrics: Metrics): void {
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof BudgetExceeded) metrics.budgetExceeded(error.budget);
    const httpError = toHttpError(error, request.id);
    logFailure(request, error, httpError);
    const body: ConsoleError = {
      message: httpError.message,
      ...(httpError.problems.length > 0 && { fields: [...httpError.problems] }),
    };
    return reply
      .code(httpError.status)
      .headers({ ...httpError.headers, 'cache-control': 'no-store', 'x-request-id': request.id })
      .send(body);
  });
}
