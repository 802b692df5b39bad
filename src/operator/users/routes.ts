import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config.ts';
import { normalizeEmail } from '../../console/users/add-user.ts';
import { inviteWithLink } from '../../console/users/invite-with-link.ts';
import { LINK_LIFETIME_MS } from '../../console/users/password-link.ts';
import { removeUser } from '../../console/users/remove-user.ts';
import type { PathParameter } from '../../http/endpoint/declaration.ts';
import { text } from '../../http/parameters/types.ts';
import { formatTime } from '../../shared/timestamps.ts';
import { type OperatorWriteServices, registerOperatorWrite } from '../endpoint/register-write.ts';
import { merchantInPath, requireMerchant } from '../merchants/merchant-parameters.ts';
import {
  type Invited,
  inviteUserReference,
  MAX_EMAIL_LENGTH,
  type Removed,
  removeUserReference,
  userParameters,
} from './references.ts';

const userInPath = {
  ...merchantInPath,
  user: {
    type: text(MAX_EMAIL_LENGTH),
    description: 'The email of the user.',
    example: 'ada@alpine-vases.example',
  } satisfies PathParameter<string>,
};

export function operatorUserRoutes(
  app: FastifyInstance,
  services: OperatorWriteServices & { config: Config },
): void {
  const { config, now } = services;
  registerOperatorWrite(app, services, {
    method: 'POST',
    path: '/merchants/{external_id}/users',
    pathParameters: merchantInPath,
    parameters: userParameters,
    scope: 'merchants',
    statuses: [201, 404, 409],
    reference: inviteUserReference,
    write: async (connection, { path, input }): Promise<Invited> => {
      const merchant = await requireMerchant(connection, path);
      const { email, name = merchant.name, role, reset_two_factor: resetTwoFactor = false } = input;
      const user = { merchantId: merchant.id, email, name, resetTwoFactor, ...(role && { role }) };
      const at = now();
      const { isNew, link, isMailed, ...invited } = await inviteWithLink(connection, user, {
        config,
        now: at,
      });
      return {
        email: normalizeEmail(email),
        role: role ?? invited.user.role,
        new_user: isNew,
        set_password_url: link,
        mailed: isMailed,
        expires_at: formatTime(at + LINK_LIFETIME_MS),
      };
    },
  });
  registerOperatorWrite(app, services, {
    method: 'DELETE',
    path: '/merchants/{external_id}/users/{user}',
    pathParameters: userInPath,
    parameters: {},
    scope: 'merchants',
    statuses: [200, 404, 409],
    reference: removeUserReference,
    write: async (connection, { path }): Promise<Removed> => {
      const { id: merchantId } = await requireMerchant(connection, path);
      const user = { merchantId, email: path.user };
      return { removed: await removeUser(connection, user, now()) };
    },
  });
}
