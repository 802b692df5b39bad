import type { FastifyInstance } from 'fastify';
import { describeUser, recordAudit } from '../../audit/record-audit.ts';
import type { Config } from '../../config.ts';
import type { Connection, Database } from '../../database/database.ts';
import { lockMerchant } from '../../database/merchant-queries.ts';
import { boolean, oneOf, text } from '../../http/parameters/types.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import { formatTime } from '../../shared/timestamps.ts';
import { limitAttempts, limits } from '../attempts/limit-attempts.ts';
import type { TeamInvitation, TeamList } from '../console-api.ts';
import { type ConsoleCall, registerConsoleEndpoint } from '../endpoint.ts';
import { consoleErrors } from '../errors.ts';
import { ownOrigin } from '../guard.ts';
import type { ConsoleCaller } from '../sessions/current-session.ts';
import { findUser, invalidEmail } from '../users/add-user.ts';
import { changeRole } from '../users/change-role.ts';
import type { InvitedUser } from '../users/invite-user.ts';
import { inviteWithLink } from '../users/invite-with-link.ts';
import { summarizeUser } from '../users/list-users.ts';
import { LINK_LIFETIME_MS } from '../users/password-link.ts';
import { listUsersOfMerchant } from '../users/queries.ts';
import { removeUser } from '../users/remove-user.ts';
import { roles } from '../users/role.ts';
import { findMember, setTwoFactorRequirement } from './queries.ts';

const MAX_NAME_LENGTH = 100;
const MAX_EMAIL_LENGTH = 254;

interface Services {
  config: Config;
  database: Database;
  now: () => number;
}

type Call = Pick<ConsoleCall<Record<never, never>>, 'request' | 'caller'>;

export function consoleTeamRoutes(app: FastifyInstance, services: Services): void {
  const { config, database, now } = services;

  const list = async ({ merchant, user }: ConsoleCaller): Promise<RenderedJson> => {
    const merchantId = merchant.id;
    const rows = await database.all(listUsersOfMerchant, { merchantId });
    const members = rows.map((row) => ({ id: row.id, ...summarizeUser(row), current: row.id === user.id }));
    return RenderedJson.of<TeamList>({ members, requires_two_factor: merchant.requires_two_factor === 1 });
  };
  /** Runs work while the caller is still an owner and the team does not change otherwise. */
  const write = <T>(
    { merchant, user }: ConsoleCaller,
    work: (connection: Connection) => Promise<T>,
  ): Promise<T> =>
    database.transaction(
      async (connection) => {
        const merchantId = merchant.id;
        await connection.run(lockMerchant, { merchantId });
        const member = await connection.first(findMember, { merchantId, userId: user.id });
        if (member === undefined) throw consoleErrors.session_required();
        if (member.role !== 'owner') throw consoleErrors.role_required('owner', member.role);
        return await work(connection);
      },
      { merchantId: merchant.id },
    );
  const findOther = async (connection: Connection, { merchant, user }: ConsoleCaller, id: string) => {
    if (id === user.id)
      throw consoleErrors.conflict('Another owner has to change or remove your own account.');
    const member = await connection.first(findMember, { merchantId: merchant.id, userId: id });
    if (member === undefined) throw consoleErrors.missing('This user doesn’t exist or was removed.');
    return member;
  };
  const invite = async (
    connection: Connection,
    { request, caller }: Call,
    user: Omit<InvitedUser, 'who'>,
  ): Promise<RenderedJson> => {
    const at = now();
    // The address that the owner uses works for the user too.
    const settings = { ...config, publicUrl: ownOrigin(request, config) };
    const invited = { ...user, who: describeUser(caller.user) };
    const { link, isMailed } = await inviteWithLink(connection, invited, { config: settings, now: at });
    return RenderedJson.of<TeamInvitation>({
      mailed: isMailed,
      set_password_url: isMailed ? null : link,
      expires_at: formatTime(at + LINK_LIFETIME_MS),
    });
  };

  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/team',
    parameters: {},
    statuses: [200],
    handle: ({ caller }) => list(caller),
  });
  registerConsoleEndpoint(app, {
    method: 'POST',
    path: '/team',
    role: 'owner',
    parameters: {
      email: { type: text(MAX_EMAIL_LENGTH), required: true },
      name: { type: text(MAX_NAME_LENGTH), required: true },
      role: { type: oneOf(roles), required: true },
    },
    statuses: [200, 409],
    handle: async ({ request, caller, input: { email, name, role } }) => {
      await limitAttempts(services, limits.invitationByMerchant, String(caller.merchant.id));
      return await write(caller, async (connection) => {
        const known = await findUser(connection, email);
        if (known !== undefined) throw invalidEmail(`${known.email} already has an account.`);
        const user = { merchantId: caller.merchant.id, email, name, role };
        return await invite(connection, { request, caller }, user);
      });
    },
  });
  registerConsoleEndpoint(app, {
    method: 'POST',
    path: '/team/{id}',
    role: 'owner',
    parameters: { role: { type: oneOf(roles), required: true } },
    statuses: [200, 404, 409],
    handle: async ({ caller, path: { id }, input: { role } }) => {
      await write(caller, async (connection) => {
        const member = await findOther(connection, caller, id);
        await changeRole(connection, member, role, { who: describeUser(caller.user), now: now() });
      });
      return await list(caller);
    },
  });
  registerConsoleEndpoint(app, {
    method: 'DELETE',
    path: '/team/{id}',
    role: 'owner',
    parameters: {},
    statuses: [200, 404, 409],
    handle: async ({ caller, path: { id } }) => {
      await write(caller, async (connection) => {
        const { merchant_id: merchantId, email } = await findOther(connection, caller, id);
        await removeUser(connection, { merchantId, email, who: describeUser(caller.user) }, now());
      });
      return await list(caller);
    },
  });
  registerConsoleEndpoint(app, {
    method: 'POST',
    path: '/team/{id}/invitation',
    role: 'owner',
    parameters: {},
    statuses: [200, 404, 409],
    handle: async ({ request, caller, path: { id } }) => {
      await limitAttempts(services, limits.invitationByMerchant, String(caller.merchant.id));
      return await write(caller, async (connection) => {
        const {
          email,
          name,
          merchant_id: merchantId,
          has_password,
        } = await findOther(connection, caller, id);
        // With a link for someone else's password, an owner could sign in as that user.
        if (has_password === 1) throw consoleErrors.conflict(`${email} has already accepted the invitation.`);
        return await invite(connection, { request, caller }, { merchantId, email, name });
      });
    },
  });
  registerConsoleEndpoint(app, {
    method: 'POST',
    path: '/team/two-factor',
    role: 'owner',
    parameters: { required: { type: boolean, required: true } },
    statuses: [200, 409],
    handle: async ({ caller, input: { required } }) => {
      const { merchant, user } = caller;
      if (required && !user.two_factor)
        throw consoleErrors.conflict('Enable two-factor authentication for your own account first.');
      const value = required ? 1 : 0;
      await write(caller, async (connection) => {
        if (merchant.requires_two_factor === value) return;
        await connection.run(setTwoFactorRequirement, { merchantId: merchant.id, required: value });
        const action = required ? 'merchant.two_factor_required' : 'merchant.two_factor_optional';
        const context = { connection, merchantId: merchant.id, who: describeUser(user), now: now() };
        await recordAudit(context, { action, subject: null });
      });
      return await list({ ...caller, merchant: { ...merchant, requires_two_factor: value } });
    },
  });
}
