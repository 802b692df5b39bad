import type { FastifyInstance } from 'fastify';
import { pathOf } from '../http/gate/request-target.ts';
import { contextOf } from '../http/request-context.ts';
import { requestErrors } from '../http/responses/request-errors.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { MarketplaceName } from '../operators/marketplace-name.ts';
import { authEndpoints } from './auth/auth-endpoints.ts';
import { consoleRealm } from './auth/console-realm.ts';
import type { SignIn } from './auth/sign-in.ts';
import { consoleGuard } from './guard.ts';
import { acceptInvitationEndpoint } from './invitations/accept-endpoint.ts';
import { consolePages } from './pages/page-endpoints.ts';
import { addPasskeyEndpoints } from './passkeys/add-endpoints.ts';
import { passkeySignInEndpoints } from './passkeys/sign-in-endpoints.ts';
import { passwordLinkEndpoints } from './password-links/password-link-endpoints.ts';
import type { ConsoleGate } from './register-endpoint.ts';
import { registrationEndpoint } from './registration/registration-endpoint.ts';
import { registrationLinkEndpoints } from './registration/registration-link-endpoints.ts';
import type { ConsoleCaller } from './sessions/console-callers.ts';
import { currentSessionEndpoints } from './sessions/current-session-endpoints.ts';
import { requireConsoleRole, sessionAuthentication } from './sessions/session-authentication.ts';
import { type SignedInServices, signedInEndpoints } from './signed-in-endpoints.ts';
import { singleSignOnEndpoints } from './single-sign-on/single-sign-on-endpoints.ts';
import { refuseWritesOfSupportView, supportViewEndpoints } from './support-view/support-view-endpoints.ts';

export interface ConsoleServices
  extends SignedInServices,
    Omit<ConsoleGate, 'authentication'>,
    SignIn<ConsoleCaller> {
  metrics: Metrics;
  marketplaceName: MarketplaceName;
}

export async function consoleEndpoints(app: FastifyInstance, services: ConsoleServices): Promise<void> {
  const { config, metrics, passwords, marketplaceName } = services;
  app.decorate('consoleGate', {
    ...services,
    authentication: sessionAuthentication(services, requireConsoleRole),
  });
  app.addHook('onRequest', async (request, reply) => {
    // A request that `isConsoleTarget` did not recognize would get no console headers.
    if (!contextOf(request.raw).isConsole) throw requestErrors.not_found(pathOf(request.url));
    reply.header('x-request-id', request.id);
  });
  metrics.gauge('passwords_waiting', 'Passwords waiting to be hashed.', () => passwords.waiting);
  consolePages(app, { brand: config.brand, marketplaceName });
  await app.register(
    async (api) => {
      consoleGuard(api, config);
      refuseWritesOfSupportView(api, services);
      supportViewEndpoints(api, services);
      currentSessionEndpoints(api, services);
      authEndpoints(api, services);
      passkeySignInEndpoints(api, services);
      addPasskeyEndpoints(api, services);
      singleSignOnEndpoints(api, services);
      passwordLinkEndpoints(api, services);
      acceptInvitationEndpoint(api, services);
      registrationLinkEndpoints(api, services);
      registrationEndpoint(api, services);
      await api.register((plugin) => signedInEndpoints(plugin, services));
    },
    { prefix: consoleRealm.apiPath },
  );
}
