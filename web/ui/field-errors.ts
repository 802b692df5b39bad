import { ServerError } from '../server/server-error.ts';

/**
 * Returns the server's error for each field, keyed by the form's field names. `names` maps the server's
 * names to the form's where they differ.
 */
export function fieldErrors(error: unknown, names: Record<string, string> = {}): Record<string, string> {
  if (!(error instanceof ServerError)) return {};
  return Object.fromEntries(
    error.fields.map(({ name, reason }) => [names[name] ?? name, capitalize(reason)]),
  );
}

function capitalize(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
