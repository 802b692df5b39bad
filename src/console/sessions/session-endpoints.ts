import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.ts';
import { runVerb } from '../../database/write-context.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import { formatTime } from '../../shared/timestamps.ts';
import { listSessionsOfUser } from '../../users/session-queries.ts';
import type { SessionList } from '../console-api.ts';
import { registerConsoleEndpoint } from '../register-endpoint.ts';
import type { ConsoleCaller } from './console-callers.ts';
import { endOtherSessions, endSession } from './end-sessions.ts';

/** Registers the endpoints for a user's own sessions. Other users' sessions are "not found". */
export function consoleSessionEndpoints(
  app: FastifyInstance,
  services: { database: Database; now: () => number },
): void {
  const { database, now } = services;
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
      const { sessionId, user } = caller;
      await runVerb(services, caller, endOtherSessions, { userId: user.id, sessionId });
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
      await runVerb(services, caller, endSession, { userId: caller.user.id, sessionId: id });
      return await list(caller);
    },
  });
}
