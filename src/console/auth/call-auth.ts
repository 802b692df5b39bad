import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import type { Exchange } from '../../http/endpoint/authentication.ts';
import { hasSessionCookie } from '../sessions/current-session.ts';
import type { IdentityProvider } from '../single-sign-on/identity-provider.ts';
import type { Auth } from './auth.ts';
import { AUTH_ORIGIN, AUTH_PATH } from './constants.ts';
import { mayUsePassword } from './passwords-off.ts';
import {
  type AuthUser,
  isTooOld,
  type Realm,
  type RealmCaller,
  type RealmSession,
  sessionCookieName,
} from './realm.ts';
import type { AuthBody } from './responses.ts';

/** A response of better-auth. Its cookies are already set on the reply. */
export interface AuthResponse {
  status: number;
  body: AuthBody & { code?: string; token?: string | null; user?: AuthUser };
  /** The token of the session that the call started. */
  sessionToken: string | undefined;
}

const MAX_USER_AGENT_LENGTH = 200;

/** Calls better-auth with the request's cookies and `User-Agent`, and with the given body. */
export async function callAuth(
  { auth, realm }: { auth: Auth; realm: Pick<Realm, 'cookiePrefix'> },
  request: FastifyRequest,
  reply: FastifyReply,
  { path, body }: { path: string; body: Record<string, unknown> },
): Promise<AuthResponse> {
  const response = await auth.handler(
    new Request(`${AUTH_ORIGIN}${AUTH_PATH}${path}`, {
      method: 'POST',
      headers: {
        ...Object.fromEntries(headersOf(request)),
        origin: AUTH_ORIGIN,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    }),
  );
  const cookies = response.headers.getSetCookie();
  addCookies(reply, cookies);
  const text = await response.text();
  return {
    status: response.status,
    body: text === '' ? {} : JSON.parse(text),
    // Of several cookies with the same name, browsers keep the last one.
    sessionToken: cookies
      .map((cookie) => readSessionToken(realm, cookie))
      .findLast((token) => token !== undefined),
  };
}

/**
 * Begins the session of a user whom a passkey has signed in, or with null an identity provider, and sets its
 * cookie. Resolves to the session's token.
 */
export async function beginSession(
  { auth }: { auth: Auth },
  { request, reply }: Exchange,
  user: { userId: string; passkeyId: string | null },
): Promise<string> {
  const { headers, response } = await unwrapErrors(
    auth.api.beginSession({ body: user, headers: headersOf(request), returnHeaders: true }),
  );
  addCookies(reply, headers.getSetCookie());
  return response.token;
}

function headersOf({ headers }: FastifyRequest): Headers {
  return new Headers({
    cookie: headers.cookie ?? '',
    'user-agent': headers['user-agent']?.slice(0, MAX_USER_AGENT_LENGTH) ?? '',
  });
}

/** On Node's own response, because most responses are not sent with Fastify's `send`. */
function addCookies({ raw }: FastifyReply, cookies: readonly string[]): void {
  for (const cookie of cookies) raw.appendHeader('set-cookie', cookie);
}

/** Reads the token of a session's `Set-Cookie`, where a signature follows it. */
function readSessionToken(realm: Pick<Realm, 'cookiePrefix'>, cookie: string): string | undefined {
  const [name, value = ''] = cookie.split(';', 1)[0]?.split('=', 2) ?? [];
  if (name !== sessionCookieName(realm)) return undefined;
  return decodeURIComponent(value).split('.', 1)[0] || undefined;
}

interface SessionSources {
  realm: Pick<Realm, 'cookiePrefix' | 'sessionMs' | 'findPasswordAllowed'>;
  auth: () => Promise<Auth>;
  database: Pick<Database, 'first'>;
  identityProvider: IdentityProvider | null;
  now: () => number;
}

/**
 * Finds the session of a request's cookie. From time to time, renews both. A session by password ends
 * when the settings switch passwords off, unless the user's still works.
 */
export async function findCaller<Caller extends RealmCaller>(
  sources: SessionSources & { realm: Realm<Caller>; config: Config },
  exchange: Exchange,
): Promise<Caller | undefined> {
  const found = await findSession(sources, exchange);
  return found && (await sources.realm.callerOf(sources, found.user, found.session));
}

/** Finds the session of a request's cookie, of a person who may have no shop. Renews as `findCaller`. */
export async function findSession(
  sources: SessionSources,
  { request, reply }: Exchange,
): Promise<{ user: AuthUser; session: RealmSession } | undefined> {
  const { realm, auth, now } = sources;
  if (!hasSessionCookie(realm, request)) return undefined;
  const { cookie = '' } = request.headers;
  const { headers, response } = await unwrapErrors(
    (await auth()).api.getSession({
      headers: new Headers({ cookie }),
      returnHeaders: true,
    }),
  );
  addCookies(reply, headers.getSetCookie());
  if (response === null) return undefined;
  const { id, byProvider, passkeyId, createdAt } = response.session;
  const session = { id, byProvider: byProvider === 1, byPasskey: typeof passkeyId === 'string' };
  const sessionAge = { createdAt: createdAt.getTime(), byProvider: session.byProvider };
  if (isTooOld(realm, sessionAge, now())) return undefined;
  const user = response.user as unknown as AuthUser;
  if (!session.byProvider && !(await mayUsePassword(sources, user.email))) return undefined;
  return { user, session };
}

/** Throws the original error, such as `DatabaseUnavailable`, if better-auth wrapped it. */
async function unwrapErrors<T>(result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    const isWrapped = error instanceof Error && 'statusCode' in error && error.cause !== undefined;
    throw isWrapped ? error.cause : error;
  }
}
