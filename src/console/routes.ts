import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { describeUser, recordAudit } from '../audit/record-audit.ts';
import { pathOf } from '../http/gate/request-target.ts';
import { contextOf } from '../http/request-context.ts';
import { requestErrors } from '../http/responses/request-errors.ts';
import type { Metrics } from '../observability/metrics.ts';
import { auditRoutes } from './audit/routes.ts';
import type { Auth } from './auth/auth.ts';
import { findConsoleCaller } from './auth/call-auth.ts';
import type { AuthUser } from './auth/constants.ts';
import { PasswordQueue } from './auth/password-queue.ts';
import { authRoutes } from './auth/routes.ts';
import type { ConsoleGate } from './endpoint.ts';
import { handleConsoleErrors } from './errors.ts';
import { consoleGuard } from './guard.ts';
import { type MerchantRouteServices, merchantRoutes } from './merchant-routes.ts';
import { PAGES, pageRoutes } from './pages/routes.ts';
import { passwordLinkRoutes } from './password-links/routes.ts';
import { registrationLinkRoutes } from './registration/link-routes.ts';
import { registrationRoutes } from './registration/routes.ts';
import { provideSessions } from './sessions/current-session.ts';
import { currentSessionRoutes } from './sessions/current-session-routes.ts';
import { deleteVerificationsOfUser } from './users/queries.ts';

export interface ConsoleServices extends MerchantRouteServices, ConsoleGate {
  metrics: Metrics;
  logger: FastifyBaseLogger;
}

export async function consoleRoutes(app: FastifyInstance, services: ConsoleServices): Promise<void> {
  const { config, database, metrics, overloadControl, unreadBytes, bodyMemory, verifier, networks } =
    services;
  app.decorate('consoleGate', { overloadControl, unreadBytes, bodyMemory, verifier, networks });
  app.addHook('onRequest', async (request, reply) => {
    // A request that `isConsoleTarget` did not recognize would get no console headers.
    if (!contextOf(request.raw).isConsole) throw requestErrors.not_found(pathOf(request.url));
    reply.header('x-request-id', request.id);
  });
  const passwords = new PasswordQueue();
  metrics.gauge('passwords_waiting', 'Passwords waiting to be hashed.', () => passwords.waiting);
  const auth = authOnDemand(services, passwords);
  await app.register(async (pages) => {
    handleConsoleErrors(pages, metrics);
    pageRoutes(pages, PAGES);
  });
  await app.register(
    async (api) => {
      consoleGuard(api, config, metrics);
      // Too many attempts, a locked account, or a budget that renews.
      api.addHook('onSend', async (_request, reply) => {
        if (reply.statusCode === 429) metrics.limited('console');
      });
      provideSessions(api, (request, reply) => findConsoleCaller({ auth, database, config }, request, reply));
      currentSessionRoutes(api, config);
      authRoutes(api, { ...services, auth, passwords });
      passwordLinkRoutes(api, services);
      registrationLinkRoutes(api, services);
      registrationRoutes(api, { ...services, auth, passwords });
      auditRoutes(api, database);
      await api.register((scope) => merchantRoutes(scope, services));
    },
    { prefix: '/console/api' },
  );
}

/** Created on demand, because a server that only serves the API does not need it. */
function authOnDemand(
  { database, now, logger }: ConsoleServices,
  passwords: PasswordQueue,
): () => Promise<Auth> {
  let created: Promise<Auth> | undefined;
  const onPasswordSet = async (user: AuthUser): Promise<void> => {
    const entry = { merchantId: user.merchantId, who: describeUser(user), subject: null };
    await database.transaction(
      async (connection) => {
        // A user can have links in several mails.
        await connection.run(deleteVerificationsOfUser, { userId: user.id });
        await recordAudit(connection, { ...entry, action: 'user.password_changed' }, now());
      },
      { merchantId: user.merchantId },
    );
  };
  return () => {
    created ??= import('./auth/auth.ts')
      .then(({ createAuth }) => createAuth({ database, now, logger, passwords, onPasswordSet }))
      .catch((error) => {
        created = undefined;
        throw error;
      });
    return created;
  };
}
