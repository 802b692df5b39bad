import type { AuditAction } from '../../audit/audit-entry.ts';
import { describeUser, recordAudit } from '../../audit/record-audit.ts';
import type { Database } from '../../database/database.ts';
import { hashSecret } from '../../users/link-token.ts';
import { markSignedIn } from '../../users/queries.ts';
import type { ConsoleCaller } from '../sessions/current-session.ts';
import type { AuthResponse } from './call-auth.ts';
import type { AuthEndpoint } from './endpoints.ts';
import { deleteExpiredSessions, deleteOldestSessions, deleteOtherSessions } from './queries.ts';

/** A further sign-in ends the user's oldest session. */
const MAX_SESSIONS = 50;

/**
 * Records a call to better-auth in the audit log, if the log covers it. Deletes expired sessions and those
 * above `MAX_SESSIONS`. A change of two-factor authentication ends the user's other sessions.
 */
export async function recordAuthEvent(
  { database, now }: { database: Database; now: () => number },
  endpoint: AuthEndpoint,
  caller: ConsoleCaller | undefined,
  { body: { user, twoFactorRedirect }, sessionToken }: AuthResponse,
): Promise<void> {
  const action = twoFactorRedirect === true ? undefined : actionOf(endpoint.path, caller);
  const [merchantId, who] = endpoint.session ? [caller?.merchant.id, caller?.user] : [user?.merchantId, user];
  if (action === undefined || merchantId === undefined || who === undefined) return;
  await database.transaction(
    async (connection) => {
      const entry = { merchantId, who: describeUser(who), action, subject: null };
      await recordAudit(connection, entry, now());
      await connection.run(deleteExpiredSessions, { now: now() });
      if (action === 'user.signed_in' && user !== undefined) {
        await connection.run(markSignedIn, { userId: user.id, now: now() });
        await connection.run(deleteOldestSessions, { userId: user.id, limit: MAX_SESSIONS });
      }
      if (caller !== undefined && sessionToken !== undefined && changesTwoFactor(action)) {
        await connection.run(deleteOtherSessions, {
          userId: caller.user.id,
          tokenHash: hashSecret(sessionToken),
        });
      }
    },
    { merchantId },
  );
}

function actionOf(path: string, caller: ConsoleCaller | undefined): AuditAction | undefined {
  switch (path) {
    case '/sign-in/email':
      return 'user.signed_in';
    case '/two-factor/verify-backup-code':
      return caller === undefined ? 'user.signed_in' : undefined;
    case '/two-factor/verify-totp':
      if (caller === undefined) return 'user.signed_in';
      return caller.user.two_factor ? undefined : 'user.two_factor_enabled';
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
