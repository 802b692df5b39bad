import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.ts';
import { int32, text } from '../../http/parameters/types.ts';
import { listFailures, listRefusedKeys } from '../../requests/list-failed-requests.ts';
import { reportUsage } from '../../requests/report-usage.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import type { FailedRequestList, RefusedKeyList, UsageReport } from '../catalog-api.ts';
import { registerConsoleEndpoint } from '../register-endpoint.ts';

const DEFAULT_LIMIT = 50;
const DEFAULT_HOURS = 24;
const MAX_HOURS = 30 * 24;
const MAX_ID_LENGTH = 40;
const MAX_TEXT_LENGTH = 200;

export function consoleRequestEndpoints(
  app: FastifyInstance,
  services: { database: Database; now: () => number },
): void {
  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/requests',
    parameters: {
      status: { type: int32(400, 599) },
      key: { type: text(MAX_ID_LENGTH) },
      path: { type: text(MAX_TEXT_LENGTH) },
      request_id: { type: text(MAX_TEXT_LENGTH) },
      before: { type: text(MAX_ID_LENGTH) },
      limit: { type: int32(1, 200) },
    },
    statuses: [200],
    handle: async ({ caller: { merchant }, input: { limit = DEFAULT_LIMIT, ...filter } }) =>
      RenderedJson.of<FailedRequestList>(await listFailures(services, merchant.id, { ...filter, limit })),
  });
  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/requests/refused-keys',
    parameters: {},
    statuses: [200],
    handle: async ({ caller: { merchant } }) =>
      RenderedJson.of<RefusedKeyList>({ keys: await listRefusedKeys(services, merchant.id) }),
  });
  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/requests/usage',
    parameters: { hours: { type: int32(1, MAX_HOURS) }, key: { type: text(MAX_ID_LENGTH) } },
    statuses: [200],
    handle: async ({ caller: { merchant }, input: { hours = DEFAULT_HOURS, key } }) =>
      RenderedJson.of<UsageReport>(await reportUsage(services, merchant.id, { hours, key })),
  });
}
