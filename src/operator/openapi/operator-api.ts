import { errors } from '../../errors/errors.ts';
import { eventTypes } from '../../events/event-types.ts';
import { problemsHeader, requestIdHeader } from '../../http/request-context.ts';
import { requestErrors } from '../../http/responses/request-errors.ts';
import type { ApiDescription } from '../../openapi/api-description.ts';
import type { ErrorResponses } from '../../openapi/error-responses.ts';
import { eventSchemas } from '../../openapi/events/event-schema.ts';
import { OPERATOR_BASE_PATH, OPERATOR_DOCUMENT_PATH } from '../path.ts';

const description = `Connects the marketplace’s own back end: creates merchants and their keys, writes catalogs and schedules with the operator’s authority, moderates products and changes the states of campaigns. HTTPS only.

- **Tokens** of operator keys are sent in the \`Authorization\` header alone.
- **Parameters** of PUT and POST are members of a JSON object, all others are in the query. Unknown names are rejected.
- **Paths** name a merchant by \`external_id\`, the operator’s own ID of it. \`HEAD\` works wherever \`GET\` does.
- **Errors** explain in \`message\` what was wrong. Programs should use the status, and the name of the error in the header \`Tradepost-Error\`. With the header \`Tradepost-Problems: true\`, \`problems\` says what is wrong with each field.`;

const operatorErrors: ErrorResponses = {
  400: {
    name: 'BadRequest',
    description:
      'Parameters are unrecognized, missing or wrongly formatted: the message names all of them and what was ' +
      'expected. Or the request was not sent over HTTPS, or its post data cannot be read.',
    examples: [
      requestErrors.unrecognized_parameters(['color']),
      errors.invalid_parameters([
        { field: 'limit', reason: 'expected a whole number from 1 to 1000, not "5000"' },
      ]),
      requestErrors.unreadable_body('it is not valid JSON'),
    ],
  },
  401: {
    name: 'Unauthorized',
    description: 'The token is missing, unknown, revoked or expired, or it belongs to another kind of key.',
    examples: [requestErrors.operator_token_missing(), requestErrors.token_refused()],
  },
  403: {
    name: 'Forbidden',
    description: 'The key does not have the scope that the call needs.',
    examples: [requestErrors.scope_missing('catalog')],
  },
  404: {
    name: 'NotFound',
    description: 'There is no merchant with this external ID, or the merchant has no such object.',
    examples: [
      errors.merchant_not_found('seller-4711'),
      errors.campaign_not_found('01979f3e-6b1c-7d0a-9f57-2c8e4d1b7a90'),
      errors.product_not_found('VASE-9'),
      errors.key_not_found('12-3'),
      errors.user_not_found('ada@alpine-vases.example'),
      errors.webhook_not_found('we_5b0e8d8f3a1c42d7e9'),
      errors.event_not_found('evt_064c1b0a1d0f35b7a1c42d7e93f0d8'),
    ],
  },
  408: {
    name: 'RequestTimeout',
    description: 'Nothing has arrived of a stream for 30 seconds.',
    examples: [errors.request_timeout()],
  },
  409: {
    name: 'Conflict',
    description:
      'The first request with this `Idempotency-Key` is still in progress. Or the merchant is suspended, or has as many ' +
      'users as its budget allows. Or the webhook is disabled, or you have reached the limit of 20 webhooks. Or another ' +
      'backup is in progress, or a backup cannot be made.',
    examples: [
      errors.idempotency_key_in_progress(),
      errors.webhook_disabled('we_5b0e8d8f3a1c42d7e9'),
      errors.replay_in_progress('we_5b0e8d8f3a1c42d7e9'),
      errors.too_many_webhooks(20),
      errors.merchant_suspended(),
      errors.backup_in_progress(),
    ],
  },
  410: {
    name: 'Gone',
    description:
      'The cursor is from before the database was restored from a backup, or events after it are no longer kept.',
    examples: [errors.events_expired(), errors.cursor_expired()],
  },
  429: {
    name: 'TooManyRequests',
    description:
      'The key or the client’s address has made more requests in this minute than the settings allow, or the address ' +
      'has sent too many invalid tokens.',
    examples: [
      requestErrors.rate_limited(17),
      requestErrors.address_limited(17),
      requestErrors.authentication_limited(17),
    ],
  },
  500: {
    name: 'InternalServerError',
    description: 'A defect in the service.',
    examples: [requestErrors.internal('3f0c1a52-6a3e-4b0e-9d43-7a5f0e1d2c4b')],
  },
  503: {
    name: 'ServiceUnavailable',
    description: 'The service is overloaded, or its database is unavailable.',
    examples: [requestErrors.unavailable(), requestErrors.overloaded(), errors.too_many_streams()],
  },
};

export const operatorEvents = eventSchemas(eventTypes, 'operator');

export const operatorApi: ApiDescription = {
  title: 'Tradepost operator API',
  description,
  documentPath: OPERATOR_DOCUMENT_PATH,
  basePath: OPERATOR_BASE_PATH,
  securitySchemes: [
    {
      name: 'bearer',
      scheme: { type: 'http', scheme: 'bearer', description: 'The token of an operator key.' },
    },
  ],
  headers: { 'X-Request-Id': requestIdHeader, 'Tradepost-Problems': problemsHeader },
  errors: operatorErrors,
  events: operatorEvents,
  parameterPlaces: 'json',
};
