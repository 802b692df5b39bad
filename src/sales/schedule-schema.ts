import { nonNegativeNumber, orNull, record, time } from '../http/schema.ts';
import type { ScheduleList } from './list-schedules.ts';
import { MAX_ORDER_ID } from './schedule-fields.ts';
import type { ScheduleRecord } from './schedule-record.ts';

const identifier = { type: 'string', minLength: 1, maxLength: 100 } as const;

export const scheduleSchema = record<ScheduleRecord>('Schedule', 'One auction of a product.', {
  schedule_id: { ...identifier, description: 'The unique ID of the schedule, which the operator chooses.' },
  product_identifier: { ...identifier, description: 'The unique ID of the product.' },
  variation_identifier: {
    ...orNull(identifier),
    description: 'The unique ID of the variation; null if the schedule names none.',
  },
  scheduled_at: { ...time, description: 'When the auction took place.' },
  sold: { type: 'boolean', description: 'Whether the auction ended in a sale.' },
  sale_price: {
    ...orNull(nonNegativeNumber),
    description: 'What it sold for, in the merchant’s currency; null if the schedule did not sell.',
  },
  rating: {
    ...orNull({ type: 'number', minimum: 0, maximum: 5 }),
    description: 'The buyer’s rating, from 0 to 5; null if the schedule did not sell or was not rated.',
  },
  order_id: {
    ...orNull({ type: 'integer', minimum: 1, maximum: MAX_ORDER_ID }),
    description: 'The `order_id` of the sale; null if the schedule names none.',
  },
  placement_id: {
    ...orNull(identifier),
    description:
      'The placement that the schedule was, which it delivers; null if the schedule names none. A placement with the ID of ' +
      'the schedule need not be named.',
  },
});

export const scheduleListSchema = record<ScheduleList>('ScheduleList', 'A part of a list of schedules.', {
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
  order_id: 4711,
  placement_id: null,
};

export const exampleScheduleList: ScheduleList = {
  results: [exampleSchedule],
  cursor: 'a0VxU2hRWTJbMTIsIjVkT0Y4WXJmIiwxNzY3MjI1NjAwMDAwLCIyMDI2LTAyLTExOjE3Il0',
  more: false,
};
