import { randomUUID } from 'node:crypto';
import type { HeaderReference } from './endpoint/reference.ts';

const SANE = /^[\w.:/+=@-]{1,128}$/;

/** What the document says of the header in requests. */
export const requestIdReference: HeaderReference = {
  description: 'The caller’s id of the request, which comes back with the answer; another is replaced.',
  schema: { type: 'string', pattern: SANE.source },
  example: 'order-sync-2026-03-02-17',
};

/** The caller's own request id where it is a sane one, else a new one. */
export function requestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && SANE.test(given) ? given : randomUUID();
}
