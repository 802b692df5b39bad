import type { DomainError, Problem } from '../errors/domain-error.ts';
import { errorBody } from '../http/responses/send-error.ts';
import { record, type Schema } from '../http/schema.ts';
import { headersOfError } from './response-headers.ts';

const problemSchema = record<Pick<Problem, 'field' | 'reason'>>(
  'Problem',
  'What is wrong with one field of a request.',
  {
    field: { type: 'string', description: 'The name of the parameter, such as `per_page`.' },
    reason: { type: 'string', description: 'What was expected, in a few words for people.' },
  },
);

export const errorSchema: Schema = {
  ...record<{ message: string; problems: unknown }>('Error', 'The body of every error.', {
    message: {
      type: 'string',
      minLength: 1,
      description:
        'What was wrong and what was expected, for people. Programs should use the status and `Tradepost-Error`.',
    },
    problems: {
      type: 'array',
      items: problemSchema,
      description:
        'Only with the header `Tradepost-Problems: true`, and only if fields were wrong: up to 100 of them.',
    },
  }),
  required: ['message'],
};

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
