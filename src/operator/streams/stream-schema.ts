import type { ImportSummary } from '../../files/run-import.ts';
import type { Success } from '../../http/endpoint/declaration.ts';
import { orNull, record, type Schema } from '../../http/schema.ts';

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

/** The response of a stream that has ended. */
export const streamSuccess: Success = {
  description: 'The result. All lines not listed as rejected are stored.',
  schema: summarySchema,
  examples: { summary: { summary: 'One rejected line', value: exampleSummary } },
};
