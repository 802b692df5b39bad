import type { FastifyInstance } from 'fastify';
import { campaignId, campaignIdOrName, campaignName } from '../campaigns/campaign-parameters.ts';
import { campaignsTag } from '../campaigns/campaign-schema.ts';
import { findCampaignId } from '../campaigns/id-of-campaign.ts';
import type { ChangeSources } from '../campaigns/late-numbered.ts';
import { errors } from '../errors/errors.ts';
import { type EndpointServices, registerEndpoint } from '../http/endpoint/register.ts';
import type { BoundParameters } from '../http/parameters/bind.ts';
import { dayRange, requireOrderedDays } from '../http/parameters/day-range.ts';
import { calendarDay, cursor, int32, oneOf, text } from '../http/parameters/types.ts';
import { sendJson } from '../http/responses/respond.ts';
import { findProductId } from '../products/record/queries.ts';
import { requireOnlyChanges } from '../sync/changes-cursor.ts';
import { type PlacementList, placementsChangedSince, selectedPlacements } from './list/list-placements.ts';
import { campaignPerformance, groupings, productOrders } from './performance/campaign-performance.ts';
import {
  examplePerformance,
  examplePlacementList,
  performanceSchema,
  placementListSchema,
} from './placement-schema.ts';
import { placementStates } from './record/placement.ts';

const MAX_PAGE_SIZE = 1000;
const DEFAULT_PAGE_SIZE = 50;
/** Longer than any identifier, so that an invalid one gets the same response as an unknown one. */
const MAX_LENGTH = 1000;

const listParameters = {
  changed_since: {
    type: cursor,
    description: 'The `cursor` of the previous response with `changed_since`, or `start` for all placements.',
    example: 'start',
  },
  campaign: { ...campaignId, description: 'Returns the placements of the campaign with this `internal_id`.' },
  product_identifier: {
    type: text(MAX_LENGTH),
    description: 'Returns the placements of the product with this unique ID.',
  },
  day: { type: calendarDay, description: 'Returns the placements of a day in the merchant’s time zone.' },
  from: { ...dayRange.from, description: 'Returns only placements of this day and later ones.' },
  to: { ...dayRange.to, description: 'Returns only placements of this day and earlier ones.' },
  state: {
    type: oneOf(placementStates),
    description: 'Returns only placements in this state.',
    example: 'delivered',
  },
  after: { type: cursor, description: 'Without `changed_since`, the `cursor` of the previous response.' },
  per_page: {
    type: int32(1, MAX_PAGE_SIZE),
    description: 'The maximum number of placements per response.',
    default: DEFAULT_PAGE_SIZE,
    example: 1000,
  },
} as const;

const performanceParameters = {
  internal_id: {
    ...campaignIdOrName,
    description: 'The `internal_id` of the campaign. Or send `name`, or neither for all campaigns together.',
  },
  name: { type: campaignName, description: 'The name of the campaign, instead of `internal_id`.' },
  ...dayRange,
  by: { type: oneOf(groupings), description: 'What a result is of.', default: 'total', example: 'day' },
  sort: {
    type: oneOf(productOrders),
    description:
      'With `by=product`, the order. Products for which nothing was spent have no return, and come last.',
    default: 'spend_descending',
    example: 'return_on_spend_ascending',
  },
  page: { type: int32(1), description: 'With `by=product`, the page to return.', default: 1 },
  per_page: {
    type: int32(1, MAX_PAGE_SIZE),
    description: 'With `by=product`, the number of products per page.',
    default: MAX_PAGE_SIZE,
    example: 100,
  },
} as const;

