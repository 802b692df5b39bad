import { operatorUser } from '../../audit/record-audit.ts';
import type { Realm, RealmCaller } from '../../console/auth/realm.ts';
import { consoleErrors } from '../../console/errors.ts';
import { signInPersonOf } from '../../console/single-sign-on/people.ts';
import { OPERATOR_ID } from '../../database/sides.ts';
import { statement } from '../../database/statement.ts';
import {
  findOperatorUser,
  findPasswordAllowed,
  findTwoFactorOfOperator,
  markOperatorSignedIn,
} from '../../operators/queries.ts';
import { type OperatorRole, parseOperatorRole } from '../../operators/role.ts';
import { endPasswordOfLink } from '../../users/end-password.ts';
import { OPERATOR_PATH } from '../path.ts';
import { screenPeople } from './screen-people.ts';

export interface ScreenCaller extends RealmCaller {
  user: RealmCaller['user'] & { role: OperatorRole };
}

const findPasswordOwner = statement<
  { identifierHash: string; now: number },
  { email: string; name: string; place_name: string; has_account: number }
>(
  `SELECT o.email, o.name, '' AS place_name, 0 AS has_account FROM user_verifications v JOIN operators o ON o.id = v.value
   WHERE v.identifier_hash = :identifierHash AND v.expires_at > :now`,
);

/**
 * Whether the operator has to set up two-factor authentication first. An identity provider has its own, and a
 * passkey counts as two factors.
 */
export function missesTwoFactor({ user, byProvider, byPasskey }: ScreenCaller): boolean {
  return !user.two_factor && !byProvider && !byPasskey;
}

/** The operator's screen. All of its users need two-factor authentication. */
export const screenRealm: Realm<ScreenCaller> = {
  usersTable: 'operators',
  findUser: findOperatorUser,
  findTwoFactor: findTwoFactorOfOperator,
  userFields: { role: { type: 'string', required: true } },
  passkeyLabel: ' (operator)',
  apiPath: `${OPERATOR_PATH}/api`,
  // Not `__Host-`, which is for all paths: the console's pages do not get these cookies.
  cookiePrefix: '__Secure-tradepost-operator',
  cookiePath: OPERATOR_PATH,
  sessionMs: 12 * 60 * 60 * 1000,
  attempts: 'operator ',
  // Strangers know the emails of operators, and a password alone is worth nothing here.
  passwordTries: 20,
  callerOf: async (_sources, user, session) => {
    const { id, name, email, twoFactorEnabled, role } = user;
    return {
      merchantId: OPERATOR_ID,
      who: operatorUser(user),
      sessionId: session.id,
      byProvider: session.byProvider,
      byPasskey: session.byPasskey,
      user: { id, name, email, two_factor: twoFactorEnabled === true, role: parseOperatorRole(role ?? '') },
    };
  },
  requiresTwoFactor: async () => true,
  requireReady: (caller) => {
    if (missesTwoFactor(caller)) throw consoleErrors.two_factor_required('screen');
  },
  passwordOwnerOf: ({ user: { email, name } }) => ({ email, name, placeName: '' }),
  actorOf: operatorUser,
  merchantIdOf: async () => OPERATOR_ID,
  markSignedIn: [markOperatorSignedIn],
  oidcOf: (config) => config.oidc,
  signInPerson: signInPersonOf(screenPeople),
  findPasswordAllowed,
  findPasswordOwner,
  acceptLink: async ({ database, now }, { token }) => {
    await database.transaction((connection) =>
      endPasswordOfLink({ connection, now: now() }, { token, findUser: findOperatorUser }),
    );
  },
};
