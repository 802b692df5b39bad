import type { FastifyInstance, FastifyRequest } from 'fastify';
import { describeUser } from '../../audit/record-audit.ts';
import { consoleErrors } from '../../console/errors.ts';
import { ownOrigin } from '../../console/guard.ts';
import { registerPageEndpoint } from '../../console/register-endpoint.ts';
import { runVerb, type Verb } from '../../database/write-context.ts';
import { oneOf, text } from '../../http/parameters/types.ts';
import { changeOperator } from '../../operators/change-operator-role.ts';
import { requireOperatorOfId } from '../../operators/find-operator.ts';
import { inviteOperator, type OperatorInvitation, resetOperator } from '../../operators/invite-operator.ts';
import { listOperators } from '../../operators/list-operators.ts';
import { findOperatorByEmail, findOperatorById, lockOperators } from '../../operators/queries.ts';
import { removeOperator } from '../../operators/remove-operator.ts';
import { operatorRoles } from '../../operators/role.ts';
import { MAX_ADDRESS_LENGTH } from '../../shared/email-address.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import { formatTime } from '../../shared/timestamps.ts';
import { invalidEmail, MAX_USER_NAME_LENGTH, normalizeEmail } from '../../users/add-user.ts';
import { OPERATOR_PATH } from '../path.ts';
import type { OperatorLink, OperatorList } from './screen-api.ts';
import { requireOperatorRole, type ScreenGate } from './screen-gate.ts';
import type { ScreenCaller } from './screen-realm.ts';

/** Registers the calls with which admins manage operators, and which others can read. */
export function screenOperatorEndpoints(app: FastifyInstance, gate: ScreenGate): void {
  const { config, database } = gate;
  const list = async ({ user }: ScreenCaller): Promise<RenderedJson> => {
    const operators = await listOperators(database);
    return RenderedJson.of<OperatorList>({
      operators: operators.map((operator) => ({
        ...operator,
        current: operator.id === user.id,
        who: describeUser(operator),
      })),
    });
  };
  const contextOf = (request: FastifyRequest, { merchantId, who, user: { id: adminId } }: ScreenCaller) => ({
    ...{ merchantId, who, adminId },
    screenUrl: `${ownOrigin(request, config)}${OPERATOR_PATH}`,
  });
  const linkOf = ({ link, expiresAt }: Pick<OperatorInvitation, 'link' | 'expiresAt'>): RenderedJson =>
    RenderedJson.of<OperatorLink>({ set_password_url: link, expires_at: formatTime(expiresAt) });

  registerPageEndpoint(app, gate, {
    method: 'GET',
    path: '/operators',
    role: 'viewer',
    parameters: {},
    statuses: [200],
    handle: ({ caller }) => list(caller),
  });
  registerPageEndpoint(app, gate, {
    method: 'POST',
    path: '/operators',
    role: 'admin',
    parameters: {
      email: { type: text(MAX_ADDRESS_LENGTH), required: true },
      name: { type: text(MAX_USER_NAME_LENGTH), required: true },
      role: { type: oneOf(operatorRoles), required: true },
    },
    statuses: [200],
    handle: async ({ request, caller, input }) =>
      linkOf(await runVerb(gate, contextOf(request, caller), asAdmin(inviteNewOperator), input)),
  });
  registerPageEndpoint(app, gate, {
    method: 'POST',
    path: '/operators/{id}',
    role: 'admin',
    parameters: { role: { type: oneOf(operatorRoles), required: true } },
    statuses: [200, 404],
    handle: async ({ request, caller, path: { id }, input: { role } }) => {
      const { email } = await requireOperatorOfId(database, id);
      await runVerb(gate, contextOf(request, caller), asAdmin(changeOperator), { email, role });
      return await list(caller);
    },
  });
  registerPageEndpoint(app, gate, {
    method: 'POST',
    path: '/operators/{id}/reset',
    role: 'admin',
    parameters: {},
    statuses: [200, 404],
    handle: async ({ request, caller, path: { id } }) => {
      const { email } = await requireOperatorOfId(database, id);
      return linkOf(await runVerb(gate, contextOf(request, caller), asAdmin(resetOperator), { email }));
    },
  });
  registerPageEndpoint(app, gate, {
    method: 'DELETE',
    path: '/operators/{id}',
    role: 'admin',
    parameters: {},
    statuses: [200, 404, 409],
    handle: async ({ request, caller, path: { id } }) => {
      const { email } = await requireOperatorOfId(database, id);
      await runVerb(gate, contextOf(request, caller), asAdmin(removeOperator), { email });
      return await list(caller);
    },
  });
}

/** The command gives an existing operator a new link. On the screen, it would also change the role. */
const inviteNewOperator: typeof inviteOperator = async (context, input) => {
  const { email } = input;
  if ((await context.connection.first(findOperatorByEmail, { email: normalizeEmail(email) })) !== undefined)
    throw invalidEmail(`${email} is an operator already. Create a new link in the list instead.`);
  return await inviteOperator(context, input);
};

/**
 * Makes a verb one of an admin, who may have been removed or become something else since the request arrived.
 * Such verbs wait for each other.
 * @throws {DomainError} as the authentication of a request
 */
function asAdmin<Input, Result, Needs>(
  verb: Verb<Input, Result, Needs>,
): Verb<Input, Result, Needs & { adminId: string }> {
  return async (context, input) => {
    await context.connection.run(lockOperators);
    const admin = await context.connection.first(findOperatorById, { id: context.adminId });
    if (admin === undefined) throw consoleErrors.session_required();
    requireOperatorRole({ user: admin }, 'admin');
    return await verb(context, input);
  };
}
