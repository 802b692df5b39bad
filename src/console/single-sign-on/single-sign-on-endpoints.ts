import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BudgetExceeded } from '../../budgets/budgets.ts';
import { DomainError } from '../../errors/domain-error.ts';
import type { Exchange } from '../../http/endpoint/authentication.ts';
import { clientAddress } from '../../http/gate/client-address.ts';
import type { OidcSettings } from '../../oidc/oidc-settings.ts';
import { limitNetworks, limits } from '../attempts/limit-attempts.ts';
import { recordProviderSignIn } from '../auth/audit-auth-call.ts';
import { type AuthServices, endReplacedSession, ofRealm } from '../auth/auth-endpoints.ts';
import { beginSession } from '../auth/call-auth.ts';
import type { Realm, RealmCaller } from '../auth/realm.ts';
import type { SignInProblem, SingleSignOnOption, SingleSignOnStart } from '../console-api.ts';
import { consoleErrors, consoleStatuses } from '../errors.ts';
import { ownOrigin } from '../guard.ts';
import { inNetworkTurn } from '../network-turn.ts';
import { type IdentityProvider, ProviderError } from './identity-provider.ts';
import { addPending, PENDING_SECONDS, type PendingSignIn, takePendingSignIn } from './pending-sign-in.ts';
import type { SignInOutcome } from './people.ts';
import { pagesOf, problemPage, returnPath } from './return-path.ts';
import { readStateCookie, setStateCookie } from './state-cookie.ts';

const CALLBACK = '/auth/single-sign-on/callback';
const MAX_STATE_LENGTH = 200;

/** What pages without a session need to know of a realm's provider. */
export function singleSignOnOption(oidc: OidcSettings | null): SingleSignOnOption | null {
  return oidc === null ? null : { name: oidc.name, only: oidc.only };
}

/**
 * Registers a realm's calls for single sign-on. `POST /auth/single-sign-on` starts it, for the realm's own
 * pages only. The browser comes back to the callback, which always sends it on to one of the realm's pages.
 */
export function singleSignOnEndpoints<Caller extends RealmCaller>(
  app: FastifyInstance,
  services: AuthServices<Caller>,
): void {
  const { identityProvider: provider } = services;
  app.post(
    '/auth/single-sign-on',
    { config: { statuses: [200, 404, 409, ...consoleStatuses] } },
    async (request, reply): Promise<SingleSignOnStart> => {
      if (provider === null) throw consoleErrors.missing('Single sign-on isn’t set up.');
      return await start(services, provider, { request, reply });
    },
  );
  app.get(
    CALLBACK,
    { config: { statuses: [303, 404, ...consoleStatuses] } },
    async (request, reply): Promise<FastifyReply> => {
      if (provider === null) throw consoleErrors.missing('Single sign-on isn’t set up.');
      return reply.redirect(await finish(services, provider, { request, reply }), 303);
    },
  );
}

async function start<Caller extends RealmCaller>(
  services: AuthServices<Caller>,
  provider: IdentityProvider,
  { request, reply }: Exchange,
): Promise<SingleSignOnStart> {
  const { realm, database, config, now } = services;
  const address = clientAddress(request, config.trustedProxies);
  await inNetworkTurn(services, request, () =>
    limitNetworks(services, ofRealm(services, limits.signInByNetwork), address),
  );
  const { next } = (request.body ?? {}) as { next?: unknown };
  const { url, challenge } = await provider.begin(redirectUri(services, request)).catch((error: unknown) => {
    logFault(request, error);
    throw consoleErrors.conflict(`${provider.settings.name} can’t be reached. Try again later.`);
  });
  const pending = { ...challenge, next: returnPath(pagesOf(realm), next) };
  await inNetworkTurn(services, request, () =>
    database.transaction((connection) =>
      addPending(connection, { realm: realm.apiPath, pending, now: now() }),
    ),
  );
  setStateCookie(realm, reply, {
    purpose: 'single_sign_on',
    value: challenge.state,
    seconds: PENDING_SECONDS,
  });
  return { url };
}

