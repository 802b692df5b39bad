import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { errors } from '../../errors/errors.ts';
import type { Exchange } from '../../http/endpoint/authentication.ts';
import { clientAddress } from '../../http/gate/client-address.ts';
import type { MarketplaceName } from '../../operators/marketplace-name.ts';
import { normalizeEmail } from '../../users/add-user.ts';
import { hashSecret } from '../../users/link-token.ts';
import { deleteSessionByToken, deleteSessionOfUser } from '../../users/session-queries.ts';
import { type Limit, limitAttempts, limitNetworks, limits, takeAttempt } from '../attempts/limit-attempts.ts';
import { consoleStatuses } from '../errors.ts';
import { inNetworkTurn, type NetworkTurnServices } from '../network-turn.ts';
import { textIn } from '../text-in.ts';
import { auditAuthCall } from './audit-auth-call.ts';
import { type AuthEndpoint, betterAuthEndpoints, prompts } from './better-auth-endpoints.ts';
import { type AuthResponse, callAuth, findSession } from './call-auth.ts';
import { guardTwoFactor } from './guard-two-factor.ts';
import { hasValidLength } from './passwords.ts';
import { withoutPasswords } from './passwords-off.ts';
import type { Realm, RealmCaller } from './realm.ts';
import { rejectCommonPassword } from './reject-common-password.ts';
import { pageBody, toConsoleError } from './responses.ts';
import type { SignIn } from './sign-in.ts';

/** What endpoints without a session use. */
export interface PublicServices extends NetworkTurnServices {
  config: Config;
  marketplaceName: MarketplaceName;
  database: Database;
  now: () => number;
}

export interface AuthServices<Caller extends RealmCaller> extends PublicServices, SignIn<Caller> {}

/**
 * Registers a realm's calls below `/auth`: sign-in, sign-out, passwords, two-factor authentication. Not with
 * `registerConsoleEndpoint`, because most of the calls come before there is a session.
 */
export function authEndpoints<Caller extends RealmCaller>(
  app: FastifyInstance,
  services: AuthServices<Caller>,
): void {
  for (const endpoint of betterAuthEndpoints) {
    app.post(
      `/auth${endpoint.path}`,
      { config: { statuses: [200, 409, ...consoleStatuses] } },
      (request, reply) => handle(services, endpoint, request, reply),
    );
  }
}

async function handle<Caller extends RealmCaller>(
  services: AuthServices<Caller>,
  endpoint: AuthEndpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { caller, body } = await inNetworkTurn(services, request, async () => {
    const caller = await findCaller(services, endpoint, { request, reply });
    const body = readFields(endpoint, request.body);
    await limit(services, endpoint, { request, caller, body });
    await guardTwoFactor(services, endpoint.path, caller);
    return { caller, body };
  });
  const auth = await services.auth();
  const response = await services.passwords.serve(request, services.config, async () => {
    await rejectCommonPassword(services, endpoint.session ? caller : undefined, body);
    const sent = await withoutPasswords(services, endpoint, body);
    if (endpoint.path === '/reset-password' && hasValidLength(textIn(body, 'newPassword')))
      await acceptLink(services, { request, reply }, textIn(body, 'token'));
    return await callAuth({ ...services, auth }, request, reply, {
      path: endpoint.path,
      body: { ...sent, ...(await issuerOf(services, endpoint)) },
    });
  });
  if (response.status !== 200) throw toConsoleError(response.status, response.body.code, endpoint.fields);
  await rejectReusedCode(services, endpoint, { caller, body, response });
  if (endpoint.path === '/sign-in/email' && caller !== undefined) await endReplacedSession(services, caller);
  await auditAuthCall(services, endpoint, caller, response);
  return reply.send(pageBody(response.body));
}

/** The person may have no shop, so that there is no caller. */
async function acceptLink<Caller extends RealmCaller>(
  services: AuthServices<Caller>,
  exchange: Exchange,
  token: string,
): Promise<void> {
  const found = await findSession(services, exchange);
  await services.realm.acceptLink(services, { token, signedIn: found?.user.id });
}

