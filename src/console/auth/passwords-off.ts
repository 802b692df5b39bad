import type { Database } from '../../database/database.ts';
import { normalizeEmail } from '../../users/add-user.ts';
import { consoleErrors } from '../errors.ts';
import type { IdentityProvider } from '../single-sign-on/identity-provider.ts';
import { textIn } from '../text-in.ts';
import type { AuthEndpoint } from './better-auth-endpoints.ts';
import { findLinkOwner, type Realm } from './realm.ts';

/** Nobody's email: top-level domain `invalid` does not exist. */
const NOBODY = 'nobody@nobody.invalid';

type Services = {
  identityProvider: IdentityProvider | null;
  realm: Pick<Realm, 'findPasswordAllowed' | 'findPasswordOwner'>;
  database: Pick<Database, 'first'>;
  now: () => number;
};

/** Whether the password of the user with an email works, if there is one. */
export async function mayUsePassword(
  {
    identityProvider,
    realm: { findPasswordAllowed },
    database,
  }: Pick<Services, 'identityProvider' | 'database'> & {
    realm: Pick<Realm, 'findPasswordAllowed'>;
  },
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
  const { identityProvider, realm } = services;
  if (identityProvider === null || !identityProvider.settings.only) return body;
  if (path === '/sign-in/email')
    return (await mayUsePassword(services, textIn(body, 'email'))) ? body : { ...body, email: NOBODY };
  if (path !== '/reset-password') return body;
  const owner = await findLinkOwner(services, realm, textIn(body, 'token'));
  if (owner !== undefined && !(await mayUsePassword(services, owner.email)))
    throw consoleErrors.passwords_off(identityProvider.settings.name);
  return body;
}
