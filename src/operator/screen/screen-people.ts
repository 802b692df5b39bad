import { describeUser, operatorUser, recordAudit } from '../../audit/record-audit.ts';
import { nameOf, type People } from '../../console/single-sign-on/people.ts';
import { OPERATOR_ID } from '../../database/sides.ts';
import { addOperator } from '../../operators/invite-operator.ts';
import {
  allowPassword,
  findOperatorByEmail,
  findOperatorById,
  lockOperators,
  type OperatorRow,
  updateOperatorRole,
} from '../../operators/queries.ts';
import { operatorRoles } from '../../operators/role.ts';

/** The operators. A claim that states a role creates an operator. */
export const screenPeople: People<OperatorRow> = {
  realm: 'operators',
  lock: async ({ connection }) => void (await connection.run(lockOperators)),
  findById: (connection, id) => connection.first(findOperatorById, { id }),
  findByEmail: (connection, email) => connection.first(findOperatorByEmail, { email }),
  roleOf: (person) => operatorRoles.findLast((role) => person.roles.includes(role)),
  create: async ({ connection, now }, person) => {
    const role = screenPeople.roleOf(person);
    if (role === undefined) return undefined;
    const { email } = person;
    const name = nameOf(person);
    const scope = { connection, now, merchantId: OPERATOR_ID, who: operatorUser({ name, email }) };
    const operator = await addOperator(scope, { email, name, role });
    const subject = `${describeUser(operator)}, now ${role}, by ${person.provider}`;
    recordAudit(scope, { action: 'user.created', subject });
    return operator;
  },
  setRole: async ({ connection, now }, { id }, role) => {
    await connection.run(updateOperatorRole, { id, role, now });
  },
  accepts: async () => true,
  actorOf: operatorUser,
  merchantIdOf: () => OPERATOR_ID,
  onSignIn: async ({ connection }, { id }) => {
    await connection.run(allowPassword, { id, allowed: 0 });
  },
};
