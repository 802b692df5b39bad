import { ServerError } from '../server/server-error.ts';

/** Returns the server's error for each field. A form's inputs have the names of the server's fields. */
export function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof ServerError)) return {};
  return Object.fromEntries(error.fields.map(({ name, reason }) => [name, capitalize(reason)]));
}

function capitalize(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
