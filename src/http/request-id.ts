import { randomUUID } from 'node:crypto';

/** The caller's own request id where it is a sane one, else a new one. */
export function requestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && /^[\w.:/+=@-]{1,128}$/.test(given) ? given : randomUUID();
}
