import { describeUser, merchantUser, recordAudit } from '../../audit/record-audit.ts';
import { findMerchant, isCalled } from '../../merchants/find-merchant.ts';
import { addUser } from '../../users/add-user.ts';
import { requireUsersLeft } from '../../users/invite-user.ts';
import { findUserByEmail, findUserById, type UserRow, updateRole } from '../../users/queries.ts';
import { requireOtherOwner } from '../../users/require-owner.ts';
import { roles } from '../../users/role.ts';
import { nameOf, type People } from './people.ts';

/** The users of the console. Claims that name a merchant and a role create a user. */
export const consolePeople: People<UserRow> = {
  realm: 'console_users',
  lock: async () => {},
  findById: (connection, userId) => connection.first(findUserById, { userId }),
  findByEmail: (connection, email) => connection.first(findUserByEmail, { email }),
  roleOf: (person) => roles.findLast((role) => person.roles.includes(role)),
  create: async (context, person) => {
    const { connection, now, budgets } = context;
    const role = consolePeople.roleOf(person);
    if (role === undefined || person.merchant === null) return undefined;
    const merchant = await findMerchant({ database: connection }, person.merchant);
    if (merchant === undefined) return undefined;
    const { email } = person;
    const name = nameOf(person);
    const scope = { connection, now, merchantId: merchant.id, who: merchantUser({ name, email }) };
    await requireUsersLeft({ ...scope, budgets });
    const user = await addUser(scope, { email, name, role });
    if (role !== 'owner') await requireOtherOwner(connection, user, 'added');
    const subject = `${describeUser(user)}, now ${role}, by ${person.provider}`;
    recordAudit(scope, { action: 'user.created', subject });
    return user;
  },
  setRole: async ({ connection, now }, { id: userId }, role) => {
    await connection.run(updateRole, { userId, role, now });
  },
  accepts: async (connection, user, { merchant: named }) => {
    if (named === null) return true;
    const merchant = await findMerchant({ database: connection }, String(user.merchant_id));
    return merchant !== undefined && isCalled(merchant, named);
  },
  actorOf: merchantUser,
  merchantIdOf: (user) => user?.merchant_id,
};