/** Resolves to the page to go to. */
async function finish<Caller extends RealmCaller>(
  services: AuthServices<Caller>,
  provider: IdentityProvider,
  exchange: Exchange,
): Promise<string> {
  const { realm } = services;
  const { request, reply } = exchange;
  setStateCookie(realm, reply, { purpose: 'single_sign_on', value: '', seconds: 0 });
  const url = new URL(`${redirectUri(services, request)}${searchOf(request)}`);
  const taken = await inNetworkTurn(services, request, () => takePending(services, request, url)).catch(
    (error: unknown): SignInProblem => {
      if (error instanceof DomainError && error.code === 'too_many_attempts') return 'too_many_attempts';
      throw error;
    },
  );
  if (typeof taken === 'string') return problemPage(realm, taken);
  const outcome = await signIn(services, provider, { exchange, url, pending: taken });
  return outcome === undefined ? taken.next : problemPage(realm, outcome, taken.next);
}

/** Resolves to what the browser was sent away with, and with a problem if it is not the same browser. */
async function takePending<Caller extends RealmCaller>(
  services: AuthServices<Caller>,
  request: FastifyRequest,
  url: URL,
): Promise<PendingSignIn | SignInProblem> {
  const { realm, config, database, now } = services;
  const address = clientAddress(request, config.trustedProxies);
  const state = url.searchParams.get('state') ?? '';
  if (
    state === '' ||
    state.length > MAX_STATE_LENGTH ||
    readStateCookie(realm, request, 'single_sign_on') !== state
  )
    return 'expired';
  // Only now: any page can make a browser call without the cookie's state.
  await limitNetworks(services, ofRealm(services, limits.codeByNetwork), address);
  const taken = await database.transaction((connection) =>
    takePendingSignIn(connection, { realm: realm.apiPath, state, now: now() }),
  );
  return taken ?? 'expired';
}

/** Resolves to a problem, or to undefined once there is a session. */
async function signIn<Caller extends RealmCaller>(
  services: AuthServices<Caller>,
  provider: IdentityProvider,
  { exchange, url, pending }: { exchange: Exchange; url: URL; pending: PendingSignIn },
): Promise<SignInProblem | undefined> {
  const { realm, database, config, now } = services;
  const replaced = await services.currentSession.findOpen(exchange);
  let outcome: SignInOutcome;
  try {
    const person = await provider.finish(url, pending);
    outcome = await database.transaction(
      (connection) => {
        const { dialect } = database;
        return realm.signInPerson({ connection, dialect, now: now(), budgets: config.budgets }, person);
      },
      { everyNode: true },
    );
  } catch (error) {
    return problemOf(exchange.request, error);
  }
  if ('refusal' in outcome) return outcome.refusal;
  const { user, merchantId } = outcome;
  const session = { userId: user.id, passkeyId: null };
  const token = await beginSession({ auth: await services.auth() }, exchange, session);
  if (replaced !== undefined) await endReplacedSession(services, replaced);
  await recordProviderSignIn(services, { merchantId, user, token, provider: provider.settings.name });
  return undefined;
}

/** @throws what is no fault of the provider or the person */
function problemOf(request: FastifyRequest, error: unknown): SignInProblem {
  if (error instanceof ProviderError) {
    logFault(request, error);
    return error.fault;
  }
  if (error instanceof BudgetExceeded) return 'too_many_users';
  if (error instanceof DomainError && error.code === 'invalid_fields') {
    request.log.warn(`single sign-on: no user could be created: ${error.message}`);
    return 'no_access';
  }
  throw error;
}

function logFault({ log }: FastifyRequest, error: unknown): void {
  if (!(error instanceof ProviderError)) throw error;
  log.warn({ fault: error.fault, reason: error.message }, 'single sign-on failed');
}

/** As it is registered with the provider. */
function redirectUri(
  { realm, config }: Pick<AuthServices<RealmCaller>, 'config'> & { realm: Pick<Realm, 'apiPath'> },
  request: FastifyRequest,
): string {
  return `${ownOrigin(request, config)}${realm.apiPath}${CALLBACK}`;
}

function searchOf({ raw }: FastifyRequest): string {
  const target = raw.url ?? '';
  const at = target.indexOf('?');
  return at === -1 ? '' : target.slice(at);
}
