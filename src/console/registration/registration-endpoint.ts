import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { clientAddress } from '../../http/gate/client-address.ts';
import { hashSecret } from '../../users/link-token.ts';
import { markSignedIn } from '../../users/membership-queries.ts';
import { limitAttempts, limitNetworks, limits } from '../attempts/limit-attempts.ts';
import type { AuthServices } from '../auth/auth-endpoints.ts';
import { prompts as authPrompts } from '../auth/better-auth-endpoints.ts';
import { callAuth } from '../auth/call-auth.ts';
import { consoleErrors, consoleStatuses } from '../errors.ts';
import { readFormFields } from '../form-fields.ts';
import { inNetworkTurn } from '../network-turn.ts';
import type { ConsoleCaller } from '../sessions/console-callers.ts';
import { findConfirmedEmail } from './queries.ts';
import { linkGone, type Registration, register } from './register.ts';
import { hashRegistrationToken } from './registration-link.ts';

/** What the form says of blank fields. The token of the link that confirmed the email replaces the email. */
const prompts = {
  merchant_name: 'Enter a shop name.',
  time_zone: 'Choose a time zone.',
  name: 'Enter your name.',
};
const promptsWithEmail = { ...prompts, email: authPrompts.email, password: 'Enter a password.' };
const promptsWithToken = { ...prompts, token: authPrompts.token, password: 'Enter a password.' };

/**
 * Registering needs no session, and signs the user in. With a mail server, a link's token replaces the email.
 */
export function registrationEndpoint(app: FastifyInstance, services: AuthServices<ConsoleCaller>): void {
  const { config, passwords } = services;
  app.post('/registration', { config: { statuses: [201, ...consoleStatuses] } }, async (request, reply) => {
    if (!config.selfRegistration) throw consoleErrors.registration_closed();
    const registration = await inNetworkTurn(services, request, () => readRegistration(services, request));
    const auth = await services.auth();
    await passwords.serve(request, config, async () => {
      await register(services, registration);
      const { email, password } = registration;
      const { body, sessionToken = '' } = await callAuth({ ...services, auth }, request, reply, {
        path: '/sign-in/email',
        body: { email, password },
      });
      if (body.user === undefined) return;
      const merchantId = await services.realm.merchantIdOf(services.database, body.user);
      if (merchantId === undefined) return;
      const session = { userId: body.user.id, tokenHash: hashSecret(sessionToken) };
      const signedIn = { ...session, merchantId, now: services.now() };
      await services.database.transaction(async (connection) => {
        for (const change of markSignedIn) await connection.run(change, signedIn);
      });
    });
    return reply.code(201).send({ status: true });
  });
}

/** @throws {DomainError} 400 for an invalid form or a link that does not work; 429 for too many attempts */
async function readRegistration(
  services: AuthServices<ConsoleCaller>,
  request: FastifyRequest,
): Promise<Registration> {
  const { config, database, now } = services;
  const address = clientAddress(request, config.trustedProxies);
  const registrationId = randomUUID();
  if (config.mail === null) {
    const form = readFormFields(request.body, promptsWithEmail);
    await limitNetworks(services, limits.registrationByNetwork, address);
    return { ...form, linkHash: null, registrationId };
  }
  const { token, ...form } = readFormFields(request.body, promptsWithToken);
  await limitNetworks(services, limits.linkByNetwork, address);
  const linkHash = hashRegistrationToken(token);
  const confirmed = await database.first(findConfirmedEmail, { identifierHash: linkHash, now: now() });
  if (confirmed === undefined) throw linkGone();
  const { email } = confirmed;
  await limitAttempts(services, limits.registrationByAccount, email);
  return { ...form, email, linkHash, registrationId };
}
