import type { AuditAction } from '../../audit/audit-entry.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import type { Database } from '../../database/database.ts';
import { runVerb, type WriteContext } from '../../database/write-context.ts';
import { hashSecret } from '../../users/link-token.ts';
import { markPasskeyUsed, type PasskeyRow } from '../../users/passkey-queries.ts';
import {
  deleteExpiredSessions,
  deleteOldestSessions,
  deleteSessionByToken,
  deleteSessionsExceptToken,
} from '../../users/session-queries.ts';
import type { ProviderUser } from '../single-sign-on/people.ts';
import type { AuthEndpoint } from './better-auth-endpoints.ts';
import type { AuthResponse } from './call-auth.ts';
import type { Realm, RealmCaller } from './realm.ts';
import { toConsoleError } from './responses.ts';

/** A further sign-in ends the user's oldest session. */
const MAX_SESSIONS = 50;

/**
 * Records a call to better-auth in the audit log, if the log covers it. Deletes expired sessions and those
 * above `MAX_SESSIONS`. A change of two-factor authentication ends the user's other sessions.
 * @throws {DomainError} 401 for a password alone, if the user has just set up a second factor
 */
export async function auditAuthCall(
  services: { realm: Realm; database: Database; now: () => number },
  endpoint: AuthEndpoint,
  caller: RealmCaller | undefined,
  { body: { user, twoFactorRedirect }, sessionToken }: AuthResponse,
): Promise<void> {
  const action = twoFactorRedirect === true ? undefined : actionOf(endpoint.path, caller);
  const [merchantId, by] = endpoint.session
    ? [caller?.merchantId, caller?.user]
    : [user && (await services.realm.merchantIdOf(services.database, user)), user];
  if (action === undefined || merchantId === undefined || by === undefined) return;
  const { markSignedIn, findTwoFactor } = services.realm;
  const isAllowed = await runVerb(
    services,
    { merchantId, who: services.realm.actorOf(by), markSignedIn, findTwoFactor },
    recordCall,
    {
      action,
      subject: action === 'user.signed_in' ? (ways[endpoint.path] ?? null) : null,
      byPassword:
        endpoint.path === '/sign-in/email' && user !== undefined && sessionToken !== undefined
          ? { userId: user.id, tokenHash: hashSecret(sessionToken) }
          : undefined,
      signedIn:
        action === 'user.signed_in' && user !== undefined
          ? { userId: user.id, tokenHash: hashSecret(sessionToken ?? '') }
          : undefined,
      keptSession:
        caller !== undefined && sessionToken !== undefined && changesTwoFactor(action)
          ? { userId: caller.user.id, tokenHash: hashSecret(sessionToken) }
          : undefined,
    },
  );
  if (!isAllowed) throw toConsoleError(401, undefined, endpoint.fields);
}

interface RecordedCall {
  action: AuditAction;
  subject: string | null;
  /** Set if a password alone began a session. */
  byPassword: { userId: string; tokenHash: string } | undefined;
  /** Set if a user has signed in. */
  signedIn: { userId: string; tokenHash: string } | undefined;
  /** Set if the user's other sessions end. */
  keptSession: { userId: string; tokenHash: string } | undefined;
}

/** Resolves to false if it ended the session, because the user has had a second factor since it was asked. */
async function recordCall(
  context: WriteContext & Pick<Realm, 'markSignedIn' | 'findTwoFactor'>,
  { action, subject, byPassword, signedIn, keptSession }: RecordedCall,
): Promise<boolean> {
  const { connection, now, findTwoFactor } = context;
  if (byPassword !== undefined && (await connection.first(findTwoFactor, byPassword))?.two_factor === 1) {
    await connection.run(deleteSessionByToken, byPassword);
    return false;
  }
  recordAudit(context, { action, subject });
  await connection.run(deleteExpiredSessions, { now });
  if (signedIn !== undefined) await markAndLimit(context, signedIn);
  if (keptSession !== undefined) await connection.run(deleteSessionsExceptToken, keptSession);
  return true;
}

