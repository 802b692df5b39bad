import { errors, type HttpError } from '../http/responses/errors.ts';
import { errorBody } from '../http/responses/send-error.ts';
import { record, type Schema } from '../http/schema.ts';
import { headersOfError } from './response-headers.ts';

/** The body of every error. */
export const errorSchema: Schema = record<{ message: string }>('Error', 'The body of every error.', {
  message: {
    type: 'string',
    minLength: 1,
    description: 'What was wrong and what was expected, for people. Programs should use only the status.',
  },
});

interface ErrorResponse {
  /** The response's name in the components. */
  name: string;
  description: string;
  /** Sample errors of this status, by their names in the registry. */
  examples: Partial<Record<keyof typeof errors, HttpError>>;
}

const responses: Record<number, ErrorResponse> = {
  400: {
    name: 'BadRequest',
    description:
      'Parameters are unrecognized, missing or wrongly formatted: the message names all of them and what ' +
      'was expected. Or the request was not sent over HTTPS, or its post data cannot be read.',
    examples: {
      unrecognized_parameters: errors.unrecognized_parameters(['color', 'offset']),
      invalid_parameters: errors.invalid_parameters([
        { name: 'per_page', reason: 'expected a whole number from 1 to 1000, not "5000"' },
      ]),
      unreadable_body: errors.unreadable_body('it is not valid JSON'),
    },
  },
  401: {
    name: 'Unauthorized',
    description: 'The `access_token` is missing, unknown, revoked or expired.',
    examples: { token_missing: errors.token_missing(), token_refused: errors.token_refused() },
  },
  403: {
    name: 'Forbidden',
    description: 'The key does not have the scope that the call needs: `read`, `write` or `campaigns`.',
    examples: { scope_missing: errors.scope_missing('campaigns') },
  },
  404: {
    name: 'NotFound',
    description: 'The merchant has no object with this unique ID.',
    examples: {
      product_not_found: errors.product_not_found('VASE-9'),
      variation_not_found: errors.variation_not_found('VASE-9-XL'),
    },
  },
  409: {
    name: 'Conflict',
    description: 'The first request with this `Idempotency-Key` is still in progress.',
    examples: { idempotency_key_in_progress: errors.idempotency_key_in_progress() },
  },
  412: {
    name: 'PreconditionFailed',
    description: 'The record has changed since the `ETag` in `If-Match` was read.',
    examples: { precondition_failed: errors.precondition_failed() },
  },
  429: {
    name: 'TooManyRequests',
    description:
      'The key or the client’s address has made more requests in this minute than the operator allows, or ' +
      'the address has sent too many invalid tokens.',
    examples: {
      rate_limited: errors.rate_limited(17),
      address_limited: errors.address_limited(17),
      authentication_limited: errors.authentication_limited(17),
    },
  },
  500: {
    name: 'InternalServerError',
    description: 'A defect in the service.',
    examples: { internal: errors.internal('3f0c1a52-6a3e-4b0e-9d43-7a5f0e1d2c4b') },
  },
  503: {
    name: 'ServiceUnavailable',
    description: 'The service is overloaded, or its database is unavailable.',
    examples: { unavailable: errors.unavailable(), overloaded: errors.overloaded() },
  },
};

/** Returns the response for an error status, and its name. @throws {Error} if the status is not described */
export function errorResponse(status: number, error: Schema): { name: string; response: object } {
  const described = responses[status];
  if (described === undefined) throw new Error(`no description of status ${status}`);
  const { name, description, examples } = described;
  const all = Object.values(examples);
  const response = {
    description,
    headers: headersOfError({ retried: all.some(({ headers }) => 'retry-after' in headers) }),
    content: {
      'application/json': {
        schema: error,
        examples: Object.fromEntries(
          Object.entries(examples).map(([key, example]) => [key, { value: JSON.parse(errorBody(example)) }]),
        ),
      },
    },
  };
  return { name, response };
}
