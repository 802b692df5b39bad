import type { FastifyInstance, FastifyRequest } from 'fastify';
import { describeActor, operatorUser } from '../../audit/record-audit.ts';
import { ownOrigin } from '../../console/guard.ts';
import { registerPageEndpoint } from '../../console/register-endpoint.ts';
import { runVerb } from '../../database/write-context.ts';
import { oneOf, text } from '../../http/parameters/types.ts';
import { changeOperator } from '../../operators/change-operator-role.ts';
import { requireOperatorOfId } from '../../operators/find-operator.ts';
import { inviteOperator, type OperatorInvitation, resetOperator } from '../../operators/invite-operator.ts';
import { listOperators } from '../../operators/list-operators.ts';
import { findOperatorByEmail } from '../../operators/queries.ts';
import { removeOperator } from '../../operators/remove-operator.ts';
import { operatorRoles } from '../../operators/role.ts';
import { MAX_ADDRESS_LENGTH } from '../../shared/email-address.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import { formatTime } from '../../shared/timestamps.ts';
import { invalidEmail, MAX_USER_NAME_LENGTH, normalizeEmail } from '../../users/add-user.ts';
import { OPERATOR_PATH } from '../path.ts';
import type { OperatorLink, OperatorList } from './screen-api.ts';
import type { ScreenGate } from './screen-gate.ts';
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
        who: describeActor(operatorUser(operator)),
      })),
    });
  };
  const contextOf = (request: FastifyRequest, { merchantId, who }: ScreenCaller) => ({
    ...{ merchantId, who },
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
    handle: async ({ request, caller, input }) => {
      // The command gives an existing operator a new link. Here, it would also change the role.
      if ((await database.first(findOperatorByEmail, { email: normalizeEmail(input.email) })) !== undefined)
        throw invalidEmail(`${input.email} is an operator already. Create a new link in the list instead.`);
      return linkOf(await runVerb(gate, contextOf(request, caller), inviteOperator, input));
    },
  });
  registerPageEndpoint(app, gate, {
    method: 'POST',
    path: '/operators/{id}',
    role: 'admin',
    parameters: { role: { type: oneOf(operatorRoles), required: true } },
    statuses: [200, 404],
    handle: async ({ request, caller, path: { id }, input: { role } }) => {
      const { email } = await requireOperatorOfId(database, id);
      await runVerb(gate, contextOf(request, caller), changeOperator, { email, role });
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
      return linkOf(await runVerb(gate, contextOf(request, caller), resetOperator, { email }));
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
      await runVerb(gate, contextOf(request, caller), removeOperator, { email });
      return await list(caller);
    },
  });
}
