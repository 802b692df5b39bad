import { ServerError } from '../server/server-error.ts';

/**
 * What the server says of each field, by the form's names. `names` has those that differ from the
 * server's.
 */
export function fieldErrors(error: unknown, names: Record<string, string> = {}): Record<string, string> {
  if (!(error instanceof ServerError)) return {};
  return Object.fromEntries(
    error.fields.map(({ name, reason }) => [names[name] ?? name, capitalized(reason)]),
  );
}

function capitalized(reason: string): string {
  return `${reason.slice(0, 1).toUpperCase()}${reason.slice(1)}`;
}
