import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { readSelfSigned } from '../../http/tls/files.ts';
import { findEndOfViews } from '../../operators/support-views/queries.ts';
import { formatTime } from '../../shared/timestamps.ts';
import type { ConsoleOptions, ConsoleSession } from '../console-api.ts';
import { consoleStatuses } from '../errors.ts';
import { ownOrigin } from '../guard.ts';
import { inNetworkTurn } from '../network-turn.ts';
import { singleSignOnOption } from '../single-sign-on/single-sign-on-endpoints.ts';
import { type ConsoleCaller, missingTwoFactor } from './console-callers.ts';
import type { CurrentSession } from './current-session.ts';

interface CurrentSessionServices {
  config: Config;
  currentSession: CurrentSession<ConsoleCaller>;
  database: Database;
  now: () => number;
}

/**
 * Not with `registerConsoleEndpoint`: `GET /session` also serves users who must set up two-factor
 * authentication first, and users of suspended merchants; `GET /options` needs no session.
 */
export function currentSessionEndpoints(
  app: FastifyInstance,
  { config, currentSession, database, now }: CurrentSessionServices,
): void {
  const options = { config: { statuses: [200, ...consoleStatuses] } };
  app.get('/session', options, async (request, reply): Promise<ConsoleSession> => {
    const caller = await inNetworkTurn(app.consoleGate, request, () =>
      currentSession.requireAny({ request, reply }),
    );
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
      api_url: `${ownOrigin(request, config)}${config.basePath}`,
      certificate: await readSelfSigned(config),
    };
  });
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
  { database, now }: Pick<CurrentSessionServices, 'database' | 'now'>,
  merchantId: number,
): Promise<string | null> {
  const row = await database.first(findEndOfViews, { merchantId, now: now() });
  return row === undefined || row.ends_at === null ? null : formatTime(row.ends_at);
}
