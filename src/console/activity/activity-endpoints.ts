import type { FastifyInstance } from 'fastify';
import { amountNames } from '../../campaigns/campaign.ts';
import type { ActorKind } from '../../database/actor.ts';
import type { Database } from '../../database/database.ts';
import type { BoundParameters } from '../../http/parameters/bind.ts';
import { calendarDay, cursor, int32, oneOf, type ParameterType, text } from '../../http/parameters/types.ts';
import { sendInSteps } from '../../http/responses/send-in-steps.ts';
import { recordedOrderFields } from '../../orders/history/order-diff.ts';
import { productFields, variationFields } from '../../products/record/product.ts';
import { periodOfDays } from '../../sales/periods.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import { type ActivityList, type ActivityProducts, activityTypes } from '../activity-api.ts';
import { registerConsoleEndpoint } from '../register-endpoint.ts';
import { activityCsvHeader, activityCsvLines } from './activity-csv.ts';
import { type ActivityFilter, allKinds } from './activity-source.ts';
import { listActivityProducts } from './list-products.ts';
import { readActivity } from './read-activity.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;
const MAX_ID_LENGTH = 40;
/** A person's name and email. */
const MAX_WHO_LENGTH = 600;
/** Before and after everything. Their microseconds are exact, too. */
const EVER = { from: 0, until: 8_000_000_000_000 };

const groups: Readonly<Record<string, readonly ActorKind[]>> = {
  operator: ['operator', 'operator_key', 'command'],
  service: ['service'],
};
const named: Readonly<Record<string, ActorKind>> = { key: 'merchant_key', user: 'merchant_user' };

type Who = Pick<ActivityFilter, 'kinds' | 'name'>;

const who: ParameterType<Who> = {
  expected: 'operator, service, key:ID or user:NAME <EMAIL>',
  schema: { type: 'string', maxLength: MAX_WHO_LENGTH },
  read: (parameter) => {
    const sent = text(MAX_WHO_LENGTH).read(parameter);
    if (typeof sent !== 'string') return undefined;
    const kinds = groups[sent];
    if (kinds !== undefined) return { kinds, name: '' };
    const [, prefix = '', name = ''] = /^(key|user):(.+)$/s.exec(sent) ?? [];
    const kind = named[prefix];
    return kind && { kinds: [kind], name };
  },
};

const fields = [
  ...Object.keys(productFields),
  ...Object.keys(variationFields),
  ...['moderation', 'name', 'type', ...amountNames, 'hourly_schedule'],
  ...recordedOrderFields,
];

const filters = {
  who: { type: who },
  type: { type: oneOf(activityTypes) },
  day: { type: calendarDay },
  field: { type: oneOf([...new Set(fields)]) },
};

/** Registers what the pages show of the histories and the audit log. */
export function consoleActivityEndpoints(app: FastifyInstance, { database }: { database: Database }): void {
  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/activity',
    parameters: { ...filters, before: { type: cursor }, limit: { type: int32(1, MAX_LIMIT) } },
    statuses: [200],
    handle: async ({ caller: { merchant }, input: { before, limit = DEFAULT_LIMIT, ...wanted } }) => {
      const list = { merchantId: merchant.id, filter: filterOf(wanted, merchant.time_zone) };
      return RenderedJson.of<ActivityList>(await readActivity(database, list, { before, limit }));
    },
  });
  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/activity.csv',
    parameters: filters,
    statuses: [200],
    handle: async ({ request, reply, caller: { merchant }, input }) => {
      const list = { merchantId: merchant.id, filter: filterOf(input, merchant.time_zone) };
      reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="activity.csv"');
      await sendInSteps(request, reply, {
        beginning: Buffer.from(activityCsvHeader),
        steps: activityCsvLines((before) => readActivity(database, list, { before, limit: MAX_LIMIT })),
      });
      return undefined;
    },
  });
  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/activity/products',
    parameters: {
      id: { type: text(MAX_ID_LENGTH), required: true },
      before: { type: cursor },
      limit: { type: int32(1, MAX_LIMIT) },
    },
    statuses: [200, 404],
    handle: async ({ caller: { merchant }, input: { id, before, limit = DEFAULT_LIMIT } }) =>
      RenderedJson.of<ActivityProducts>(
        await listActivityProducts(database, merchant.id, { id, before, limit }),
      ),
  });
}

function filterOf(
  { who: by, type, day, field }: BoundParameters<typeof filters>,
  timeZone: string,
): ActivityFilter {
  const period = day === undefined ? EVER : periodOfDays(timeZone, { from: day, to: day });
  return { ...(by ?? { kinds: allKinds, name: '' }), type, field, ...period };
}
