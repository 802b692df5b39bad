import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import type { Reader } from '../../database/database.ts';
import { findMerchant } from '../../merchants/find-merchant.ts';
import type { ConsoleCaller } from '../sessions/current-session.ts';
import type { AuthAnswer } from './responses.ts';
import type { Auth } from './auth.ts';
import { AUTH_ORIGIN, AUTH_PATH, type AuthUser, COOKIE_PREFIX, SESSION_COOKIE } from './constants.ts';

/** What better-auth said; its cookies are on the reply already. */
export interface Said {
  status: number;
  body: AuthAnswer & { code?: string; token?: string | null; user?: AuthUser };
  /** Of the session that the browser was given, where it was given one. */
  sessionToken: string | undefined;
}

/** So many characters of a browser's description are kept with its session. */
const LONGEST_USER_AGENT = 200;

/** Hands a request on to better-auth: its cookies, its browser's description and this body, and nothing else. */
export async function callAuth(
  auth: Auth,
  request: FastifyRequest,
  reply: FastifyReply,
  { path, body }: { path: string; body: Record<string, unknown> },
): Promise<Said> {
  const response = await auth.handler(
    new Request(`${AUTH_ORIGIN}${AUTH_PATH}${path}`, {
      method: 'POST',
      headers: {
        origin: AUTH_ORIGIN,
        'content-type': 'application/json',
        cookie: request.headers.cookie ?? '',
        'user-agent': request.headers['user-agent']?.slice(0, LONGEST_USER_AGENT) ?? '',
      },
      body: JSON.stringify(body),
    }),
  );
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) reply.header('set-cookie', cookies);
  const text = await response.text();
  return {
    status: response.status,
    body: text === '' ? {} : JSON.parse(text),
    // The last one of a name is the one that browsers keep.
    sessionToken: cookies.map(readSessionToken).findLast((token) => token !== undefined),
  };
}

/** The token in a `Set-Cookie` of a session, which has its signature after it. */
function readSessionToken(cookie: string): string | undefined {
  const [name, value = ''] = cookie.split(';', 1)[0]?.split('=', 2) ?? [];
  if (name !== SESSION_COOKIE) return undefined;
  return decodeURIComponent(value).split('.', 1)[0] || undefined;
}

/** Who is signed in by the request's cookie; a session that is used goes on, and so does its cookie. */
export async function findCaller(
  {
    auth,
    database,
    config,
  }: { auth: () => Promise<Auth>; database: Pick<Reader, 'first'>; config: Pick<Config, 'requireTwoFactor'> },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<ConsoleCaller | undefined> {
  const { cookie = '' } = request.headers;
  if (!cookie.includes(COOKIE_PREFIX)) return undefined;
  const { headers, response } = await unwrapped(
    (await auth()).api.getSession({
      headers: new Headers({ cookie }),
      returnHeaders: true,
    }),
  );
  const cookies = headers.getSetCookie();
  if (cookies.length > 0) reply.header('set-cookie', cookies);
  if (response === null) return undefined;
  const { id, name, email, merchantId, twoFactorEnabled } = response.user as unknown as AuthUser;
  const merchant = await findMerchant({ database }, String(merchantId));
  if (merchant === undefined) return undefined;
  const user = { id, name, email, two_factor: twoFactorEnabled === true };
  const twoFactorMissing = config.requireTwoFactor && !user.two_factor;
  return { sessionId: response.session.id, user, merchant, twoFactorMissing };
}

/** What better-auth wraps into an error with a status comes out as what it was, such as a database that is away. */
async function unwrapped<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    const isWrapped = error instanceof Error && 'statusCode' in error && error.cause !== undefined;
    throw isWrapped ? error.cause : error;
  }
}
