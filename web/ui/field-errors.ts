import { ServerError } from '../server/server-error.ts';
import { fieldReason } from './field-reason.ts';

/**
 * Returns the server's error for each field. A form's inputs have the names of the server's fields. `prompts`
 * say what to enter in fields that were left blank.
 */
export function fieldErrors(
  error: unknown,
  prompts: Readonly<Record<string, string>> = {},
): Record<string, string> {
  if (!(error instanceof ServerError)) return {};
  return Object.fromEntries(
    error.fields.map(({ name, reason }) => {
      const prompt = reason.startsWith('missing') ? prompts[name] : undefined;
      return [name, prompt ?? fieldReason(reason)];
    }),
  );
}
