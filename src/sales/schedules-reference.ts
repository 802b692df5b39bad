import type { EndpointReference } from '../http/endpoint/reference.ts';
import { calendarMonth, cursor, int32, text } from '../http/parameters/types.ts';
import { nonNegativeNumber, orNull, record, time } from '../http/schema.ts';
import type { ScheduleList } from './list-schedules.ts';
import type { ScheduleRecord } from './schedule-record.ts';

/** Longer than any identifier, so that an invalid one gets the same response as an unknown one. */
const MAX_LENGTH = 1000;
const MAX_PAGE_SIZE = 1000;
export const DEFAULT_PAGE_SIZE = 50;

export const schedulesParameters = {
  changed_since: { type: cursor },
  month: { type: calendarMonth },
  product_identifier: { type: text(MAX_LENGTH) },
  after: { type: cursor },
  per_page: { type: int32(1, MAX_PAGE_SIZE) },
} as const;

const identifier = { type: 'string', minLength: 1, maxLength: 100 } as const;

export const scheduleSchema = record<ScheduleRecord>('Schedule', 'One auction of a product.', {
  schedule_id: { ...identifier, description: 'The unique ID of the schedule, which the operator chooses.' },
  product_identifier: { ...identifier, description: 'The unique ID of the product.' },
  variation_identifier: {
    ...orNull(identifier),
    description: 'The unique ID of the variation; null if the schedule names none.',
  },
  scheduled_at: time,
  sold: { type: 'boolean', description: 'Whether the auction ended in a sale.' },
  sale_price: { ...orNull(nonNegativeNumber), description: 'Null if the schedule did not sell.' },
  rating: {
    ...orNull({ type: 'number', minimum: 0, maximum: 5 }),
    description: 'The buyer’s rating; null if the schedule did not sell or was not rated.',
  },
});

export const listSchema = record<ScheduleList>('ScheduleList', 'A part of a list of schedules.', {
  results: { type: 'array', items: scheduleSchema },
  cursor: {
    type: 'string',
    description: 'Where the list continues: the next value of `changed_since` or `after`.',
  },
  more: { type: 'boolean', description: 'Whether the list has schedules after these at present.' },
});

export const exampleSchedule: ScheduleRecord = {
  schedule_id: '2026-02-11:17',
  product_identifier: 'VASE-7',
  variation_identifier: 'VASE-7-S',
  scheduled_at: '2026-02-11T18:00:00Z',
  sold: true,
  sale_price: 27.5,
  rating: 5,
};

export const exampleList: ScheduleList = {
  results: [exampleSchedule],
  cursor: 'a0VxU2hRWTJbMTIsIjVkT0Y4WXJmIiwxNzY3MjI1NjAwMDAwLCIyMDI2LTAyLTExOjE3Il0',
  more: false,
};

export const schedulesReference: EndpointReference<typeof schedulesParameters> = {
  name: 'listSchedules',
  tag: { name: 'Schedules', description: 'The auctions of the merchant’s products.' },
  summary: 'List schedules',
  description:
    'Lists what the monthly sales are calculated from. Requires exactly one of `changed_since`, `month` and ' +
    '`product_identifier`. With `changed_since`, schedules are in the order of their last changes: a client that ' +
    'starts with `start` and repeats the call with the `cursor` of each response gets every schedule, and every ' +
    'schedule that changes later, in its newest state. With `month` or `product_identifier`, schedules are in the ' +
    'order of `scheduled_at` and `schedule_id`.',
  parameters: {
    changed_since: {
      description:
        'The `cursor` of the previous response with `changed_since`, or `start` for all schedules.',
      example: 'start',
    },
    month: { description: 'Returns the schedules of a month in the merchant’s time zone, as `YYYY-MM`.' },
    product_identifier: { description: 'Returns the schedules of the product with this unique ID.' },
    after: {
      description: 'With `month` or `product_identifier`, the `cursor` of the previous response.',
    },
    per_page: {
      description: 'The maximum number of schedules per response.',
      default: DEFAULT_PAGE_SIZE,
      example: 1000,
    },
  },
  success: {
    description: 'The schedules, and the cursor after them.',
    schema: listSchema,
    examples: { schedules: { summary: 'One schedule', value: exampleList } },
  },
};
