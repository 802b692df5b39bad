import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config.ts';
import { readSelfSigned } from '../../http/tls/files.ts';
import { formatTime } from '../../shared/timestamps.ts';
import type { ConsoleOptions, ConsoleSession } from '../console-api.ts';
import { consoleStatuses } from '../errors.ts';
import { ownOrigin } from '../guard.ts';
import { inNetworkTurn } from '../network-turn.ts';
import { singleSignOnOption } from '../single-sign-on/single-sign-on-endpoints.ts';
import { type ConsoleCaller, missingTwoFactor } from './console-callers.ts';
import type { CurrentSession } from './current-session.ts';

/**
 * Not with `registerConsoleEndpoint`: `GET /session` also serves users who must set up two-factor
 * authentication first, and users of suspended merchants; `GET /options` needs no session.
 */
export function currentSessionEndpoints(
  app: FastifyInstance,
  { config, currentSession }: { config: Config; currentSession: CurrentSession<ConsoleCaller> },
): void {
  const options = { config: { statuses: [200, ...consoleStatuses] } };
  app.get('/session', options, async (request, reply): Promise<ConsoleSession> => {
    const caller = await inNetworkTurn(app.consoleGate, request, () =>
      currentSession.requireAny({ request, reply }),
    );
    const { user, merchant, twoFactorRequiredBy } = caller;
    const { id, name, time_zone, currency, created_at } = merchant;
    return {
      two_factor_missing: missingTwoFactor(caller) !== null,
      two_factor_required_by: twoFactorRequiredBy,
      suspended: merchant.suspended_at !== null,
      by_provider: caller.byProvider,
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
