import { idempotencyKeyReference } from '../http/endpoint/idempotency.ts';
import type { EndpointReference } from '../http/endpoint/reference.ts';
import { boolean } from '../http/parameters/types.ts';
import { record } from '../http/schema.ts';
import type { TestSide } from './reset.ts';

export const resetParameters = { samples: { type: boolean } } as const;

const number = { type: 'integer', minimum: 0 } as const;
const testSideSchema = record<TestSide>('TestSide', 'What the test side has after a reset.', {
  products: number,
  variations: number,
  campaigns: number,
  schedules: { ...number, description: 'The number of auctions that sales figures are made of.' },
});
const example: TestSide = { products: 60, variations: 112, campaigns: 2, schedules: 363 };

/** `POST /test/reset.json`. */
export const resetReference: EndpointReference<typeof resetParameters> = {
  name: 'resetTestSide',
  tag: { name: 'Testing', description: 'The merchant’s test side, for keys whose tokens start with `tpt_`.' },
  summary: 'Reset the test side',
  description:
    'Deletes all products, campaigns, sales, imports and stored responses of the test side, and fills it with sample ' +
    'data if asked to. Keys stay. Cursors from before are refused with 410. Only test keys may call it: their tokens ' +
    'start with `tpt_`.',
  headers: { 'Idempotency-Key': idempotencyKeyReference },
  parameters: {
    samples: { description: 'Whether to add sample products, campaigns and sales.' },
  },
  success: {
    description: 'What the test side has now.',
    schema: testSideSchema,
    examples: { samples: { summary: 'With samples', value: example } },
  },
};
