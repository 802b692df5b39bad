import { type OpenApi, type Operation, type Response, resolve } from './open-api.ts';

/** Returns the errors that calls can have, by status. */
export function errorsOf(document: OpenApi, operations: readonly Operation[]): [string, Response][] {
  const found = new Map<string, Response>();
  for (const { responses } of operations)
    for (const [status, response] of Object.entries(responses))
      if (/^[45]/.test(status)) found.set(status, resolve(document, response));
  return [...found].sort(([one], [other]) => Number(one) - Number(other));
}
