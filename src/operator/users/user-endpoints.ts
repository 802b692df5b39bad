import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config.ts';
import { boolean, oneOf, text } from '../../http/parameters/types.ts';
import { sendJson } from '../../http/responses/respond.ts';
import { MAX_ADDRESS_LENGTH } from '../../shared/email-address.ts';
import { formatTime } from '../../shared/timestamps.ts';
import { MAX_USER_NAME_LENGTH } from '../../users/add-user.ts';
import { invitationNeeds, inviteUser } from '../../users/invite-user.ts';
import { listUsers } from '../../users/list-users.ts';
import { removeUser } from '../../users/remove-user.ts';
import { roles } from '../../users/role.ts';
import { registerOperatorEndpoint } from '../endpoint/register.ts';
import { type OperatorWriteServices, registerOperatorWrite } from '../endpoint/register-write.ts';
import { merchantInPath, requireMerchant } from '../merchants/merchant-parameters.ts';
import { merchantsTag } from '../tags.ts';
import {
  exampleInvited,
  exampleUser,
  type Invited,
  invitedSchema,
  listSchema,
  type Removed,
  removedSchema,
  type UserList,
} from './user-schema.ts';

const userInPath = {
  ...merchantInPath,
  user: {
    type: text(MAX_ADDRESS_LENGTH),
    description: 'The email of the user.',
    example: 'ada@alpine-vases.example',
  },
};

export function userEndpoints(
  app: FastifyInstance,
  services: OperatorWriteServices & { config: Config },
): void {
  const needs = invitationNeeds(services.config);
  registerOperatorEndpoint(app, services, {
    method: 'GET',
    path: '/merchants/{external_id}/users',
    name: 'listMerchantUsers',
    tag: merchantsTag,
    summary: 'List users of a merchant’s console',
    description: 'Lists all users of the merchant’s console by email.',
    scope: 'access',
    pathParameters: merchantInPath,
    parameters: {},
    statuses: [200, 304, 404],
    success: {
      description: 'The users.',
      schema: listSchema,
      examples: { users: { summary: 'One user', value: { results: [exampleUser] } } },
    },
    handle: async ({ request, reply, path }) => {
      const { id } = await requireMerchant(services.database, path);
      const list: UserList = { results: await listUsers(services, id) };
      await sendJson(request, reply, JSON.stringify(list));
    },
  });
  registerOperatorWrite(app, services, {
    method: 'POST',
    path: '/merchants/{external_id}/users',
    name: 'inviteUser',
    tag: merchantsTag,
    summary: 'Invite a user of a merchant’s console',
    description:
      'Creates a user unless the merchant has one with this email, and returns a link with which the user sets a ' +
      'password. If a mail server is set, the user gets a link by mail too. A person can be a user of several ' +
      'merchants: with a password from another one, the link accepts the invitation after signing in.',
    scope: 'access',
    pathParameters: merchantInPath,
    parameters: {
      email: {
        type: text(MAX_ADDRESS_LENGTH),
        required: true,
        description: 'The email with which the user signs in.',
        example: 'ada@alpine-vases.example',
      },
      name: {
        type: text(MAX_USER_NAME_LENGTH),
        description: 'The name of a new user; the merchant’s name by default.',
        example: 'Ada Miller',
      },
      role: {
        type: oneOf(roles),
        description:
          'What the user may do in the console: an `owner` everything, an `editor` everything except managing users, ' +
          'keys, webhooks and the shop’s settings, a `viewer` only reads. `owner` for a new user without it; an existing ' +
          'user keeps the role without it. A merchant with users has at least one owner.',
        example: 'viewer',
      },
      reset_two_factor: {
        type: boolean,
        description:
          'If true, disables two-factor authentication of a user who has lost it, and removes the user’s passkeys. Has ' +
          'no effect on a user who has not accepted the invitation.',
      },
    },
    statuses: [201, 404, 409],
    success: {
      status: 201,
      description: 'The invitation.',
      schema: invitedSchema,
      examples: { invitation: { summary: 'A new user', value: exampleInvited } },
    },
    write: async (operator, { path, input }): Promise<Invited> => {
      const merchant = await requireMerchant(operator.connection, path);
      const { email, name = merchant.name, role, reset_two_factor: resetTwoFactor = false } = input;
      const context = { ...operator, merchantId: merchant.id, ...needs };
      const { user, isNew, link, isMailed, expiresAt } = await inviteUser(context, {
        email,
        name,
        role,
        resetTwoFactor,
      });
      return {
        email: user.email,
        role: user.role,
        new_user: isNew,
        set_password_url: link,
        mailed: isMailed,
        expires_at: formatTime(expiresAt),
      };
    },
  });
  registerOperatorWrite(app, services, {
    method: 'DELETE',
    path: '/merchants/{external_id}/users/{user}',
    name: 'removeUser',
    tag: merchantsTag,
    summary: 'Remove a user of a merchant’s console',
    description:
      'Ends the user’s access to the merchant’s console. A person who is a user of no other merchant is deleted, with ' +
      'all sessions and links. Keys that the user created continue to work. The only owner of a merchant with other users cannot be removed.',
    scope: 'access',
    pathParameters: userInPath,
    parameters: {},
    statuses: [200, 404, 409],
    success: {
      description: 'The email of the user.',
      schema: removedSchema,
      examples: { removed: { summary: 'A removed user', value: { removed: 'ada@alpine-vases.example' } } },
    },
    write: async (operator, { path }): Promise<Removed> => {
      const { id: merchantId } = await requireMerchant(operator.connection, path);
      return { removed: await removeUser({ ...operator, merchantId }, { email: path.user }) };
    },
  });
}
