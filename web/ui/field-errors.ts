import { ServerError } from '../server/server-error.ts';
import { fieldReason } from './field-reason.ts';

/**
 * Returns the server's error for each field, keyed by the form's field names. `names` maps the server's
 * names to the form's where they differ.
 */
export function fieldErrors(error: unknown, names: Record<string, string> = {}): Record<string, string> {
  if (!(error instanceof ServerError)) return {};
  return Object.fromEntries(
    error.fields.map(({ name, reason }) => [names[name] ?? name, fieldReason(reason)]),
  );
}
