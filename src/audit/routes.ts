import type { FastifyInstance } from 'fastify';
import type { AuditList } from '../console/console-api.ts';
import { json, registerConsoleEndpoint } from '../console/endpoint.ts';
import type { Database } from '../database/database.ts';
import { int32, text } from '../http/parameter-types.ts';
import { listAudit } from './list-audit.ts';

const DEFAULT_LIMIT = 50;
const LONGEST_ID = 36;

/** `GET /audit`: who did what and when. */
export function auditRoutes(app: FastifyInstance, database: Database): void {
  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/audit',
    parameters: { before: { type: text(LONGEST_ID) }, limit: { type: int32(1, 200) } },
    statuses: [200],
    handle: async ({ session: { merchant }, input: { before, limit = DEFAULT_LIMIT } }) =>
      json<AuditList>(await listAudit(database, merchant.id, { before, limit })),
  });
}
