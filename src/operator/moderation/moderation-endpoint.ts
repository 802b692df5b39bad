import type { FastifyInstance } from 'fastify';
import { runVerb } from '../../database/write-context.ts';
import { errors } from '../../errors/errors.ts';
import { MAX_WRITE_BYTES } from '../../http/request-limits.ts';
import { sendJson } from '../../http/responses/respond.ts';
import { issuesSuccess } from '../../products/moderation/issues-schema.ts';
import { moderateProduct } from '../../products/moderation/moderate-product.ts';
import { registerOperatorEndpoint } from '../endpoint/register.ts';
import type { OperatorWriteServices } from '../endpoint/register-write.ts';
import { requireMerchant } from '../merchants/merchant-parameters.ts';
import { catalogTag } from '../tags.ts';
import { decisionParameters, productInPath, REASONS_WITH_OK } from './decision-parameters.ts';

export function moderationEndpoint(
  app: FastifyInstance,
  services: OperatorWriteServices & { lowInventory: number },
): void {
  const { database, lowInventory } = services;
  registerOperatorEndpoint(app, services, {
    method: 'PUT',
    path: '/merchants/{external_id}/products/{identifier}/moderation',
    pathParameters: productInPath,
    name: 'moderateProduct',
    tag: catalogTag,
    summary: 'Moderate a product',
    description:
      'Decides whether a product may be sold. Its `status` becomes the state, or is derived again for `ok`; a deleted ' +
      'product remains `deleted`. The merchant sees the reasons in the console, and with `GET products/issues` of v1. ' +
      'A decision takes the product off the queue of moderation. Repeating it changes nothing.',
    scope: 'catalog',
    parameters: decisionParameters,
    bodyLimit: MAX_WRITE_BYTES,
    statuses: [200, 404],
    success: issuesSuccess,
    handle: async ({ request, reply, caller: { who }, path, input: { state, reasons = [] } }) => {
      if (state === 'ok' && reasons.length > 0)
        throw errors.invalid_parameters([{ field: 'reasons', reason: REASONS_WITH_OK }]);
      const { id: merchantId } = await requireMerchant(database, path);
      const decision = { identifier: path.identifier, state, reasons };
      const context = { merchantId, who, lowInventory };
      const issues = await runVerb(services, context, moderateProduct, decision, { locksMerchant: true });
      await sendJson(request, reply, JSON.stringify(issues));
    },
  });
}
