import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { runVerb, type Verb } from '../../database/write-context.ts';
import { boolean, oneOf, text } from '../../http/parameters/types.ts';
import { MAX_ADDRESS_LENGTH } from '../../shared/email-address.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import { formatTime } from '../../shared/timestamps.ts';
import { MAX_USER_NAME_LENGTH } from '../../users/add-user.ts';
import { type Invitation, type InvitationNeeds, invitationNeeds } from '../../users/invite-user.ts';
import { summarizeUser } from '../../users/list-users.ts';
import { listUsersOfMerchant } from '../../users/membership-queries.ts';
import { roles } from '../../users/role.ts';
import { limitAttempts, limits } from '../attempts/limit-attempts.ts';
import type { TeamInvitation, TeamList } from '../console-api.ts';
import { consoleErrors } from '../errors.ts';
import { ownOrigin } from '../guard.ts';
import { registerConsoleEndpoint } from '../register-endpoint.ts';
import type { ConsoleCaller } from '../sessions/console-callers.ts';
import {
  changeMember,
  inviteAgain,
  inviteMember,
  removeMember,
  requireTwoFactor,
  type TeamNeeds,
} from './manage-team.ts';

export function consoleTeamEndpoints(
  app: FastifyInstance,
  services: { config: Config; database: Database; now: () => number },
): void {
  const { config, database } = services;

  const list = async ({ merchant, user }: ConsoleCaller): Promise<RenderedJson> => {
    const rows = await database.all(listUsersOfMerchant, { merchantId: merchant.id });
    const members = rows.map((row) => ({
      id: row.membership_id,
      ...summarizeUser(row),
      current: row.id === user.id,
    }));
    return RenderedJson.of<TeamList>({ members, requires_two_factor: merchant.requires_two_factor === 1 });
  };
  const change = async <Input>(
    { merchantId, who, user }: ConsoleCaller,
    verb: Verb<Input, void, TeamNeeds>,
    input: Input,
  ): Promise<void> => runVerb(services, { merchantId, who, ownerId: user.id }, verb, input);
  const invite = async <Input>(
    { request, caller: { merchantId, who, user } }: { request: FastifyRequest; caller: ConsoleCaller },
    verb: Verb<Input, Invitation, TeamNeeds & InvitationNeeds>,
    input: Input,
  ): Promise<RenderedJson> => {
    await limitAttempts(services, limits.invitationByMerchant, String(merchantId));
    // The address that the owner uses works for the user too.
    const needs = invitationNeeds({ ...config, publicUrl: ownOrigin(request, config) });
    const owner = { merchantId, who, ownerId: user.id, ...needs };
    const { link, isMailed, expiresAt } = await runVerb(services, owner, verb, input);
    return RenderedJson.of<TeamInvitation>({
      mailed: isMailed,
      set_password_url: isMailed ? null : link,
      expires_at: formatTime(expiresAt),
    });
  };

  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/team',
    about: 'shop',
    parameters: {},
    statuses: [200],
    handle: ({ caller }) => list(caller),
  });
  registerConsoleEndpoint(app, {
    method: 'POST',
    path: '/team',
    about: 'shop',
    role: 'owner',
    parameters: {
      email: { type: text(MAX_ADDRESS_LENGTH), required: true },
      name: { type: text(MAX_USER_NAME_LENGTH), required: true },
      role: { type: oneOf(roles), required: true },
    },
    statuses: [200, 409],
    handle: (call) => invite(call, inviteMember, call.input),
  });
  registerConsoleEndpoint(app, {
    method: 'POST',
    path: '/team/{id}',
    about: 'shop',
    role: 'owner',
    parameters: { role: { type: oneOf(roles), required: true } },
    statuses: [200, 404, 409],
    handle: async ({ caller, path: { id }, input: { role } }) => {
      await change(caller, changeMember, { id, role });
      return await list(caller);
    },
  });
  registerConsoleEndpoint(app, {
    method: 'DELETE',
    path: '/team/{id}',
    about: 'shop',
    role: 'owner',
    parameters: {},
    statuses: [200, 404, 409],
    handle: async ({ caller, path: { id } }) => {
      await change(caller, removeMember, { id });
      return await list(caller);
    },
  });
  registerConsoleEndpoint(app, {
    method: 'POST',
    path: '/team/{id}/invitation',
    about: 'shop',
    role: 'owner',
    parameters: {},
    statuses: [200, 404, 409],
    handle: (call) => invite(call, inviteAgain, call.path),
  });
  registerConsoleEndpoint(app, {
    method: 'POST',
    path: '/team/two-factor',
    about: 'shop',
    role: 'owner',
    parameters: { required: { type: boolean, required: true } },
    statuses: [200, 409],
    handle: async ({ caller, input: { required } }) => {
      const { merchant, user } = caller;
      if (required && !user.two_factor)
        throw consoleErrors.conflict('Enable two-factor authentication for your own account first.');
      await change(caller, requireTwoFactor, { required });
      return await list({ ...caller, merchant: { ...merchant, requires_two_factor: required ? 1 : 0 } });
    },
  });
}
