import type { FastifyInstance } from 'fastify';
import { modeOf } from '../database/sides.ts';
import { errors } from '../errors/errors.ts';
import { idempotencyKeyHeader, idempotencyKeyOf } from '../http/endpoint/idempotency.ts';
import { type EndpointServices, registerEndpoint } from '../http/endpoint/register.ts';
import { boolean } from '../http/parameters/types.ts';
import { sendJson } from '../http/responses/respond.ts';
import { record, type Schema } from '../http/schema.ts';
import { type ResetServices, resetTestSide, type TestSide } from './reset.ts';
import { testingTag } from './testing-tag.ts';

const counted = (things: string): Schema => ({
  type: 'integer',
  minimum: 0,
  description: `The number of ${things}.`,
});
const testSideSchema = record<TestSide>('TestSide', 'What the test side has after a reset.', {
  products: counted('products'),
  variations: counted('variations'),
  campaigns: counted('campaigns'),
  schedules: counted('auctions that sales figures are made of'),
  orders: counted('orders'),
});
const example: TestSide = { products: 60, variations: 112, campaigns: 2, schedules: 363, orders: 40 };

/** `POST /test/reset.json` (contract for writing, “Test keys”). */
export function resetEndpoint(app: FastifyInstance, services: EndpointServices & ResetServices): void {
  registerEndpoint(app, services, {
    method: 'POST',
    path: '/test/reset.json',
    name: 'resetTestSide',
    tag: testingTag,
    summary: 'Reset the test side',
    description:
      'Deletes all products, campaigns, sales, orders, imports and stored responses of the test side, and fills it with sample ' +
      'data if asked to. Keys stay. Cursors from before are refused with 410. Only test keys may call it: their tokens ' +
      'start with `tpt_`.',
    scope: 'write',
    parameters: {
      samples: { type: boolean, description: 'Whether to add sample products, campaigns, sales and orders.' },
    },
    headers: { 'Idempotency-Key': idempotencyKeyHeader },
    statuses: [200, 409],
    success: {
      description: 'What the test side has now.',
      schema: testSideSchema,
      examples: { samples: { summary: 'With samples', value: example } },
    },
    handle: async ({ request, reply, caller: { merchantId, who }, input: { samples = false } }) => {
      if (modeOf(merchantId) !== 'test') throw errors.test_key_required();
      const reset = { samples, key: idempotencyKeyOf(request) };
      const run = (): Promise<string> => resetTestSide(services, { merchantId, who }, reset);
      await sendJson(request, reply, await services.overloadControl.runOutside(run));
    },
  });
}
