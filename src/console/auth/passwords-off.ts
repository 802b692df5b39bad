import type { Database } from '../../database/database.ts';
import { normalizeEmail } from '../../users/add-user.ts';
import { hashPasswordToken } from '../../users/password-link.ts';
import { consoleErrors } from '../errors.ts';
import type { AuthEndpoint } from './better-auth-endpoints.ts';
import type { Realm, RealmCaller } from './realm.ts';
import type { SignIn } from './sign-in.ts';

/** Nobody's email: top-level domain `invalid` does not exist. */
const NOBODY = 'nobody@nobody.invalid';

type Services = Pick<SignIn<RealmCaller>, 'identityProvider'> & {
  realm: Pick<Realm, 'findPasswordAllowed' | 'findPasswordOwner'>;
  database: Pick<Database, 'first'>;
  now: () => number;
};

/** Whether the password of the user with an email works, if there is one. */
export async function mayUsePassword(
  { identityProvider, realm: { findPasswordAllowed }, database }: Services,
  email: string,
): Promise<boolean> {
  if (identityProvider === null || !identityProvider.settings.only) return true;
  if (findPasswordAllowed === null) return false;
  const found = await database.first(findPasswordAllowed, { email: normalizeEmail(email) });
  return found?.allowed === 1;
}

/**
 * Returns the body to call better-auth with. If passwords are off, a sign-in becomes one of nobody: the same
 * work and response as for a wrong password, so that nobody learns whose password works.
 * @throws {DomainError} `passwords_off` for the link of a user whose password would not work
 */
export async function withoutPasswords(
  services: Services,
  { path }: AuthEndpoint,
  body: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const { identityProvider, realm, database, now } = services;
  if (identityProvider === null || !identityProvider.settings.only) return body;
  if (path === '/sign-in/email')
    return (await mayUsePassword(services, String(body.email))) ? body : { ...body, email: NOBODY };
  if (path !== '/reset-password') return body;
  const identifierHash = hashPasswordToken(String(body.token));
  const owner = await database.first(realm.findPasswordOwner, { identifierHash, now: now() });
  if (owner !== undefined && !(await mayUsePassword(services, owner.email)))
    throw consoleErrors.passwords_off(identityProvider.settings.name);
  return body;
}
