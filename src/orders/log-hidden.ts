import type { FastifyRequest } from 'fastify';

/** Returns a function that logs why the response to a successful call hides the customer's data. */
export function hiddenLogger({ id: reqId, log }: FastifyRequest): (reason: string) => void {
  return (reason) => log.warn({ reqId, reason }, 'customer hidden');
}
