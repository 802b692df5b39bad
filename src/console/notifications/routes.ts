import type { FastifyInstance } from 'fastify';
import type { Connection, Database, Reader } from '../../database/database.ts';
import { boolean } from '../../http/parameters/types.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import type { Notifications } from '../console-api.ts';
import { registerConsoleEndpoint } from '../endpoint.ts';
import { consoleErrors } from '../errors.ts';
import { optionalMails, wantsMail } from '../mails/optional-mails.ts';
import { findMutedMails, updateMutedMails } from './queries.ts';

export function consoleNotificationRoutes(
  app: FastifyInstance,
  { database, now }: { database: Database; now: () => number },
): void {
  const read = async (reader: Pick<Reader, 'first'>, userId: string): Promise<Notifications> => {
    const user = await reader.first(findMutedMails, { userId });
    if (user === undefined) throw consoleErrors.session_required();
    return {
      keys_expiring: wantsMail(user, 'keys_expiring'),
      webhook_disabled: wantsMail(user, 'webhook_disabled'),
    };
  };
  const write = async (connection: Connection, userId: string, wanted: Notifications): Promise<void> => {
    const muted = optionalMails.filter((kind) => !wanted[kind]).join(',');
    await connection.run(updateMutedMails, { userId, muted, now: now() });
  };

  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/notifications',
    parameters: {},
    statuses: [200],
    handle: async ({ caller: { user } }) => RenderedJson.of<Notifications>(await read(database, user.id)),
  });
  registerConsoleEndpoint(app, {
    method: 'POST',
    path: '/notifications',
    role: 'viewer',
    parameters: { keys_expiring: { type: boolean }, webhook_disabled: { type: boolean } },
    statuses: [200],
    handle: async ({ caller: { user }, input }) =>
      RenderedJson.of<Notifications>(
        await database.transaction(async (connection) => {
          const before = await read(connection, user.id);
          const wanted = {
            keys_expiring: input.keys_expiring ?? before.keys_expiring,
            webhook_disabled: input.webhook_disabled ?? before.webhook_disabled,
          };
          await write(connection, user.id, wanted);
          return wanted;
        }),
      ),
  });
}
