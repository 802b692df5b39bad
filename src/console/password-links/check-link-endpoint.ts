import type { FastifyInstance } from 'fastify';
import { clientAddress } from '../../http/gate/client-address.ts';
import { limitNetworks, limits } from '../attempts/limit-attempts.ts';
import type { AuthServices } from '../auth/auth-endpoints.ts';
import { mayUsePassword } from '../auth/passwords-off.ts';
import { findLinkOwner, type RealmCaller } from '../auth/realm.ts';
import type { PasswordLinkState } from '../console-api.ts';
import { consoleStatuses } from '../errors.ts';
import { inNetworkTurn } from '../network-turn.ts';
import { textIn } from '../text-in.ts';

/** Registers a call that tells what a link of a realm can still do. It needs no session. */
export function checkLinkEndpoint<Caller extends RealmCaller>(
  app: FastifyInstance,
  services: AuthServices<Caller>,
): void {
  const { config, realm } = services;
  app.post('/password-links/check', { config: { statuses: [200, ...consoleStatuses] } }, async (request) => {
    const token = textIn(request.body, 'token');
    return await inNetworkTurn(services, request, async (): Promise<PasswordLinkState> => {
      await limitNetworks(services, limits.linkByNetwork, clientAddress(request, config.trustedProxies));
      const owner = await findLinkOwner(services, realm, token);
      if (owner === undefined) return { valid: false, joins: null };
      if (owner.has_account === 1) return { valid: true, joins: owner.place_name };
      return { valid: await mayUsePassword(services, owner.email), joins: null };
    });
  });
}
