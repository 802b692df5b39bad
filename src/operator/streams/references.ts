import type { ImportSummary } from '../../files/run-import.ts';
import type { EndpointDeclaration } from '../../http/endpoint/declaration.ts';
import type { EndpointReference } from '../../http/endpoint/reference.ts';
import type { NoParameters } from '../../http/parameters/bind.ts';
import { orNull, record, type Schema } from '../../http/schema.ts';
import { exampleProduct } from '../../products/record/example-product.ts';
import { productSchema } from '../../products/record/product-schema.ts';
import { exampleSchedule, scheduleSchema } from '../../sales/schedules-reference.ts';

export const catalogTag = {
  name: 'Catalog',
  description: 'Products and schedules of merchants, with the operator’s authority.',
};

interface RejectedValue {
  line: number;
  name: string | null;
  value: string;
  reason: string;
}

export interface StreamSummary extends ImportSummary {
  rejections: RejectedValue[];
  unlisted_rejections: number;
}

const count: Schema = { type: 'integer', minimum: 0 };
const rejectionSchema = record<RejectedValue>('RejectedLine', 'Why a line was rejected.', {
  line: { type: 'integer', minimum: 1, description: 'The line, counted from 1.' },
  name: {
    ...orNull({ type: 'string' }),
    description: 'The field; null if the reason concerns the whole line.',
  },
  value: { type: 'string', description: 'The value, cut to 200 characters.' },
  reason: { type: 'string', description: 'What is wrong with it, and what was expected.' },
});

const summarySchema = record<StreamSummary>('StreamSummary', 'The result of a stream.', {
  created: count,
  updated: count,
  unchanged: count,
  rejected: { ...count, description: 'How many lines were rejected. They changed nothing.' },
  repeated: { ...count, description: 'How many of the others replaced an earlier line of the same stream.' },
  rejections: {
    type: 'array',
    items: rejectionSchema,
    description: 'The first 1,000 reasons for rejecting lines. A line may have several.',
  },
  unlisted_rejections: { ...count, description: 'The number of further reasons.' },
});

const exampleSummary: StreamSummary = {
  created: 998_000,
  updated: 1_200,
  unchanged: 799,
  rejected: 1,
  repeated: 0,
  rejections: [
    { line: 4_711, name: 'retail_price', value: 'free', reason: 'expected a number that is 0 or more' },
  ],
  unlisted_rejections: 0,
};

const success = {
  description: 'The result. All lines not listed as rejected are stored.',
  schema: summarySchema,
  examples: { summary: { summary: 'One rejected line', value: exampleSummary } },
};

const rules =
  'The stream may have any length, and is read as fast as it is imported. Every 4,000 lines are durable together. A ' +
  'line that is rejected changes nothing. After a broken connection or an error, send the whole stream again: lines ' +
  'that are stored already are unchanged. A stream fails if nothing arrives for 30 seconds, and each node imports up ' +
  'to 4 streams at a time.';

export const productStream: NonNullable<EndpointDeclaration['stream']> = {
  schema: productSchema,
  examples: [exampleProduct],
};

export const scheduleStream: NonNullable<EndpointDeclaration['stream']> = {
  schema: scheduleSchema,
  examples: [exampleSchedule],
};

/** `POST /merchants/{external_id}/products`. */
export const streamProductsReference: EndpointReference<NoParameters> = {
  name: 'streamProducts',
  tag: catalogTag,
  summary: 'Create and change products of a merchant',
  description:
    'Imports product records as `GET products` returns them, one per line, like `tradepost import products`: products ' +
    `are matched by \`identifier\`, and fields that a line does not have keep their values. ${rules}`,
  parameters: {},
  success,
};

/** `POST /merchants/{external_id}/schedules`. */
export const streamSchedulesReference: EndpointReference<NoParameters> = {
  name: 'streamSchedules',
  tag: catalogTag,
  summary: 'Create and change schedules of a merchant',
  description:
    'Imports schedules, one per line, like `tradepost import schedules`: a line replaces the schedule with the same ' +
    `\`schedule_id\`. ${rules}`,
  parameters: {},
  success,
};
