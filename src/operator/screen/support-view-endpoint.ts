import type { FastifyInstance } from 'fastify';
import { ownOrigin } from '../../console/guard.ts';
import { registerPageEndpoint } from '../../console/register-endpoint.ts';
import { runVerb } from '../../database/write-context.ts';
import { createSupportView } from '../../operators/support-views/support-views.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import { externalId, requireMerchant } from '../merchants/merchant-parameters.ts';
import { OPERATOR_PATH } from '../path.ts';
import { merchantsOrigin } from './merchants-origin.ts';
import type { NewSupportView } from './screen-api.ts';
import type { ScreenGate } from './screen-gate.ts';

/**
 * Registers the call that lets an operator look at a merchant's console. The console has other cookies, and
 * maybe another address, so its page exchanges a code. The code is in the fragment, which no server sees.
 */
export function supportViewEndpoint(app: FastifyInstance, gate: ScreenGate): void {
  registerPageEndpoint(app, gate, {
    method: 'POST',
    path: '/support-views',
    role: 'support',
    parameters: { external_id: { type: externalId, required: true } },
    statuses: [200, 404],
    handle: async ({ request, caller, input }) => {
      const { id: merchantId, external_id } = await requireMerchant(gate.database, input);
      const code = await runVerb(gate, caller, createSupportView, {
        merchantId,
        operatorId: caller.user.id,
        sessionId: caller.sessionId,
        returnTo: `${ownOrigin(request, gate.config)}${OPERATOR_PATH}/merchants/${encodeURIComponent(external_id)}`,
      });
      const url = `${merchantsOrigin(request, gate)}/console/support-view#${code}`;
      return RenderedJson.of<NewSupportView>({ url });
    },
  });
}
