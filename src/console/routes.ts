import type { FastifyInstance } from 'fastify';
import { pathOf } from '../http/gate/request-target.ts';
import { contextOf } from '../http/request-context.ts';
import { requestErrors } from '../http/responses/request-errors.ts';
import type { Metrics } from '../observability/metrics.ts';
import { auditRoutes } from './audit/routes.ts';
import { authRoutes } from './auth/routes.ts';
import type { SignIn } from './auth/sign-in.ts';
import type { ConsoleGate } from './endpoint.ts';
import { consoleGuard } from './guard.ts';
import { type MerchantRouteServices, merchantRoutes } from './merchant-routes.ts';
import { PAGES, pageRoutes } from './pages/routes.ts';
import { passwordLinkRoutes } from './password-links/routes.ts';
import { registrationLinkRoutes } from './registration/link-routes.ts';
import { registrationRoutes } from './registration/routes.ts';
import { currentSessionRoutes } from './sessions/current-session-routes.ts';
import { sessionAuthentication } from './sessions/session-authentication.ts';

export interface ConsoleServices extends MerchantRouteServices, Omit<ConsoleGate, 'authentication'>, SignIn {
  metrics: Metrics;
}

export async function consoleRoutes(app: FastifyInstance, services: ConsoleServices): Promise<void> {
  const { config, database, metrics, passwords } = services;
  app.decorate('consoleGate', { ...services, authentication: sessionAuthentication(services) });
  app.addHook('onRequest', async (request, reply) => {
    // A request that `isConsoleTarget` did not recognize would get no console headers.
    if (!contextOf(request.raw).isConsole) throw requestErrors.not_found(pathOf(request.url));
    reply.header('x-request-id', request.id);
  });
  metrics.gauge('passwords_waiting', 'Passwords waiting to be hashed.', () => passwords.waiting);
  pageRoutes(app, PAGES);
  await app.register(
    async (api) => {
      consoleGuard(api, config);
      currentSessionRoutes(api, services);
      authRoutes(api, services);
      passwordLinkRoutes(api, services);
      registrationLinkRoutes(api, services);
      registrationRoutes(api, services);
      auditRoutes(api, database);
      await api.register((scope) => merchantRoutes(scope, services));
    },
    { prefix: '/console/api' },
  );
}