/** What merchants see of their placements (contract for campaigns, “What merchants see”). */
export function placementEndpoints(app: FastifyInstance, services: ChangeSources & EndpointServices): void {
  registerEndpoint(app, services, {
    method: 'GET',
    path: '/placements.json',
    name: 'listPlacements',
    tag: campaignsTag,
    summary: 'List placements',
    description:
      'Lists the places that were given to the merchant’s products. Requires either `changed_since`, or one or more of ' +
      '`campaign`, `product_identifier`, `day`, `from` and `to`, which `state` can narrow down. With `changed_since`, ' +
      'placements are in the order of their last ' +
      'changes: a client that starts with `start` and repeats the call with the `cursor` of each response gets every ' +
      'placement, and every placement that changes later, in its newest state. Otherwise they are in the order of `day` ' +
      'and `placement_id`: the lines that `campaigns/performance` adds up.',
    scope: 'read',
    parameters: listParameters,
    statuses: [200, 304, 404, 410],
    success: {
      description: 'The placements, and the cursor after them.',
      schema: placementListSchema,
      examples: { placements: { summary: 'One placement', value: examplePlacementList } },
    },
    handle: async ({ request, reply, caller: { merchantId }, input }) => {
      await sendJson(request, reply, JSON.stringify(await listPlacements(services, merchantId, input)));
    },
  });
  registerEndpoint(app, services, {
    method: 'GET',
    path: '/campaigns/performance.json',
    name: 'readCampaignPerformance',
    tag: campaignsTag,
    summary: 'Read the performance of campaigns',
    description:
      'Returns what the placements of a campaign, or of all campaigns together, cost and sold: in total, by day (oldest ' +
      'first) or by product (the highest spend first). The current day is included, without a delay. Days are in the ' +
      'merchant’s time zone.',
    scope: 'read',
    parameters: performanceParameters,
    statuses: [200, 304, 404],
    success: {
      description:
        'One result for `by=total`, otherwise one for each day or product with a delivered placement.',
      schema: performanceSchema,
      examples: { days: { summary: 'By day', value: examplePerformance } },
    },
    handle: async ({ request, reply, caller: { merchantId }, input }) => {
      const { by = 'total', sort = 'spend_descending', page = 1, per_page: perPage = MAX_PAGE_SIZE } = input;
      const { internal_id, name, from, to } = input;
      requireOrderedDays(input);
      const isOfAll = internal_id === undefined && name === undefined;
      const campaignId = isOfAll ? undefined : await findCampaignId(services.database, merchantId, input);
      const asked = { merchantId, campaignId, from, to, by, sort, page, perPage };
      await sendJson(request, reply, JSON.stringify(await campaignPerformance(services, asked)));
    },
  });
}

/** Returns the list that the parameters select. @throws {DomainError} */
async function listPlacements(
  services: ChangeSources,
  merchantId: number,
  input: BoundParameters<typeof listParameters>,
): Promise<PlacementList> {
  const {
    changed_since: since,
    campaign,
    product_identifier: identifier,
    day,
    from,
    to,
    state,
    after,
  } = input;
  const request = { merchantId, perPage: input.per_page ?? DEFAULT_PAGE_SIZE };
  const selects = [campaign, identifier, day, from, to].some((value) => value !== undefined);
  if ((since !== undefined) === selects) {
    const reason = 'expected either changed_since, or some of campaign, product_identifier, day, from and to';
    throw errors.invalid_parameters([{ field: 'changed_since', reason }]);
  }
  if (day !== undefined && (from !== undefined || to !== undefined))
    throw errors.invalid_parameters([{ field: 'day', reason: 'cannot be combined with from and to' }]);
  requireOrderedDays({ from, to });
  if (since !== undefined) {
    requireOnlyChanges({ state });
    if (after === undefined) return await placementsChangedSince(services, request, since);
    const reason = 'expected only without changed_since, where the cursor is sent instead';
    throw errors.invalid_parameters([{ field: 'after', reason }]);
  }
  const { database } = services;
  if (campaign !== undefined) await findCampaignId(database, merchantId, { internal_id: campaign });
  const product =
    identifier === undefined ? undefined : await database.first(findProductId, { merchantId, identifier });
  if (identifier !== undefined && product === undefined) throw errors.product_not_found(identifier);
  return await selectedPlacements(
    services,
    { ...request, after, from, to },
    { campaign, productId: product?.internal_id, day, state },
  );
}
