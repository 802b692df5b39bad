import { merchantUser } from '../../audit/record-audit.ts';
import { testSideOf } from '../../database/sides.ts';
import { runVerb } from '../../database/write-context.ts';
import { errors } from '../../errors/errors.ts';
import { findMerchant } from '../../merchants/find-merchant.ts';
import { findTestSide } from '../../merchants/queries.ts';
import { acceptBySettingPassword, replacePasswordOfLink } from '../../users/accept-invitation.ts';
import {
  findCurrentShop,
  findInvited,
  findLastShop,
  findPasswordOwner,
  findTwoFactorRule,
  markSignedIn,
} from '../../users/membership-queries.ts';
import { hashInvitationToken } from '../../users/password-link.ts';
import { findPersonById, findTwoFactorOfUser } from '../../users/queries.ts';
import { consoleErrors } from '../errors.ts';
import { type ConsoleCaller, missingTwoFactor, onSide } from '../sessions/console-callers.ts';
import { consolePeople } from '../single-sign-on/console-people.ts';
import { signInPersonOf } from '../single-sign-on/people.ts';
import { findSupportCaller, SUPPORT_COOKIE } from '../support-view/support-caller.ts';
import type { Realm } from './realm.ts';

/** The merchants' console. */
export const consoleRealm: Realm<ConsoleCaller> = {
  usersTable: 'console_users',
  findUser: findPersonById,
  findTwoFactor: findTwoFactorOfUser,
  userFields: {},
  passkeyLabel: '',
  apiPath: '/console/api',
  // Browsers accept the prefix `__Host-` only from the host itself, over HTTPS and for all paths.
  cookiePrefix: '__Host-tradepost',
  cookiePath: '/',
  sessionMs: 30 * 24 * 60 * 60 * 1000,
  attempts: '',
  passwordTries: 1,
  callerOf: async ({ config, database }, user, session) => {
    const { id, name, email, twoFactorEnabled } = user;
    const shop = await database.first(findCurrentShop, { userId: id, sessionId: session.id });
    if (shop === undefined) return undefined;
    const { merchant_id: merchantId, role } = shop;
    const merchant = await findMerchant({ database }, String(merchantId));
    if (merchant === undefined) return undefined;
    const ownersRule = merchant.requires_two_factor === 1 ? 'owner' : null;
    return {
      merchantId,
      who: merchantUser(user),
      sessionId: session.id,
      byProvider: session.byProvider,
      byPasskey: session.byPasskey,
      user: { id, name, email, two_factor: twoFactorEnabled === true, role },
      merchant,
      twoFactorRequiredBy: config.requireTwoFactor ? 'operator' : ownersRule,
    };
  },
  inTestData: async ({ database }, caller) => {
    const { merchantId, merchant } = caller;
    const side = await database.first(findTestSide, { merchantId });
    if (side?.has_test_side !== 1) throw consoleErrors.no_test_data();
    return onSide(caller, testSideOf(merchant.id));
  },
  visitors: { cookie: SUPPORT_COOKIE, find: findSupportCaller },
  // Of all shops, because the account is the same.
  requiresTwoFactor: async ({ config, database }, { user: { id: userId } }) =>
    config.requireTwoFactor || (await database.first(findTwoFactorRule, { userId }))?.required === 1,
  requireReady: (caller) => {
    if (caller.supportView !== undefined) return;
    const { suspended_at, suspension_reason } = caller.merchant;
    if (suspended_at !== null) throw errors.account_suspended(suspension_reason);
    const requiredBy = missingTwoFactor(caller);
    if (requiredBy !== null) throw consoleErrors.two_factor_required(requiredBy);
  },
  passwordOwnerOf: ({ user: { email, name }, merchant }) => ({ email, name, placeName: merchant.name }),
  actorOf: merchantUser,
  merchantIdOf: async (reader, { id: userId }) => (await reader.first(findLastShop, { userId }))?.merchant_id,
  acceptLink: async (services, { token, signedIn }) => {
    const link = { identifierHash: hashInvitationToken(token), now: services.now() };
    const user = await services.database.first(findInvited, link);
    if (user === undefined)
      return await services.database.transaction((connection) =>
        replacePasswordOfLink({ connection, now: link.now }, { token }),
      );
    const by = { merchantId: user.merchant_id, who: merchantUser(user) };
    await runVerb(services, by, acceptBySettingPassword, { token, signedIn });
  },
  markSignedIn,
  oidcOf: (config) => config.merchantOidc,
  signInPerson: signInPersonOf(consolePeople),
  findPasswordAllowed: null,
  findPasswordOwner,
};
