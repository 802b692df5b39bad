import type { DomainError } from '../errors/domain-error.ts';
import { errorBody } from '../http/responses/send-error.ts';
import { record, type Schema } from '../http/schema.ts';
import { headersOfError } from './response-headers.ts';

export const errorSchema: Schema = record<{ message: string }>('Error', 'The body of every error.', {
  message: {
    type: 'string',
    minLength: 1,
    description:
      'What was wrong and what was expected, for people. Programs should use the status and `Tradepost-Error`.',
  },
});

interface ErrorResponse {
  /** The response's name in the components. */
  name: string;
  description: string;
  /** Sample errors of this status. */
  examples: readonly DomainError[];
}

/** Responses by status. */
export type ErrorResponses = Readonly<Record<number, ErrorResponse>>;

/** @throws {Error} if the status is not described */
export function errorResponse(
  responses: ErrorResponses,
  status: number,
  error: Schema,
): { name: string; response: object } {
  const described = responses[status];
  if (described === undefined) throw new Error(`no description of status ${status}`);
  const { name, description, examples } = described;
  const retried = examples.filter(({ retryAfterSeconds }) => retryAfterSeconds !== null).length;
  const response = {
    description,
    headers: headersOfError(retried === 0 ? 'never' : retried === examples.length ? 'always' : 'sometimes'),
    content: {
      'application/json': {
        schema: error,
        examples: Object.fromEntries(
          examples.map((example) => [example.code, { value: JSON.parse(errorBody(example)) }]),
        ),
      },
    },
  };
  return { name, response };
}
