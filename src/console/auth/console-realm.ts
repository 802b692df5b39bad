import { merchantUser } from '../../audit/record-audit.ts';
import { statement } from '../../database/database.ts';
import { errors } from '../../errors/errors.ts';
import { findMerchant } from '../../merchants/find-merchant.ts';
import { findTwoFactorOfUser, markSignedIn } from '../../users/queries.ts';
import { parseRole } from '../../users/role.ts';
import { consoleErrors } from '../errors.ts';
import { type ConsoleCaller, missingTwoFactor } from '../sessions/console-callers.ts';
import { consolePeople } from '../single-sign-on/console-people.ts';
import { signInPersonOf } from '../single-sign-on/people.ts';
import { findSupportCaller, SUPPORT_COOKIE } from '../support-view/support-caller.ts';
import type { AuthUser, Realm } from './realm.ts';

const findPasswordOwner = statement<
  { identifierHash: string; now: number },
  { email: string; name: string; place_name: string }
>(
  `SELECT u.email, u.name, m.name AS place_name FROM user_verifications v
   JOIN console_users u ON u.id = v.value
   JOIN merchants m ON m.id = u.merchant_id
   WHERE v.identifier_hash = :identifierHash AND v.expires_at > :now`,
);

function merchantOf({ id, merchantId }: AuthUser): number {
  if (merchantId === undefined) throw new Error(`the user ${id} has no merchant`);
  return merchantId;
}

/** The merchants' console. */
export const consoleRealm: Realm<ConsoleCaller> = {
  usersTable: 'console_users',
  findTwoFactor: findTwoFactorOfUser,
  userFields: {
    merchantId: { type: 'number', required: true, fieldName: 'merchant_id' },
    role: { type: 'string', required: true },
  },
  apiPath: '/console/api',
  // Browsers accept the prefix `__Host-` only from the host itself, over HTTPS and for all paths.
  cookiePrefix: '__Host-tradepost',
  cookiePath: '/',
  attempts: '',
  passwordTries: 1,
  callerOf: async ({ config, database }, user, session) => {
    const merchantId = merchantOf(user);
    const { id, name, email, twoFactorEnabled, role } = user;
    const merchant = await findMerchant({ database }, String(merchantId));
    if (merchant === undefined) return undefined;
    const ownersRule = merchant.requires_two_factor === 1 ? 'owner' : null;
    return {
      merchantId,
      who: merchantUser(user),
      sessionId: session.id,
      byProvider: session.byProvider,
      user: { id, name, email, two_factor: twoFactorEnabled === true, role: parseRole(role) },
      merchant,
      twoFactorRequiredBy: config.requireTwoFactor ? 'operator' : ownersRule,
    };
  },
  visitors: { cookie: SUPPORT_COOKIE, find: findSupportCaller },
  requireReady: (caller) => {
    if (caller.supportView !== undefined) return;
    const { suspended_at, suspension_reason } = caller.merchant;
    if (suspended_at !== null) throw errors.account_suspended(suspension_reason);
    const requiredBy = missingTwoFactor(caller);
    if (requiredBy !== null) throw consoleErrors.two_factor_required(requiredBy);
  },
  passwordOwnerOf: ({ user: { email, name }, merchant }) => ({ email, name, placeName: merchant.name }),
  actorOf: merchantUser,
  merchantIdOf: merchantOf,
  markSignedIn,
  oidcOf: (config) => config.merchantOidc,
  signInPerson: signInPersonOf(consolePeople),
  findPasswordAllowed: null,
  findPasswordOwner,
};
