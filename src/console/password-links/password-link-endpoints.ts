import type { FastifyInstance } from 'fastify';
import { clientAddress } from '../../http/gate/client-address.ts';
import { queueMail } from '../../mail/new-mail.ts';
import { limitNetworks, limits, takeAttempt } from '../attempts/limit-attempts.ts';
import type { AuthServices } from '../auth/auth-endpoints.ts';
import { consoleErrors, consoleStatuses } from '../errors.ts';
import { inNetworkTurn } from '../network-turn.ts';
import { readEmail } from '../registration/read-email.ts';
import type { ConsoleCaller } from '../sessions/console-callers.ts';
import { checkLinkEndpoint } from './check-link-endpoint.ts';

/**
 * The calls need no session. `POST /password-links` emails a link, unless one was emailed in the last 20
 * minutes, which still works, whoever requested it. Only the process that sends the email looks for the user,
 * so neither the response nor its time tells whether there is one.
 */
export function passwordLinkEndpoints(app: FastifyInstance, services: AuthServices<ConsoleCaller>): void {
  const { config, database } = services;
  app.post('/password-links', { config: { statuses: [202, ...consoleStatuses] } }, async (request, reply) => {
    if (config.merchantOidc?.only) throw consoleErrors.passwords_off(config.merchantOidc.name);
    if (config.mail === null) throw consoleErrors.no_mail();
    await inNetworkTurn(services, request, async () => {
      const address = readEmail(request.body);
      await limitNetworks(
        services,
        limits.passwordLinkByNetwork,
        clientAddress(request, config.trustedProxies),
      );
      // Not a refusal, because others may have requested the link that is still valid.
      if ((await takeAttempt(services, limits.passwordLinkByAccount, address)) > 0) return;
      const mail = { kind: 'password_reset', merchantId: null, userId: null, address, data: {} } as const;
      await database.transaction((connection) => queueMail(connection, mail));
    });
    return reply.code(202).send({ status: true });
  });
  checkLinkEndpoint(app, services);
}
