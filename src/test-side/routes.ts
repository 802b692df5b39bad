import type { FastifyInstance } from 'fastify';
import { modeOf } from '../database/sides.ts';
import { errors } from '../errors/errors.ts';
import { idempotencyKeyOf } from '../http/endpoint/idempotency.ts';
import { type EndpointServices, registerEndpoint } from '../http/endpoint/register.ts';
import { sendJson } from '../http/responses/respond.ts';
import type { ResetServices } from './reset.ts';
import { resetOnce } from './reset-once.ts';
import { resetParameters, resetReference } from './reset-reference.ts';

/** Contract for writing, “Test keys”. */
export function testSideRoutes(app: FastifyInstance, services: EndpointServices & ResetServices): void {
  registerEndpoint(app, services, {
    method: 'POST',
    path: '/test/reset.json',
    scope: 'write',
    parameters: resetParameters,
    statuses: [200, 409],
    reference: resetReference,
    handle: async ({ request, reply, caller: { merchantId: side }, input: { samples = false } }) => {
      if (modeOf(side) !== 'test') throw errors.test_key_required();
      const key = idempotencyKeyOf(request);
      const reset = async (): Promise<string> => await resetOnce(services, { side, samples, key });
      await sendJson(request, reply, await services.overloadControl.runOutside(reset));
    },
  });
}
