import type { FastifyInstance } from 'fastify';
import { BudgetExceeded } from '../budgets/budgets.ts';
import { HttpError, type ParameterProblem } from '../http/responses/errors.ts';
import { logFailure, toHttpError } from '../http/responses/handle-errors.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { ConsoleError } from './console-api.ts';

/** What was filled into a form cannot be used: each field, and the sentence that belongs beside it. */
export function formRefused(fields: readonly ParameterProblem[]): HttpError {
  return new HttpError(400, fields.map(({ reason }) => reason).join(' '), {}, fields);
}

/** What the console says of a password that is easily guessed. */
export const COMMON_PASSWORD = 'This password is too common.';

/** Every refusal of the console that is not the API's own too. */
export const refusals = {
  session_required: () => new HttpError(401, 'You are not signed in, or your session has expired.'),
  two_factor_required: () =>
    new HttpError(
      403,
      'Your marketplace operator requires two-factor authentication: set it up to continue.',
    ),
  other_origin: () => new HttpError(403, 'The console accepts requests from its own pages only.'),
  wrong_content_type: () =>
    new HttpError(403, 'The console accepts JSON, and files as application/octet-stream.'),
  unreadable_json: () => new HttpError(400, 'The request is not a JSON object.'),
  wrong_sign_in: () => new HttpError(401, 'Incorrect email or password.'),
  too_many_attempts: (seconds: number) =>
    new HttpError(429, `Too many attempts; try again in ${seconds} s.`, { 'retry-after': String(seconds) }),
  sign_in_busy: () =>
    new HttpError(503, 'Too many people are signing in right now; try again in a few seconds.', {
      'retry-after': '10',
    }),
  registration_closed: () => new HttpError(403, 'Your marketplace operator creates accounts.'),
};

/** What every route of the console can answer with, beside its own. */
export const consoleStatuses = [400, 401, 403, 429, 500, 503] as const;

/** Answers what a route of the console throws: JSON for its own pages alone. */
export function answerConsoleErrors(app: FastifyInstance, metrics: Metrics): void {
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof BudgetExceeded) metrics.budgetExceeded(error.budget);
    const answer = toHttpError(error, request.id);
    logFailure(request, error, answer);
    const body: ConsoleError = {
      message: answer.message,
      ...(answer.problems.length > 0 && { fields: [...answer.problems] }),
    };
    return reply
      .code(answer.status)
      .headers({ ...answer.headers, 'cache-control': 'no-store' })
      .send(body);
  });
}