/** What authenticator apps call the account. */
async function issuerOf(
  { marketplaceName }: Pick<PublicServices, 'marketplaceName'>,
  { setsUpTwoFactor }: AuthEndpoint,
): Promise<{ issuer?: string }> {
  return setsUpTwoFactor ? { issuer: await marketplaceName.read() } : {};
}

/** @throws {DomainError} 401 or 403 if the endpoint requires a session that the request does not have */
async function findCaller<Caller extends RealmCaller>(
  { currentSession }: AuthServices<Caller>,
  { session, setsUpTwoFactor }: AuthEndpoint,
  exchange: Exchange,
): Promise<Caller | undefined> {
  if (!session) return await currentSession.find(exchange);
  return setsUpTwoFactor ? await currentSession.requireAny(exchange) : await currentSession.require(exchange);
}

/** @throws {DomainError} 400 if a field of the endpoint is missing or not text */
function readFields({ fields, fixed }: AuthEndpoint, body: unknown): Record<string, unknown> {
  const input = (body ?? {}) as Record<string, unknown>;
  const problems = fields
    .filter((name) => !isText(input[name]))
    .map((field) => ({ field, reason: prompts[field] }));
  if (problems.length > 0) throw errors.invalid_fields(problems);
  return { ...Object.fromEntries(fields.map((name) => [name, input[name]])), ...fixed };
}

/** Non-empty, and the database can store it. */
function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && !value.includes('\0') && value.isWellFormed();
}

async function limit<Caller extends RealmCaller>(
  services: AuthServices<Caller>,
  { byNetwork, byAccount }: AuthEndpoint,
  {
    request,
    caller,
    body,
  }: { request: FastifyRequest; caller: RealmCaller | undefined; body: Record<string, unknown> },
): Promise<void> {
  const address = clientAddress(request, services.config.trustedProxies);
  const subject = typeof body.email === 'string' ? normalizeEmail(body.email) : caller?.user.id;
  const account =
    byAccount === undefined || subject === undefined
      ? undefined
      : { limit: ofAccount(services, byAccount), subject };
  // In one transaction, because attempts from many networks wait for their commits.
  if (byNetwork !== undefined) await limitNetworks(services, ofRealm(services, byNetwork), address, account);
  else if (account !== undefined) await limitAttempts(services, account.limit, account.subject);
}

/** The limit of an account, with counts of the realm. */
function ofAccount({ realm }: { realm: Pick<Realm, 'attempts' | 'passwordTries'> }, limit: Limit): Limit {
  const attempts = limit === limits.signInByAccount ? limit.attempts * realm.passwordTries : limit.attempts;
  return ofRealm({ realm }, { ...limit, attempts });
}

/** The limit, with counts of the realm. */
export function ofRealm({ realm }: { realm: { attempts: string } }, limit: Limit): Limit {
  return { ...limit, name: `${realm.attempts}${limit.name}` };
}

/** Ends the browser's previous session after a new sign-in has overwritten its cookie. */
export async function endReplacedSession(
  { database }: Pick<PublicServices, 'database'>,
  { sessionId, user }: RealmCaller,
): Promise<void> {
  await database.transaction((connection) =>
    connection.run(deleteSessionOfUser, { sessionId, userId: user.id }),
  );
}

/**
 * Ends the session if its code was used before, because an onlooker could have seen it (RFC 6238, 5.2).
 * @throws {DomainError} 400 for a code that was used before
 */
async function rejectReusedCode<Caller extends RealmCaller>(
  services: AuthServices<Caller>,
  { path, fields }: AuthEndpoint,
  {
    caller,
    body,
    response,
  }: { caller: RealmCaller | undefined; body: Record<string, unknown>; response: AuthResponse },
): Promise<void> {
  const { user, token } = response.body;
  if (path !== '/two-factor/verify-totp' || caller !== undefined || user === undefined) return;
  if ((await takeAttempt(services, ofRealm(services, limits.codeOnce), `${user.id} ${body.code}`)) === 0)
    return;
  await services.database.transaction((connection) =>
    connection.run(deleteSessionByToken, { tokenHash: hashSecret(token ?? '') }),
  );
  throw toConsoleError(400, 'INVALID_CODE', fields);
}
