import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { runVerb } from '../../database/write-context.ts';
import type { Exchange } from '../../http/endpoint/authentication.ts';
import { readSelfSigned } from '../../http/tls/files.ts';
import { findTestSide } from '../../merchants/queries.ts';
import { findEndOfViews } from '../../operators/support-views/queries.ts';
import { formatTime } from '../../shared/timestamps.ts';
import { listShopsOfSession } from '../../users/membership-queries.ts';
import { limitAttempts, limits } from '../attempts/limit-attempts.ts';
import type { ConsoleOptions, ConsoleSession } from '../console-api.ts';
import { consoleErrors, consoleStatuses } from '../errors.ts';
import { ownOrigin } from '../guard.ts';
import { inNetworkTurn } from '../network-turn.ts';
import { singleSignOnOption } from '../single-sign-on/single-sign-on-endpoints.ts';
import { type ConsoleCaller, missingTwoFactor } from './console-callers.ts';
import type { CurrentSession } from './current-session.ts';
import { switchShop } from './switch-shop.ts';

interface Services {
  config: Config;
  database: Database;
  now: () => number;
  currentSession: CurrentSession<ConsoleCaller>;
}

/**
 * Not with `registerConsoleEndpoint`: `GET /session` and `POST /session/shop` also serve users who must set
 * up two-factor authentication first, and users of suspended merchants; `GET /options` needs no session.
 */
export function currentSessionEndpoints(app: FastifyInstance, services: Services): void {
  const { config, currentSession } = services;
  const options = { config: { statuses: [200, ...consoleStatuses] } };
  app.get('/session', options, async (request, reply) =>
    inNetworkTurn(app.consoleGate, request, () => describe(services, { request, reply })),
  );
  app.post(
    '/session/shop',
    { config: { statuses: [200, 404, ...consoleStatuses] } },
    async (request, reply) =>
      inNetworkTurn(app.consoleGate, request, async () => {
        const { sessionId, user, who } = await currentSession.requireAny({ request, reply });
        const merchantId = readMerchant(request.body);
        await limitAttempts(services, limits.switchByAccount, user.id);
        await runVerb(services, { merchantId, who }, switchShop, { userId: user.id, sessionId });
        currentSession.forget(request);
        return await describe(services, { request, reply });
      }),
  );
  app.get(
    '/options',
    options,
    async (): Promise<ConsoleOptions> => ({
      self_registration: config.selfRegistration,
      mail: config.mail !== null,
      single_sign_on: singleSignOnOption(config.merchantOidc),
    }),
  );
}

/** When the last open support view of a merchant ends; null if there is none. */
async function endOfSupportViews(
  { database, now }: Pick<Services, 'database' | 'now'>,
  merchantId: number,
): Promise<string | null> {
  const row = await database.first(findEndOfViews, { merchantId, now: now() });
  return row === undefined || row.ends_at === null ? null : formatTime(row.ends_at);
}

function shopsOf(
  database: Database,
  { user: { id: userId }, sessionId }: ConsoleCaller,
): Promise<ConsoleSession['shops']> {
  return database.all(listShopsOfSession, { userId, sessionId });
}

/** @throws {DomainError} 404 for anything that cannot be a merchant's ID */
function readMerchant(body: unknown): number {
  const { merchant_id: id } = (body ?? {}) as { merchant_id?: unknown };
  if (typeof id === 'number' && Number.isSafeInteger(id) && id > 0) return id;
  throw consoleErrors.missing('This shop doesn’t exist, or you aren’t one of its users.');
}

async function describe(
  { config, database, now, currentSession }: Services,
  exchange: Exchange,
): Promise<ConsoleSession> {
  const caller = await currentSession.requireAny(exchange);
  const { user, merchant, twoFactorRequiredBy, supportView } = caller;
  const { id, name, time_zone, currency, created_at } = merchant;
  return {
    two_factor_missing: missingTwoFactor(caller) !== null,
    two_factor_required_by: twoFactorRequiredBy,
    suspended: merchant.suspended_at !== null && supportView === undefined,
    suspension_reason: merchant.suspension_reason,
    by_provider: caller.byProvider,
    support_view:
      supportView === undefined
        ? null
        : { ends_at: formatTime(supportView.endsAt), suspended: merchant.suspended_at !== null },
    support_until: supportView === undefined ? await endOfSupportViews({ database, now }, id) : null,
    user,
    merchant: { id, name, time_zone, currency, created_at: formatTime(created_at) },
    shops: supportView === undefined ? await shopsOf(database, caller) : [],
    test_data: (await database.first(findTestSide, { merchantId: id }))?.has_test_side === 1,
    api_url: `${ownOrigin(exchange.request, config)}${config.basePath}`,
    certificate: await readSelfSigned(config),
  };
}
