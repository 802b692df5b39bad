import type { Config } from '../../config.ts';
import type { Actor } from '../../database/actor.ts';
import type { Database, Reader } from '../../database/database.ts';
import type { Statement } from '../../database/statement.ts';
import type { VerbServices } from '../../database/write-context.ts';
import type { WriteCaller } from '../../http/endpoint/authentication.ts';
import type { OidcSettings } from '../../oidc/oidc-settings.ts';
import { hashInvitationToken, hashPasswordToken } from '../../users/password-link.ts';
import type { SignInPerson } from '../single-sign-on/people.ts';
import type { PasswordOwner } from './common-passwords.ts';

/** A user as better-auth returns it. */
export interface AuthUser {
  id: string;
  name: string;
  email: string;
  twoFactorEnabled: boolean;
  /** Only of operators: the role of a user of the console depends on the shop. */
  role?: string;
}

/** A person with a session. */
export interface RealmCaller extends WriteCaller {
  sessionId: string;
  /** Whether an identity provider signed the person in. It is then responsible for second factors. */
  byProvider: boolean;
  /** Whether a passkey signed the person in, which counts as two factors. */
  byPasskey: boolean;
  user: { id: string; name: string; email: string; two_factor: boolean };
}

/** A session, whatever the person can do in it. */
export type RealmSession = Pick<RealmCaller, 'byProvider' | 'byPasskey'> & { id: string };

interface RealmSources {
  config: Config;
  database: Pick<Database, 'first'>;
}

interface Visitors<Caller> {
  /** The name of their cookie. */
  cookie: string;
  /** Finds who has the cookie. @throws {DomainError} if it is no longer valid, or the request not allowed */
  find(sources: RealmSources & { now: () => number }, token: string, method: string): Promise<Caller>;
}

/** Where people sign in: the merchants' console, or the operator's screen. They share nothing but tables. */
export interface Realm<Caller extends RealmCaller = RealmCaller> {
  usersTable: string;
  findUser: Statement<{ userId: string }, { id: string; name: string; email: string }>;
  /** Whether (1) a user has two-factor authentication now. */
  findTwoFactor: Statement<{ userId: string }, { two_factor: number }>;
  /** Further columns of the table that better-auth reads, by its names. */
  userFields: Readonly<Record<string, { type: 'string' | 'number'; required: true; fieldName?: string }>>;
  /** After the email of an account, where browsers list passkeys of all realms. */
  passkeyLabel: string;
  /** The path below which its pages call. */
  apiPath: `/${string}`;
  /** The beginning of its cookies' names. */
  cookiePrefix: string;
  /** The path that its cookies are sent to. */
  cookiePath: `/${string}`;
  /** People who are not its users, and have another cookie, which precedes the cookie of a session. */
  visitors?: Visitors<Caller>;
  /** How long a session lasts after the sign-in, even if it is used. */
  sessionMs: number;
  /** Before the names of limits, so that each realm counts its own attempts. */
  attempts: string;
  /** How many times more often an account's password may be tried than in the console. */
  passwordTries: number;
  /** Resolves to undefined if the user may not use the realm at all. */
  callerOf(sources: RealmSources, user: AuthUser, session: RealmSession): Promise<Caller | undefined>;
  /**
   * Returns the caller on the test side of the merchant, for pages that show test data. Undefined in a realm
   * without sides. @throws {DomainError} if the test side is not open
   */
  inTestData?(sources: Pick<RealmSources, 'database'>, caller: Caller): Promise<Caller>;
  /** Whether somebody requires two factors of the user, whatever the caller has. */
  requiresTwoFactor(sources: RealmSources, caller: Caller): Promise<boolean>;
  /** @throws {DomainError} 403 if the caller has to do something else first */
  requireReady(caller: Caller): void;
  /** What the caller's password must not be made of. */
  passwordOwnerOf(caller: Caller): PasswordOwner;
  /** How the user acts. */
  actorOf(user: Pick<AuthUser, 'name' | 'email'>): Actor;
  /** Who signs its users in; null for passwords alone. */
  oidcOf(config: Config): OidcSettings | null;
  signInPerson: SignInPerson;
  /** Whether (1) a user's password works although passwords are off; null if nobody's does. */
  findPasswordAllowed: Statement<{ email: string }, { allowed: number }> | null;
  /** Finds the merchant whose audit log names a user without a session; undefined if there is none. */
  merchantIdOf(reader: Pick<Reader, 'first'>, user: Pick<AuthUser, 'id'>): Promise<number | undefined>;
  /**
   * Accepts the invitation of a link that is about to set a password, and ends the password before with its
   * passkeys and sessions. `signedIn` is who has the session.
   */
  acceptLink(services: VerbServices, link: { token: string; signedIn: string | undefined }): Promise<void>;
  /** What a sign-in to the merchant changes. */
  markSignedIn: readonly Statement<
    { userId: string; tokenHash: string; merchantId: number; now: number },
    never
  >[];
  /** Finds the user of a link that sets a password or accepts an invitation, unless the link has expired. */
  findPasswordOwner: Statement<LinkHashes & { now: number }, LinkOwner>;
}

/** What is stored of a link's token: one of both. */
interface LinkHashes {
  identifierHash: string;
  invitationHash: string;
}

/** `has_account` is 1 if the user has an account already, whose password the link does not set. */
interface LinkOwner {
  email: string;
  name: string;
  place_name: string;
  has_account: number;
}

/** Finds the user of a link's token. */
export async function findLinkOwner(
  { database, now }: { database: Pick<Reader, 'first'>; now: () => number },
  { findPasswordOwner }: Pick<Realm, 'findPasswordOwner'>,
  token: string,
): Promise<LinkOwner | undefined> {
  return await database.first(findPasswordOwner, {
    identifierHash: hashPasswordToken(token),
    invitationHash: hashInvitationToken(token),
    now: now(),
  });
}

/** The longest session of a sign-in by an identity provider, which may have removed the user since. */
const PROVIDER_SESSION_MS = 12 * 60 * 60 * 1000;

/** Whether a session began so long ago, in milliseconds since 1970, that it has ended even if it was used. */
export function isTooOld(
  { sessionMs }: Pick<Realm, 'sessionMs'>,
  { createdAt, byProvider }: { createdAt: number; byProvider: boolean },
  now: number,
): boolean {
  const longest = byProvider ? Math.min(PROVIDER_SESSION_MS, sessionMs) : sessionMs;
  return now - createdAt > longest;
}

/** The name of the cookie of a session. */
export function sessionCookieName({ cookiePrefix }: Pick<Realm, 'cookiePrefix'>): string {
  return `${cookiePrefix}.session_token`;
}