async function markAndLimit(
  { connection, merchantId, now, markSignedIn }: WriteContext & Pick<Realm, 'markSignedIn'>,
  session: { userId: string; tokenHash: string },
): Promise<void> {
  for (const change of markSignedIn) await connection.run(change, { ...session, merchantId, now });
  await connection.run(deleteOldestSessions, { userId: session.userId, limit: MAX_SESSIONS });
}

/** Records a sign-in by an identity provider, to the merchant. Deletes sessions as `auditAuthCall`. */
export async function recordProviderSignIn(
  services: { realm: Realm; database: Database; now: () => number },
  {
    merchantId,
    user,
    token,
    provider,
  }: { merchantId: number; user: ProviderUser; token: string; provider: string },
): Promise<void> {
  const { markSignedIn, actorOf } = services.realm;
  const by = { merchantId, who: actorOf(user), markSignedIn };
  await runVerb(services, by, recordByProvider, {
    session: { userId: user.id, tokenHash: hashSecret(token) },
    provider,
  });
}

async function recordByProvider(
  context: WriteContext & Pick<Realm, 'markSignedIn'>,
  { session, provider }: { session: { userId: string; tokenHash: string }; provider: string },
): Promise<void> {
  recordAudit(context, { action: 'user.signed_in', subject: `by ${provider}` });
  await context.connection.run(deleteExpiredSessions, { now: context.now });
  await markAndLimit(context, session);
}

/**
 * Records a sign-in with a passkey, to the merchant, and its new count. Deletes sessions as `auditAuthCall`.
 * Resolves to false if it ended the session, because the passkey was removed or used since it was verified.
 */
export async function recordPasskeySignIn(
  services: { realm: Realm; database: Database; now: () => number },
  { merchantId, user, token, passkey, newCount }: PasskeySignIn,
): Promise<boolean> {
  const { markSignedIn, actorOf } = services.realm;
  const by = { merchantId, who: actorOf(user), markSignedIn };
  return await runVerb(services, by, recordByPasskey, {
    session: { userId: user.id, tokenHash: hashSecret(token) },
    passkey: { id: passkey.id, signCount: passkey.sign_count, newCount },
    name: passkey.name,
  });
}

interface PasskeySignIn {
  merchantId: number;
  user: { id: string; name: string; email: string };
  token: string;
  passkey: Pick<PasskeyRow, 'id' | 'name' | 'sign_count'>;
  newCount: number;
}

async function recordByPasskey(
  context: WriteContext & Pick<Realm, 'markSignedIn'>,
  {
    session,
    passkey,
    name,
  }: {
    session: { userId: string; tokenHash: string };
    passkey: { id: string; signCount: number; newCount: number };
    name: string;
  },
): Promise<boolean> {
  const { connection, now } = context;
  if ((await connection.run(markPasskeyUsed, { ...passkey, now })) === 0) {
    await connection.run(deleteSessionByToken, session);
    return false;
  }
  recordAudit(context, { action: 'user.signed_in', subject: `by passkey ${name}` });
  await connection.run(deleteExpiredSessions, { now });
  await markAndLimit(context, session);
  return true;
}

/** How people sign in, by the path of the last call. */
const ways: Readonly<Record<string, string>> = {
  '/sign-in/email': 'by password',
  '/two-factor/verify-totp': 'by password and code',
  '/two-factor/verify-backup-code': 'by password and recovery code',
};

function actionOf(path: string, caller: RealmCaller | undefined): AuditAction | undefined {
  switch (path) {
    case '/sign-in/email':
      return 'user.signed_in';
    case '/two-factor/verify-backup-code':
      return caller === undefined ? 'user.signed_in' : undefined;
    case '/two-factor/verify-totp':
      if (caller === undefined) return 'user.signed_in';
      return caller.user.two_factor ? undefined : 'user.two_factor_enabled';
    case '/two-factor/generate-backup-codes':
      return 'user.recovery_codes_created';
    case '/two-factor/disable':
      return 'user.two_factor_disabled';
    case '/revoke-sessions':
      return 'user.session_ended';
    case '/change-password':
      return 'user.password_changed';
    default:
      return undefined;
  }
}

function changesTwoFactor(action: AuditAction): boolean {
  return action === 'user.two_factor_enabled' || action === 'user.two_factor_disabled';
}
