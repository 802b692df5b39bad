import { randomUUIDv7 } from 'node:crypto';
import { betterAuth } from 'better-auth/minimal';
import { twoFactor } from 'better-auth/plugins/two-factor';
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../database/database.ts';
import { hashSecret } from '../../users/link-token.ts';
import { beginSessionPlugin } from './begin-session.ts';
import { AUTH_ORIGIN, AUTH_PATH } from './constants.ts';
import type { PasswordQueue } from './password-queue.ts';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from './passwords.ts';
import type { AuthUser, Realm } from './realm.ts';
import { loadSecrets } from './secrets.ts';
import { authStorage } from './storage.ts';

const SESSION_SECONDS = 12 * 60 * 60;
const RENEW_AFTER_SECONDS = 15 * 60;

/** Columns of several tables. */
const userId = 'user_id';
const expiresAt = 'expires_at';
const times = { createdAt: 'created_at', updatedAt: 'updated_at' };

export type Auth = Awaited<ReturnType<typeof createAuth>>;

/** Configures better-auth: passwords and two-factor authentication, without calls to other services. */
export async function createAuth({
  realm,
  database,
  now,
  logger,
  passwords,
  onPasswordSet,
}: {
  realm: Pick<Realm, 'usersTable' | 'userFields' | 'cookiePrefix' | 'cookiePath'>;
  database: Database;
  now: () => number;
  logger: FastifyBaseLogger;
  passwords: PasswordQueue;
  onPasswordSet: (user: AuthUser) => Promise<void>;
}) {
  return betterAuth({
    appName: 'Tradepost',
    baseURL: AUTH_ORIGIN,
    basePath: AUTH_PATH,
    secrets: await loadSecrets({ database, now }),
    database: authStorage(database),
    telemetry: { enabled: false },
    // The arguments after the message may contain what a user typed.
    logger: { level: 'error', log: (_level, message) => logger.error(`sign-in: ${message}`) },
    onAPIError: { throw: true },
    // `limitAttempts` counts attempts instead.
    rateLimit: { enabled: false },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: MIN_PASSWORD_LENGTH,
      maxPasswordLength: MAX_PASSWORD_LENGTH,
      password: { hash: passwords.hash, verify: passwords.verify },
      revokeSessionsOnPasswordReset: true,
      onPasswordReset: ({ user }) => onPasswordSet(user as unknown as AuthUser),
    },
    user: {
      modelName: realm.usersTable,
      fields: times,
      additionalFields: Object.fromEntries(
        Object.entries(realm.userFields).map(([name, field]) => [name, { ...field, input: false }]),
      ),
    },
    session: {
      modelName: 'user_sessions',
      fields: { userId, expiresAt, token: 'token_hash', userAgent: 'user_agent', ...times },
      expiresIn: SESSION_SECONDS,
      updateAge: RENEW_AFTER_SECONDS,
      cookieCache: { enabled: false },
      additionalFields: {
        byProvider: {
          type: 'number',
          required: false,
          input: false,
          defaultValue: 0,
          fieldName: 'by_provider',
        },
        passkeyId: { type: 'string', required: false, input: false, fieldName: 'passkey_id' },
      },
    },
    account: {
      modelName: 'user_accounts',
      fields: {
        userId,
        providerId: 'provider',
        accountId: 'account_id',
        password: 'password_hash',
        ...times,
      },
    },
    verification: {
      modelName: 'user_verifications',
      fields: { expiresAt, identifier: 'identifier_hash', ...times },
      storeIdentifier: { hash: async (identifier) => hashSecret(identifier) },
    },
    advanced: {
      // better-auth would use the weaker prefix `__Secure-`.
      useSecureCookies: false,
      cookiePrefix: realm.cookiePrefix,
      defaultCookieAttributes: { secure: true, httpOnly: true, sameSite: 'lax', path: realm.cookiePath },
      disableOriginCheck: false,
      ipAddress: { disableIpTracking: true },
      database: { generateId: () => randomUUIDv7(), validateSchema: false },
    },
    plugins: [
      beginSessionPlugin,
      twoFactor({
        issuer: 'Tradepost',
        schema: {
          user: { fields: { twoFactorEnabled: 'two_factor' } },
          twoFactor: {
            modelName: 'user_two_factors',
            fields: {
              userId,
              backupCodes: 'backup_codes',
              failedVerificationCount: 'failed_attempts',
              lockedUntil: 'locked_until',
            },
          },
        },
      }),
    ],
  });
}
