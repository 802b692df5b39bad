import type { FastifyInstance } from 'fastify';
import { clientAddress } from '../../http/gate/client-address.ts';
import { queueMail } from '../../mail/new-mail.ts';
import { limitAttempts, limitNetworks, limits, takeAttempt } from '../attempts/limit-attempts.ts';
import type { PublicServices } from '../auth/auth-endpoints.ts';
import type { RegistrationLinkState } from '../console-api.ts';
import { consoleErrors, consoleStatuses } from '../errors.ts';
import { inNetworkTurn } from '../network-turn.ts';
import { textIn } from '../text-in.ts';
import { findConfirmedEmail } from './queries.ts';
import { readEmail } from './read-email.ts';
import { hashRegistrationToken } from './registration-link.ts';

/**
 * The calls need no session. `POST /registration-links` mails a link, unless one was mailed in the last 20
 * minutes. Only the process that sends the mail looks for a user, and tells a user about the account.
 */
export function registrationLinkEndpoints(app: FastifyInstance, services: PublicServices): void {
  const { config, database } = services;
  const requireOpen = (): void => {
    if (!config.selfRegistration) throw consoleErrors.registration_closed();
    if (config.mail === null) throw consoleErrors.no_registration_mail();
  };
  app.post(
    '/registration-links',
    { config: { statuses: [202, ...consoleStatuses] } },
    async (request, reply) => {
      requireOpen();
      await inNetworkTurn(services, request, async () => {
        const address = readEmail(request.body);
        const client = clientAddress(request, config.trustedProxies);
        await limitNetworks(services, limits.registrationByNetwork, client);
        // Before the address: its attempt is used up only if its mail is sent.
        await limitAttempts(services, limits.registrationLinks, 'anyone');
        // Not a refusal, because others may have requested the link that is still valid.
        if ((await takeAttempt(services, limits.registrationLinkByAccount, address)) > 0) return;
        const mail = { kind: 'registration', merchantId: null, userId: null, address, data: {} } as const;
        await database.transaction((connection) => queueMail(connection, mail));
      });
      return reply.code(202).send({ status: true });
    },
  );
  app.post(
    '/registration-links/check',
    { config: { statuses: [200, ...consoleStatuses] } },
    async (request) => {
      requireOpen();
      const token = textIn(request.body, 'token');
      return await inNetworkTurn(services, request, async (): Promise<RegistrationLinkState> => {
        await limitNetworks(services, limits.linkByNetwork, clientAddress(request, config.trustedProxies));
        const identifierHash = hashRegistrationToken(token);
        const found = await database.first(findConfirmedEmail, { identifierHash, now: services.now() });
        return { email: found?.email ?? null, has_account: found?.has_account === 1 };
      });
    },
  );
}
