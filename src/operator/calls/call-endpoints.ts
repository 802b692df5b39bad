import type { FastifyInstance } from 'fastify';
import { OPERATOR_ID } from '../../database/sides.ts';
import {
  DEFAULT_LIMIT,
  limitParameter,
  MAX_LIMIT,
  pageParameters,
  readPage,
} from '../../http/parameters/page.ts';
import { int32, text } from '../../http/parameters/types.ts';
import { sendJson } from '../../http/responses/respond.ts';
import { nameMerchants } from '../../merchants/name-merchants.ts';
import { groupFailures } from '../../requests/group-failures.ts';
import { listFailures } from '../../requests/list-failed-requests.ts';
import { formatTime } from '../../shared/timestamps.ts';
import { type OperatorEndpointServices, registerOperatorEndpoint } from '../endpoint/register.ts';
import type { OperatorWriteServices } from '../endpoint/register-write.ts';
import { merchantInPath, requireMerchant } from '../merchants/merchant-parameters.ts';
import { callsTag } from '../tags.ts';
import {
  type CallGroupList,
  callGroupsSuccess,
  type FailedCallPage,
  failedCallsSuccess,
} from './call-schema.ts';

const HOUR_MS = 60 * 60 * 1000;
/** The log goes no further back. */
const MAX_HOURS = 7 * 24;
const DEFAULT_HOURS = 24;
const DEFAULT_AFFECTED = 5;
const MAX_ID_LENGTH = 40;
const MAX_TEXT_LENGTH = 200;

const causeParameters = {
  status: { type: int32(400, 599), description: 'Only calls with this status.', example: 400 },
  error: {
    type: text(MAX_ID_LENGTH),
    description: 'Only calls with this error.',
    example: 'invalid_parameters',
  },
  method: { type: text(MAX_ID_LENGTH), description: 'Only calls with this method.', example: 'POST' },
  path: {
    type: text(MAX_TEXT_LENGTH),
    description: 'Only calls with this path.',
    example: '/v1/products/batch',
  },
} as const;

/** The failed calls of all merchants by cause, and the log of one merchant. */
export function callEndpoints(
  app: FastifyInstance,
  services: OperatorEndpointServices & Pick<OperatorWriteServices, 'database' | 'now'>,
): void {
  const { database, now } = services;
  registerOperatorEndpoint(app, services, {
    method: 'GET',
    path: '/calls',
    name: 'listFailedCalls',
    tag: callsTag,
    summary: 'List why calls of merchants fail',
    description:
      'Groups the failed calls of all merchants by cause and endpoint, with the causes that affect the most merchants ' +
      'first. The log has the newest 1,000 failed calls of each merchant, of which the newest 10,000 of all merchants are counted.',
    scope: 'merchants',
    pathParameters: {},
    parameters: {
      hours: {
        type: int32(1, MAX_HOURS),
        description: 'How far back calls are counted.',
        default: DEFAULT_HOURS,
      },
      ...causeParameters,
      limit: limitParameter('groups'),
      affected: {
        type: int32(1, MAX_LIMIT),
        description: 'The maximum number of affected merchants that are listed for each group.',
        default: DEFAULT_AFFECTED,
      },
    },
    statuses: [200, 304],
    success: callGroupsSuccess,
    handle: async ({ request, reply, input }) => {
      const {
        hours = DEFAULT_HOURS,
        limit = DEFAULT_LIMIT,
        affected: most = DEFAULT_AFFECTED,
        ...filter
      } = input;
      const found = await groupFailures(database, { ...filter, since: now() - hours * HOUR_MS });
      const groups = found.groups.slice(0, limit).map((group) => ({
        ...group,
        listed: group.affected.slice(0, most),
      }));
      const ids = groups.flatMap(({ listed }) => listed.map(([id]) => id));
      const named = await nameMerchants(database, ids);
      const list: CallGroupList = {
        since: formatTime(found.since),
        calls: found.groups.reduce((sum, { calls }) => sum + calls, 0),
        groups: groups.map(({ status, error, method, path, calls, lastAt, affected, listed }) => ({
          ...{ status, error, method, path, calls },
          merchants: affected.length,
          affected: listed.flatMap(([id, count]) => {
            const merchant = named.get(id);
            return merchant === undefined ? [] : [{ ...merchant, calls: count }];
          }),
          last_at: formatTime(lastAt),
        })),
        more: found.groups.length > limit,
      };
      await sendJson(request, reply, JSON.stringify(list));
    },
  });
  registerOperatorEndpoint(app, services, {
    method: 'GET',
    path: '/merchants/{external_id}/calls',
    name: 'listMerchantFailedCalls',
    tag: callsTag,
    summary: 'List a merchant’s failed calls',
    description:
      'Lists the newest 1,000 failed calls of the last seven days with live and test keys, newest first, as the ' +
      'merchant’s console shows them. Parameters are listed without their values; messages may repeat one.',
    scope: 'merchants',
    pathParameters: merchantInPath,
    parameters: {
      ...causeParameters,
      key: { type: text(MAX_ID_LENGTH), description: 'Only calls with this key.', example: '12-3' },
      request_id: {
        type: text(MAX_TEXT_LENGTH),
        description: 'Only calls with this `X-Request-Id`.',
        example: '3f0c1a52-6a3e-4b0e-9d43-7a5f0e1d2c4b',
      },
      ...pageParameters('calls'),
    },
    statuses: [200, 304, 404],
    success: failedCallsSuccess,
    handle: async ({ request, reply, path, input: { after, limit = DEFAULT_LIMIT, ...filter } }) => {
      const { id } = await requireMerchant(database, path);
      const selected = [id, ...Object.entries(filter).flat()];
      const { requests, next, statuses, keys, paths } = await readPage(
        { merchantId: OPERATOR_ID, items: 'failed calls', selected, after },
        ['text'],
        async (place) => {
          const page = await listFailures(services, id, { ...filter, before: place?.[0], limit });
          return { ...page, next: page.next === null ? undefined : ([page.next] as const) };
        },
      );
      const page: FailedCallPage = { results: requests, next, statuses, keys, paths };
      await sendJson(request, reply, JSON.stringify(page));
    },
  });
}
