import type { Config } from '../../config.ts';
import type { Actor } from '../../database/actor.ts';
import type { Database, Statement } from '../../database/database.ts';
import type { WriteCaller } from '../../http/endpoint/authentication.ts';
import type { OidcSettings } from '../../oidc/oidc-settings.ts';
import type { SignInPerson } from '../single-sign-on/people.ts';
import type { PasswordOwner } from './common-passwords.ts';

/** A user as better-auth returns it. */
export interface AuthUser {
  id: string;
  name: string;
  email: string;
  twoFactorEnabled: boolean;
  role: string;
  /** Only of users of the console. */
  merchantId?: number;
}

/** A person with a session. */
export interface RealmCaller extends WriteCaller {
  sessionId: string;
  /** Whether an identity provider signed the person in. It is then responsible for second factors. */
  byProvider: boolean;
  user: { id: string; name: string; email: string; two_factor: boolean };
}

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
  /** Whether (1) a user has two-factor authentication now. */
  findTwoFactor: Statement<{ userId: string }, { two_factor: number }>;
  /** Further columns of the table that better-auth reads, by its names. */
  userFields: Readonly<Record<string, { type: 'string' | 'number'; required: true; fieldName?: string }>>;
  /** The path below which its pages call. */
  apiPath: `/${string}`;
  /** The beginning of its cookies' names. */
  cookiePrefix: string;
  /** The path that its cookies are sent to. */
  cookiePath: `/${string}`;
  /** People who are not its users, and have another cookie, which precedes the cookie of a session. */
  visitors?: Visitors<Caller>;
  /** Before the names of limits, so that each realm counts its own attempts. */
  attempts: string;
  /** How many times more often an account's password may be tried than in the console. */
  passwordTries: number;
  /** Resolves to undefined if the user may not use the realm at all. */
  callerOf(
    sources: RealmSources,
    user: AuthUser,
    session: { id: string; byProvider: boolean },
  ): Promise<Caller | undefined>;
  /** @throws {DomainError} 403 if the caller has to do something else first */
  requireReady(caller: Caller): void;
  /** What the caller's password must not be made of. */
  passwordOwnerOf(caller: Caller): PasswordOwner;
  /** How the user acts. */
  actorOf(user: Pick<AuthUser, 'name' | 'email'>): Actor;
  /** The merchant whose audit log names the user. */
  merchantIdOf(user: AuthUser): number;
  markSignedIn: Statement<{ userId: string; now: number }>;
  /** Who signs its users in; null for passwords alone. */
  oidcOf(config: Config): OidcSettings | null;
  signInPerson: SignInPerson;
  /** Whether (1) a user's password works although passwords are off; null if nobody's does. */
  findPasswordAllowed: Statement<{ email: string }, { allowed: number }> | null;
  /** Finds the user of a link that sets a password, unless the link has expired. */
  findPasswordOwner: Statement<
    { identifierHash: string; now: number },
    { email: string; name: string; place_name: string }
  >;
}

/** The name of the cookie of a session. */
export function sessionCookieName({ cookiePrefix }: Pick<Realm, 'cookiePrefix'>): string {
  return `${cookiePrefix}.session_token`;
}
