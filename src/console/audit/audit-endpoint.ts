import type { FastifyInstance } from 'fastify';
import { listAudit } from '../../audit/list-audit.ts';
import type { Database } from '../../database/database.ts';
import { int32, text } from '../../http/parameters/types.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import type { AuditList } from '../console-api.ts';
import { registerConsoleEndpoint } from '../register-endpoint.ts';

const DEFAULT_LIMIT = 50;
const MAX_ID_LENGTH = 36;

export function consoleAuditEndpoint(app: FastifyInstance, database: Database): void {
  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/audit',
    parameters: { before: { type: text(MAX_ID_LENGTH) }, limit: { type: int32(1, 200) } },
    statuses: [200],
    handle: async ({ caller: { merchant }, input: { before, limit = DEFAULT_LIMIT } }) =>
      RenderedJson.of<AuditList>(await listAudit(database, merchant.id, { before, limit })),
  });
}
