import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.ts';
import { liveSideOf } from '../../database/sides.ts';
import { runVerb, type VerbCaller } from '../../database/write-context.ts';
import type { EndpointServices } from '../../http/endpoint/register.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import { formatTime } from '../../shared/timestamps.ts';
import { listSessionsOfUser } from '../../users/session-queries.ts';
import { isTooOld, type Realm, type RealmCaller } from '../auth/realm.ts';
import type { SessionList } from '../console-api.ts';
import { registerPageEndpoint } from '../register-endpoint.ts';
import { endOtherSessions, endSession } from './end-sessions.ts';

/** Registers the endpoints for a user's own sessions in a realm. Other users' sessions are "not found". */
export function sessionEndpoints<Caller extends RealmCaller, Least extends string>(
  app: FastifyInstance,
  services: EndpointServices<Caller, Least> & {
    database: Database;
    now: () => number;
    realm: Pick<Realm, 'sessionMs'>;
  },
  role: Least,
): void {
  const { database, now, realm } = services;
  const list = async ({ sessionId, user }: RealmCaller) => {
    const at = now();
    const rows = await database.all(listSessionsOfUser, { userId: user.id, now: at });
    const open = rows.filter(
      ({ created_at: createdAt, by_provider: byProvider }) =>
        !isTooOld(realm, { createdAt, byProvider: byProvider === 1 }, at),
    );
    return RenderedJson.of<SessionList>({
      sessions: open.map(({ id, created_at, updated_at, user_agent }) => ({
        id,
        created_at: formatTime(created_at),
        last_used_at: formatTime(updated_at),
        current: id === sessionId,
        user_agent: user_agent || null,
      })),
    });
  };

  registerPageEndpoint(app, services, {
    method: 'GET',
    path: '/sessions',
    role,
    parameters: {},
    statuses: [200],
    handle: ({ caller }) => list(caller),
  });
  registerPageEndpoint(app, services, {
    method: 'DELETE',
    path: '/sessions',
    role,
    parameters: {},
    statuses: [200],
    handle: async ({ caller }) => {
      const { sessionId, user } = caller;
      await runVerb(services, inLiveLog(caller), endOtherSessions, { userId: user.id, sessionId });
      return await list(caller);
    },
  });
  registerPageEndpoint(app, services, {
    method: 'DELETE',
    path: '/sessions/{id}',
    role,
    parameters: {},
    statuses: [200, 404],
    handle: async ({ caller, path: { id } }) => {
      await runVerb(services, inLiveLog(caller), endSession, { userId: caller.user.id, sessionId: id });
      return await list(caller);
    },
  });
}

/** A user's account has no sides: the merchant's log has what happens to it. */
export function inLiveLog({ merchantId, who }: RealmCaller): VerbCaller {
  return { merchantId: liveSideOf(merchantId), who };
}
