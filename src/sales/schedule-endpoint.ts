import type { FastifyInstance } from 'fastify';
import { errors } from '../errors/errors.ts';
import { type EndpointServices, registerEndpoint } from '../http/endpoint/register.ts';
import type { BoundParameters } from '../http/parameters/bind.ts';
import { requireOrderedDays } from '../http/parameters/day-range.ts';
import { sendJson } from '../http/responses/respond.ts';
import {
  type ScheduleList,
  schedulesChangedSince,
  schedulesOfMonth,
  schedulesOfProduct,
} from './list-schedules.ts';
import type { SalesSources } from './sales-endpoints.ts';
import { SCHEDULES_PER_PAGE, schedulesParameters } from './sales-parameters.ts';
import { exampleScheduleList, scheduleListSchema } from './schedule-schema.ts';

/** `GET /schedules.json` (contract for writing, “Staying in sync”). */
export function scheduleEndpoint(app: FastifyInstance, services: SalesSources & EndpointServices): void {
  registerEndpoint(app, services, {
    method: 'GET',
    path: '/schedules.json',
    name: 'listSchedules',
    tag: { name: 'Schedules', description: 'The auctions of the merchant’s products.' },
    summary: 'List schedules',
    description:
      'Lists what the monthly sales are calculated from. Requires exactly one of `changed_since`, `month` and ' +
      '`product_identifier`. With `changed_since`, schedules are in the order of their last changes: a client that ' +
      'starts with `start` and repeats the call with the `cursor` of each response gets every schedule, and every ' +
      'schedule that changes later, in its newest state. With `month` or `product_identifier`, schedules are in the ' +
      'order of `scheduled_at` and `schedule_id`. `from` and `to` narrow down the schedules of a product to days in the ' +
      'merchant’s time zone.',
    scope: 'read',
    parameters: schedulesParameters,
    statuses: [200, 304, 404, 410],
    success: {
      description: 'The schedules, and the cursor after them.',
      schema: scheduleListSchema,
      examples: { schedules: { summary: 'One schedule', value: exampleScheduleList } },
    },
    handle: async ({ request, reply, caller, input }) => {
      const list = await listSchedules(services, caller.merchantId, input);
      await sendJson(request, reply, JSON.stringify(list));
    },
  });
}

/** Returns the list that the parameters select. @throws {DomainError} */
async function listSchedules(
  sources: SalesSources,
  merchantId: number,
  input: BoundParameters<typeof schedulesParameters>,
): Promise<ScheduleList> {
  const { changed_since: changedSince, month, product_identifier: identifier, after, from, to } = input;
  const request = { merchantId, perPage: input.per_page ?? SCHEDULES_PER_PAGE, after };
  const selectors = [changedSince, month, identifier].filter((value) => value !== undefined);
  if (selectors.length !== 1) {
    const reason = 'expected exactly one of changed_since, month and product_identifier';
    throw errors.invalid_parameters([{ field: 'changed_since', reason }]);
  }
  for (const field of ['from', 'to'] as const) {
    if (input[field] !== undefined && identifier === undefined)
      throw errors.invalid_parameters([{ field, reason: 'expected only with product_identifier' }]);
  }
  requireOrderedDays(input);
  if (changedSince !== undefined) {
    if (after === undefined) return await schedulesChangedSince(sources, request, changedSince);
    const reason =
      'expected only with month or product_identifier; with changed_since, send the cursor there';
    throw errors.invalid_parameters([{ field: 'after', reason }]);
  }
  if (month !== undefined) return await schedulesOfMonth(sources, request, month);
  const list = await schedulesOfProduct(sources, request, { identifier: identifier ?? '', from, to });
  if (list === undefined) throw errors.product_not_found(identifier ?? '');
  return list;
}
