import { ServerError } from '../server/server-error.ts';
import { fieldReason } from './field-reason.ts';

/** Returns the server's error for each field. A form's inputs have the names of the server's fields. */
export function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof ServerError)) return {};
  return Object.fromEntries(error.fields.map(({ name, reason }) => [name, fieldReason(reason)]));
}
