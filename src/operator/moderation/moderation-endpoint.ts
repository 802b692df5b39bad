import type { FastifyInstance } from 'fastify';
import { runVerb } from '../../database/write-context.ts';
import { errors } from '../../errors/errors.ts';
import { oneOf } from '../../http/parameters/types.ts';
import { MAX_WRITE_BYTES } from '../../http/request-limits.ts';
import { sendJson } from '../../http/responses/respond.ts';
import { issuesSuccess } from '../../products/moderation/issues-schema.ts';
import { moderateProduct } from '../../products/moderation/moderate-product.ts';
import { lookedUpIdentifier } from '../../products/record/product-parameters.ts';
import { moderationStates } from '../../products/record/product-status.ts';
import { registerOperatorEndpoint } from '../endpoint/register.ts';
import type { OperatorWriteServices } from '../endpoint/register-write.ts';
import { merchantInPath, requireMerchant } from '../merchants/merchant-parameters.ts';
import { catalogTag } from '../tags.ts';
import { reasonList } from './reason-list.ts';

const productInPath = {
  ...merchantInPath,
  identifier: { type: lookedUpIdentifier, description: 'The unique ID of the product.', example: 'VASE-7' },
};

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
      'Repeating it changes nothing.',
    scope: 'catalog',
    parameters: {
      state: {
        type: oneOf(moderationStates),
        required: true,
        description: 'The decision.',
        example: 'problematic',
      },
      reasons: {
        type: reasonList,
        description: 'The reasons, which replace earlier ones. The state `ok` has none.',
      },
    },
    bodyLimit: MAX_WRITE_BYTES,
    statuses: [200, 404],
    success: issuesSuccess,
    handle: async ({ request, reply, caller: { who }, path, input: { state, reasons = [] } }) => {
      if (state === 'ok' && reasons.length > 0) {
        const reason = 'expected none with the state ok';
        throw errors.invalid_parameters([{ field: 'reasons', reason }]);
      }
      const { id: merchantId } = await requireMerchant(database, path);
      const decision = { identifier: path.identifier, state, reasons };
      const context = { merchantId, who, lowInventory };
      const issues = await runVerb(services, context, moderateProduct, decision, { locksMerchant: true });
      await sendJson(request, reply, JSON.stringify(issues));
    },
  });
}
