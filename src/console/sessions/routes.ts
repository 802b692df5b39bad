import type { FastifyInstance } from 'fastify';
import { describeUser, recordAudit } from '../../audit/record-audit.ts';
import type { Database } from '../../database/database.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import { formatTime } from '../../shared/timestamps.ts';
import type { SessionList } from '../console-api.ts';
import { registerConsoleEndpoint } from '../endpoint.ts';
import { consoleErrors } from '../errors.ts';
import type { ConsoleCaller } from './current-session.ts';
import { deleteOtherSessionsOfUser, deleteSessionOfUser, listSessionsOfUser } from './queries.ts';

/** Registers the endpoints for a user's own sessions. Other users' sessions are "not found". */
export function consoleSessionRoutes(
  app: FastifyInstance,
  { database, now }: { database: Database; now: () => number },
): void {
  const list = async ({ sessionId, user }: ConsoleCaller) => {
    const rows = await database.all(listSessionsOfUser, { userId: user.id, now: now() });
    return RenderedJson.of<SessionList>({
      sessions: rows.map(({ id, created_at, updated_at, user_agent }) => ({
        id,
        created_at: formatTime(created_at),
        last_used_at: formatTime(updated_at),
        current: id === sessionId,
        user_agent: user_agent || null,
      })),
    });
  };
  /** Ends sessions, records this in the audit log, and resolves to their number. */
  const end = (
    { merchant, user }: ConsoleCaller,
    deletion: typeof deleteSessionOfUser,
    sessionId: string,
  ): Promise<number> =>
    database.transaction(
      async (connection) => {
        const ended = await connection.run(deletion, { userId: user.id, sessionId });
        const subject = ended === 1 ? null : `${ended} sessions`;
        const context = { connection, merchantId: merchant.id, who: describeUser(user), now: now() };
        if (ended > 0) await recordAudit(context, { action: 'user.session_ended', subject });
        return ended;
      },
      { merchantId: merchant.id },
    );

  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/sessions',
    parameters: {},
    statuses: [200],
    handle: ({ caller }) => list(caller),
  });
  registerConsoleEndpoint(app, {
    method: 'DELETE',
    path: '/sessions',
    role: 'viewer',
    parameters: {},
    statuses: [200],
    handle: async ({ caller }) => {
      await end(caller, deleteOtherSessionsOfUser, caller.sessionId);
      return await list(caller);
    },
  });
  registerConsoleEndpoint(app, {
    method: 'DELETE',
    path: '/sessions/{id}',
    role: 'viewer',
    parameters: {},
    statuses: [200, 404],
    handle: async ({ caller, path: { id } }) => {
      const ended = await end(caller, deleteSessionOfUser, id);
      if (ended === 0) throw consoleErrors.missing('This session doesn’t exist or has already ended.');
      return await list(caller);
    },
  });
}
