import type { FastifyInstance } from 'fastify';
import { clientAddress } from '../../http/gate/client-address.ts';
import { hashPasswordToken } from '../../users/password-link.ts';
import { limitNetworks, limits } from '../attempts/limit-attempts.ts';
import type { AuthServices } from '../auth/auth-endpoints.ts';
import { mayUsePassword } from '../auth/passwords-off.ts';
import type { RealmCaller } from '../auth/realm.ts';
import type { PasswordLinkState } from '../console-api.ts';
import { consoleStatuses } from '../errors.ts';
import { inNetworkTurn } from '../network-turn.ts';

/** Registers a call that tells whether a link of a realm can still set a password. It needs no session. */
export function checkLinkEndpoint<Caller extends RealmCaller>(
  app: FastifyInstance,
  services: AuthServices<Caller>,
): void {
  const { config, database, now } = services;
  const { findPasswordOwner } = services.realm;
  app.post('/password-links/check', { config: { statuses: [200, ...consoleStatuses] } }, async (request) => {
    const { token } = (request.body ?? {}) as { token?: unknown };
    return await inNetworkTurn(services, request, async (): Promise<PasswordLinkState> => {
      await limitNetworks(services, limits.linkByNetwork, clientAddress(request, config.trustedProxies));
      const identifierHash = hashPasswordToken(String(token));
      const owner = await database.first(findPasswordOwner, { identifierHash, now: now() });
      return { valid: owner !== undefined && (await mayUsePassword(services, owner.email)) };
    });
  });
}
