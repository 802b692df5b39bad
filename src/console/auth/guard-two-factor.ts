import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { countPasskeysOfUser } from '../../users/passkey-queries.ts';
import { consoleErrors } from '../errors.ts';
import type { Realm, RealmCaller } from './realm.ts';

interface Services<Caller extends RealmCaller> {
  realm: Realm<Caller>;
  config: Config;
  database: Pick<Database, 'first'>;
}

/** The calls that begin and complete the setup of an app. */
const SETS_UP = ['/two-factor/enable', '/two-factor/verify-totp'];

/**
 * Keeps two factors where they are required: nobody disables them, and the password alone of a user with a
 * passkey sets up no app.
 * @throws {DomainError} `conflict`
 */
export async function guardTwoFactor<Caller extends RealmCaller>(
  { realm, config, database }: Services<Caller>,
  path: string,
  caller: Caller | undefined,
): Promise<void> {
  if (caller === undefined) return;
  const { user, byProvider, byPasskey } = caller;
  const isRequired = (): Promise<boolean> => realm.requiresTwoFactor({ config, database }, caller);
  if (path === '/two-factor/disable' && (await isRequired()))
    throw consoleErrors.conflict('Two-factor authentication is required, so you can’t disable it.');
  if (!SETS_UP.includes(path) || user.two_factor || byProvider || byPasskey) return;
  const count = await database.first(countPasskeysOfUser, { userId: user.id });
  if ((count?.passkeys ?? 0) > 0 && (await isRequired()))
    throw consoleErrors.conflict(
      'Sign in with your passkey first. If you have lost it, ask for a link to set a new password.',
    );
}
