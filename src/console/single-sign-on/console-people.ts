import { describeUser, merchantUser, recordAudit } from '../../audit/record-audit.ts';
import type { Connection } from '../../database/database.ts';
import { findMerchantByExternalId, type MerchantRow } from '../../merchants/queries.ts';
import { acceptByProvider, joinByProvider } from '../../users/accept-by-provider.ts';
import { addUser } from '../../users/add-user.ts';
import { endSeenPassword } from '../../users/end-password.ts';
import { requireUsersLeft } from '../../users/invite-user.ts';
import {
  findSeveralShops,
  findUserInLastShop,
  findUserOfPerson,
  markByClaim,
  type UserRow,
  updateRole,
} from '../../users/membership-queries.ts';
import { findPersonByEmail } from '../../users/queries.ts';
import { requireOtherOwner } from '../../users/require-owner.ts';
import { roles } from '../../users/role.ts';
import { nameOf, type People, type Person } from './people.ts';

/**
 * The users of the console. Claims that name a merchant and a role create a user, also of a person who is a
 * user of other merchants. Without a merchant, a person of several shops keeps the roles there.
 */
export const consolePeople: People<UserRow> = {
  realm: 'console_users',
  // Of two first sign-ins of a person at once, the second finds the user of the first.
  lock: async ({ connection, dialect }) => void (await connection.all(dialect.takeGlobalLock)),
  findById: (connection, userId, person) => findUser(connection, userId, person),
  findByEmail: async (connection, email, person) => {
    const found = await connection.first(findPersonByEmail, { email });
    return found && (await findUser(connection, found.id, person));
  },
  roleOf: (person) => roles.findLast((role) => person.roles.includes(role)),
  create: async (context, person) => {
    const { connection, now, budgets } = context;
    const role = consolePeople.roleOf(person);
    const merchant = await findClaimed(connection, person);
    if (role === undefined || merchant === undefined) return undefined;
    const { email } = person;
    const name = nameOf(person);
    const scope = { connection, now, merchantId: merchant.id, who: merchantUser({ name, email }) };
    await requireUsersLeft({ ...scope, budgets });
    const user = await addUser(scope, { email, name, role });
    await connection.run(markByClaim, { membershipId: user.membership_id });
    if (role !== 'owner') await requireOtherOwner(connection, user, 'added');
    const subject = `${describeUser(user)}, now ${role}, by ${person.provider}`;
    recordAudit(scope, { action: 'user.created', subject });
    return user;
  },
  setRole: async ({ connection }, { membership_id: membershipId }, role) => {
    await connection.run(updateRole, { membershipId, role });
  },
  takesRole: async (connection, { id: userId }, { merchant }) =>
    merchant !== null || (await connection.first(findSeveralShops, { userId }))?.several !== 1,
  join: async (context, { id, name, email }, person) => {
    const { connection, now, budgets } = context;
    const role = consolePeople.roleOf(person);
    const merchant = await findClaimed(connection, person);
    if (role === undefined || merchant === undefined) return undefined;
    const scope = { connection, now, merchantId: merchant.id, who: merchantUser({ name, email }) };
    await requireUsersLeft({ ...scope, budgets });
    const user = await joinByProvider(scope, { id, name, email, role });
    if (role !== 'owner') await requireOtherOwner(connection, user, 'added');
    const subject = `${describeUser(user)}, now ${role}, by ${person.provider}`;
    recordAudit(scope, { action: 'user.created', subject });
    return user;
  },
  accepts: async (connection, user, person) =>
    person.merchant === null || (await findClaimed(connection, person))?.id === user.merchant_id,
  actorOf: merchantUser,
  merchantIdOf: (user) => user?.merchant_id,
  // Someone who registered with this email, and never confirmed it, must not share the account.
  onLink: (context, { id: userId }) => endSeenPassword(context, { userId }),
  onSignIn: async ({ connection, now }, user) => {
    const by = { connection, now, merchantId: user.merchant_id, who: merchantUser(user) };
    if (user.accepted === 0) await acceptByProvider(by, user);
  },
};

/**
 * Finds the merchant that the claims name by its external ID, which the operator has chosen. Merchants can
 * change their names, so a name does not say who they are.
 */
async function findClaimed(connection: Connection, { merchant }: Person): Promise<MerchantRow | undefined> {
  return merchant === null
    ? undefined
    : await connection.first(findMerchantByExternalId, { externalId: merchant });
}

/** Finds a person in the shop that the claims name, or else in the one used last. */
async function findUser(
  connection: Connection,
  userId: string,
  person: Person,
): Promise<UserRow | undefined> {
  const merchant = await findClaimed(connection, person);
  const user = merchant && (await connection.first(findUserOfPerson, { userId, merchantId: merchant.id }));
  return user ?? (await connection.first(findUserInLastShop, { userId }));
}
