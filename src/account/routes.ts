import type { FastifyInstance } from 'fastify';
import type { Database } from '../database/database.ts';
import { type EndpointServices, registerEndpoint } from '../http/endpoint/register.ts';
import { requestErrors } from '../http/responses/request-errors.ts';
import { sendJson } from '../http/responses/respond.ts';
import { accountReference } from './account-reference.ts';
import { readAccount } from './read-account.ts';

/** `GET /account.json` (contract for writing, “Rules for all of it”). */
export function accountRoutes(
  app: FastifyInstance,
  services: EndpointServices & { database: Database; now: () => number },
): void {
  registerEndpoint(app, services, {
    method: 'GET',
    path: '/account.json',
    alias: '/account/me.json',
    parameters: {},
    statuses: [200, 304],
    reference: accountReference,
    handle: async ({ request, reply, caller }) => {
      // A session has no key that could be described.
      if (caller.key === undefined) throw requestErrors.token_missing();
      await sendJson(request, reply, JSON.stringify(await readAccount(services, caller.key)));
    },
  });
}
