import type { FastifyInstance, FastifyRequest } from 'fastify';
import { operatorUser } from '../../audit/record-audit.ts';
import { runVerb, type VerbCaller } from '../../database/write-context.ts';
import { clientAddress } from '../../http/gate/client-address.ts';
import {
  type FoundView,
  findOpenView,
  findReturnOfView,
  findUnopenedView,
} from '../../operators/support-views/queries.ts';
import { endSupportView, openSupportView } from '../../operators/support-views/support-views.ts';
import { hashSecret } from '../../users/link-token.ts';
import { limitNetworks, limits } from '../attempts/limit-attempts.ts';
import type { PublicServices } from '../auth/auth-endpoints.ts';
import type { EndedSupportView } from '../console-api.ts';
import { consoleErrors, consoleStatuses } from '../errors.ts';
import { inNetworkTurn } from '../network-turn.ts';
import type { ConsoleCaller } from '../sessions/console-callers.ts';
import { type CurrentSession, cookieOf } from '../sessions/current-session.ts';
import { textIn } from '../text-in.ts';
import { SUPPORT_COOKIE } from './support-caller.ts';

const PATH = '/support-view';
const COOKIE_ATTRIBUTES = 'Path=/; HttpOnly; Secure; SameSite=Strict';
/** Longer than any view: whether one has ended is the server's to say. */
const COOKIE_SECONDS = 24 * 60 * 60;

/**
 * Registers the calls that open a support view with the code of an operator, and end it. The view's cookie is
 * apart from the session's, which stays for the time after.
 */
export function supportViewEndpoints(app: FastifyInstance, services: PublicServices): void {
  const { config, database, now } = services;
  const options = { config: { statuses: [200, ...consoleStatuses] } };
  const by = ({ merchant_id: merchantId, ...operator }: FoundView) => ({
    merchantId,
    who: operatorUser(operator),
  });
  const end = async (token: string): Promise<void> => {
    const view = await database.first(findOpenView, { secretHash: hashSecret(token), now: now() });
    if (view !== undefined) await runVerb(services, by(view), endSupportView, { token });
  };

  app.post(PATH, options, (request, reply) =>
    inNetworkTurn(services, request, async () => {
      await limitNetworks(services, limits.linkByNetwork, clientAddress(request, config.trustedProxies));
      const token = await open(services, textIn(request.body, 'code'), by);
      const replaced = cookieOf(request, SUPPORT_COOKIE);
      if (replaced !== undefined) await end(replaced);
      return reply.header('set-cookie', cookie(token, COOKIE_SECONDS)).send({ status: true });
    }),
  );
  app.delete(PATH, options, (request, reply) =>
    inNetworkTurn(services, request, async () => {
      const token = cookieOf(request, SUPPORT_COOKIE);
      const row = token && (await database.first(findReturnOfView, { tokenHash: hashSecret(token) }));
      if (token !== undefined) await end(token);
      const body: EndedSupportView = { return_to: row ? row.return_to : null };
      return reply.header('set-cookie', cookie('', 0)).send(body);
    }),
  );
}

/** Resolves to the token of the view's cookie. @throws {DomainError} `invalid` unless the code is valid */
async function open(
  services: PublicServices,
  code: string,
  by: (view: FoundView) => VerbCaller,
): Promise<string> {
  const { database, now } = services;
  const view = await database.first(findUnopenedView, { secretHash: hashSecret(code), now: now() });
  const token = view && (await runVerb(services, by(view), openSupportView, { id: view.id, code }));
  if (token === undefined)
    throw consoleErrors.invalid(
      'This link has expired or was already used. Open the support view again from the operator’s screen.',
    );
  return token;
}

function cookie(value: string, seconds: number): string {
  return `${SUPPORT_COOKIE}=${value}; Max-Age=${seconds}; ${COOKIE_ATTRIBUTES}`;
}

/**
 * Refuses writes of a support view also to calls that need no session, such as registration. Others find
 * their caller themselves, in the same way.
 */
export function refuseWritesOfSupportView(
  app: FastifyInstance,
  services: PublicServices & { currentSession: CurrentSession<ConsoleCaller> },
): void {
  app.addHook('onRequest', async (request, reply) => {
    if (isRead(request) || request.routeOptions.url?.endsWith(`/api${PATH}`) === true) return;
    if (cookieOf(request, SUPPORT_COOKIE) === undefined) return;
    await inNetworkTurn(services, request, () => services.currentSession.find({ request, reply }));
  });
}

function isRead({ method }: Pick<FastifyRequest, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD';
}
