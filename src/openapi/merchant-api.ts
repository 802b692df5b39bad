import { scopes } from '../api-keys/scopes.ts';
import { errors } from '../errors/errors.ts';
import { eventTypes, isForMerchants } from '../events/event-types.ts';
import { simulateHeader } from '../http/endpoint/simulate.ts';
import { problemsHeader, requestIdHeader } from '../http/request-context.ts';
import { requestErrors } from '../http/responses/request-errors.ts';
import type { ApiDescription } from './api-description.ts';
import type { ErrorResponses } from './error-responses.ts';
import { eventSchemas } from './events/event-schema.ts';

const description = `Lists and changes products and campaigns, reads monthly sales and retrieves variations of the merchant that the access token belongs to. HTTPS only.

- **Parameters** are read from the query and from post data: a form, a JSON object of plain values, or multipart fields. GET accepts post data too, which OpenAPI cannot express. A blank value counts as missing. Unknown parameter names are rejected.
- **Paths** also work without \`.json\`. \`HEAD\` works wherever \`GET\` does.
- **Records** always have all fields, in the documented order; missing values are null. Times are RFC 3339 in UTC, and amounts are in the currency's major unit, for example dollars.
- **Figures**: a field with \`x-figure\` is computed from lines. \`GET explain\` with this name returns how, and where the lines are.
- **Errors** explain in \`message\` what was wrong. Programs should use the status, and the name of the error in the header \`Tradepost-Error\`. With the header \`Tradepost-Problems: true\`, \`problems\` says what is wrong with each field.`;

const onlyQuantities = errors.only_quantities(
  ['retail_price'],
  ['identifier', 'internal_id', 'available_quantity', 'variations[SKU][quantity]'],
);

const merchantErrors: ErrorResponses = {
  400: {
    name: 'BadRequest',
    description:
      'Parameters are unrecognized, missing or wrongly formatted: the message names all of them and what ' +
      'was expected. Or the request was not sent over HTTPS, or its post data cannot be read. Or a conflict (409), if ' +
      'the token is in the query or in post data.',
    examples: [
      requestErrors.unrecognized_parameters(['color', 'offset']),
      errors.invalid_parameters([
        { field: 'per_page', reason: 'expected a whole number from 1 to 1000, not "5000"' },
      ]),
      requestErrors.unreadable_body('it is not valid JSON'),
      errors.import_in_progress(),
    ],
  },
  401: {
    name: 'Unauthorized',
    description:
      'The `access_token` is missing, unknown, revoked or expired. Or it is in the query or in post data, and its key ' +
      'does not have the scope that the call needs, may change only quantities, or is not a test key.',
    examples: [
      requestErrors.token_missing(),
      requestErrors.token_refused(),
      requestErrors.scope_missing('campaigns'),
      onlyQuantities,
    ],
  },
  403: {
    name: 'Forbidden',
    description:
      `The key does not have the scope that the call needs: ${scopes.map((scope) => `\`${scope}\``).join(', ')}. Or it ` +
      'has `stock` without `write`, and the call would change more than quantities. Or the call is only for test keys. ' +
      'The status is 401 if the token is in the query or in post data.',
    examples: [requestErrors.scope_missing('campaigns'), onlyQuantities, errors.test_key_required()],
  },
  404: {
    name: 'NotFound',
    description: 'The merchant has no object with this unique ID.',
    examples: [
      errors.product_not_found('VASE-9'),
      errors.variation_not_found('VASE-9-XL'),
      errors.campaign_not_found('01979f3e-6b1c-7d0a-9f57-2c8e4d1b7a90'),
      errors.import_not_found('0198a2b4-7c1e-7f00-9d3a-5b6c7d8e9f00'),
      errors.webhook_not_found('we_5b0e8d8f3a1c42d7e9'),
      errors.event_not_found('evt_064c1b0a1d0f35b7a1c42d7e93f0d8'),
    ],
  },
  409: {
    name: 'Conflict',
    description:
      'The first request with this `Idempotency-Key` is still in progress, or another file of the merchant is. Or ' +
      'another reset of the test side replaces this one. Or the webhook is disabled, or you have reached the limit of 20 ' +
      'webhooks. The status is 400 if the token is in the query or in post data.',
    examples: [
      errors.idempotency_key_in_progress(),
      errors.reset_superseded(),
      errors.import_in_progress(),
      errors.webhook_disabled('we_5b0e8d8f3a1c42d7e9'),
      errors.replay_in_progress('we_5b0e8d8f3a1c42d7e9'),
      errors.test_delivery_in_progress(),
      errors.too_many_webhooks(20),
    ],
  },
  413: {
    name: 'ContentTooLarge',
    description: 'The file is larger than the operator allows.',
    examples: [errors.file_too_large(512)],
  },
  410: {
    name: 'Gone',
    description:
      'The cursor is from before the database was restored from a backup, or events after it are no longer kept.',
    examples: [errors.cursor_expired(), errors.events_expired()],
  },
  412: {
    name: 'PreconditionFailed',
    description: 'The record has changed since the `ETag` in `If-Match` was read.',
    examples: [errors.precondition_failed()],
  },
  429: {
    name: 'TooManyRequests',
    description:
      'The key or the client’s address has made more requests in this minute than the operator allows, or ' +
      'the address has sent too many invalid tokens.',
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
    examples: [requestErrors.unavailable(), requestErrors.overloaded()],
  },
};

export const merchantEvents = eventSchemas(eventTypes.filter(isForMerchants), 'merchants');

export function merchantApi(basePath: string): ApiDescription {
  return {
    title: 'Tradepost merchant API',
    description,
    documentPath: '/openapi.json',
    basePath,
    securitySchemes: [
      {
        name: 'bearer',
        scheme: { type: 'http', scheme: 'bearer', description: 'The token in the `Authorization` header.' },
      },
      {
        name: 'access_token',
        scheme: {
          type: 'apiKey',
          in: 'query',
          name: 'access_token',
          description:
            'The token of an API key, which identifies the merchant. It may be in the post data instead.',
        },
      },
    ],
    headers: {
      'X-ERP-Name': {
        description: 'The company that makes the calling software. Shown next to the key.',
        schema: { type: 'string' },
        example: 'Northwind ERP',
      },
      'X-Request-Id': requestIdHeader,
      'Tradepost-Problems': problemsHeader,
      'Tradepost-Simulate': simulateHeader,
    },
    errors: merchantErrors,
    events: merchantEvents,
    parameterPlaces: 'anywhere',
  };
}
