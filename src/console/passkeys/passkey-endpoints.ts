import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.ts';
import { runVerb } from '../../database/write-context.ts';
import type { EndpointServices } from '../../http/endpoint/register.ts';
import { text } from '../../http/parameters/types.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import { formatTime } from '../../shared/timestamps.ts';
import { listPasskeysOfUser } from '../../users/passkey-queries.ts';
import type { RealmCaller } from '../auth/realm.ts';
import type { PasskeyList } from '../console-api.ts';
import { registerPageEndpoint } from '../register-endpoint.ts';
import { inLiveLog } from '../sessions/session-endpoints.ts';
import { parsePasskeyName, removePasskey, renamePasskey } from './manage-passkeys.ts';
import { MAX_PASSKEY_NAME_LENGTH } from './passkey-limits.ts';

/** Registers the endpoints for a user's own passkeys in a realm. Other users' passkeys are "not found". */
export function passkeyEndpoints<Caller extends RealmCaller, Least extends string>(
  app: FastifyInstance,
  services: EndpointServices<Caller, Least> & { database: Database; now: () => number },
  role: Least,
): void {
  const list = async ({ user: { id: userId } }: RealmCaller): Promise<RenderedJson> => {
    const rows = await services.database.all(listPasskeysOfUser, { userId });
    return RenderedJson.of<PasskeyList>({
      passkeys: rows.map(({ id, name, rp_id: host, created_at, last_used_at }) => ({
        id,
        name,
        host,
        created_at: formatTime(created_at),
        last_used_at: last_used_at === null ? null : formatTime(last_used_at),
      })),
    });
  };

  registerPageEndpoint(app, services, {
    method: 'GET',
    path: '/passkeys',
    role,
    parameters: {},
    statuses: [200],
    handle: ({ caller }) => list(caller),
  });
  registerPageEndpoint(app, services, {
    method: 'POST',
    path: '/passkeys/{id}',
    role,
    parameters: { name: { type: text(MAX_PASSKEY_NAME_LENGTH), required: true } },
    statuses: [200, 404],
    handle: async ({ caller, path: { id }, input: { name } }) => {
      const passkey = { userId: caller.user.id, id, name: parsePasskeyName(name) };
      await runVerb(services, inLiveLog(caller), renamePasskey, passkey);
      return await list(caller);
    },
  });
  registerPageEndpoint(app, services, {
    method: 'DELETE',
    path: '/passkeys/{id}',
    role,
    parameters: {},
    statuses: [200, 404],
    handle: async ({ caller, path: { id } }) => {
      const { sessionId, user } = caller;
      await runVerb(services, inLiveLog(caller), removePasskey, { userId: user.id, id, sessionId });
      return await list(caller);
    },
  });
}
