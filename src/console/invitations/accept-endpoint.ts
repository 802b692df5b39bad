import type { FastifyInstance } from 'fastify';
import { merchantUser } from '../../audit/record-audit.ts';
import { runVerb } from '../../database/write-context.ts';
import { clientAddress } from '../../http/gate/client-address.ts';
import { acceptInSession } from '../../users/accept-invitation.ts';
import { findInvited } from '../../users/membership-queries.ts';
import { hashInvitationToken } from '../../users/password-link.ts';
import { limitNetworks, limits } from '../attempts/limit-attempts.ts';
import type { AuthServices } from '../auth/auth-endpoints.ts';
import { findSession } from '../auth/call-auth.ts';
import type { JoinedShop } from '../console-api.ts';
import { consoleErrors, consoleStatuses } from '../errors.ts';
import { inNetworkTurn } from '../network-turn.ts';
import { linkGone } from '../registration/register.ts';
import type { ConsoleCaller } from '../sessions/console-callers.ts';
import { textIn } from '../text-in.ts';

/**
 * `POST /invitations/accept` adds the shop of an invitation to the shops of the signed-in person, who may
 * have none at that time. The link alone is not enough: without a mail server, the inviting owner knows it.
 * Neither is a session by a password that an owner may know: the person has to set another one with the link.
 */
export function acceptInvitationEndpoint(app: FastifyInstance, services: AuthServices<ConsoleCaller>): void {
  const { config, database, now } = services;
  const options = { config: { statuses: [200, ...consoleStatuses] } };
  app.post('/invitations/accept', options, async (request, reply) =>
    inNetworkTurn(services, request, async (): Promise<JoinedShop> => {
      const found = await findSession(services, { request, reply });
      if (found === undefined) throw consoleErrors.session_required();
      await limitNetworks(services, limits.linkByNetwork, clientAddress(request, config.trustedProxies));
      const token = textIn(request.body, 'token');
      const invited = await database.first(findInvited, {
        identifierHash: hashInvitationToken(token),
        now: now(),
      });
      if (invited === undefined) throw linkGone();
      const {
        session: { id: sessionId, byProvider },
        user,
      } = found;
      if (invited.id !== user.id)
        throw consoleErrors.conflict(`This invitation is for another email than ${user.email}.`);
      const by = { merchantId: invited.merchant_id, who: merchantUser(user) };
      const joined = await runVerb(services, by, acceptInSession, { token, sessionId, byProvider });
      if (joined === undefined) throw linkGone();
      return { joined: joined !== 'needs_password' };
    }),
  );
}
