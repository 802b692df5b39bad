import type { FastifyInstance } from 'fastify';
import type { Database, Reader } from '../../database/database.ts';
import { runVerb, type WriteContext } from '../../database/write-context.ts';
import { boolean } from '../../http/parameters/types.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import type { Notifications } from '../console-api.ts';
import { consoleErrors } from '../errors.ts';
import { type OptionalMail, optionalMails, wantsMail } from '../mails/optional-mails.ts';
import { registerConsoleEndpoint } from '../register-endpoint.ts';
import { findMutedMails, updateMutedMails } from './queries.ts';

/** Operators who look at the console get no mails from it. */
const none: Notifications = { keys_expiring: false, webhook_disabled: false };

export function consoleNotificationEndpoints(
  app: FastifyInstance,
  services: { database: Database; now: () => number },
): void {
  registerConsoleEndpoint(app, {
    method: 'GET',
    path: '/notifications',
    about: 'user',
    parameters: {},
    statuses: [200],
    handle: async ({ caller: { user, merchantId, supportView } }) =>
      RenderedJson.of<Notifications>(
        supportView === undefined
          ? await readNotifications(services.database, { userId: user.id, merchantId })
          : none,
      ),
  });
  registerConsoleEndpoint(app, {
    method: 'POST',
    path: '/notifications',
    about: 'user',
    role: 'viewer',
    parameters: { keys_expiring: { type: boolean }, webhook_disabled: { type: boolean } },
    statuses: [200],
    handle: async ({ caller, input }) => {
      const change = { userId: caller.user.id, ...input };
      return RenderedJson.of<Notifications>(await runVerb(services, caller, changeNotifications, change));
    },
  });
}

async function readNotifications(
  reader: Pick<Reader, 'first'>,
  member: { userId: string; merchantId: number },
): Promise<Notifications> {
  const user = await reader.first(findMutedMails, member);
  if (user === undefined) throw consoleErrors.session_required();
  return {
    keys_expiring: wantsMail(user, 'keys_expiring'),
    webhook_disabled: wantsMail(user, 'webhook_disabled'),
  };
}

async function changeNotifications(
  { connection, merchantId }: WriteContext,
  { userId, ...change }: { userId: string } & { [Mail in OptionalMail]?: boolean | undefined },
): Promise<Notifications> {
  const before = await readNotifications(connection, { userId, merchantId });
  const wanted = {
    keys_expiring: change.keys_expiring ?? before.keys_expiring,
    webhook_disabled: change.webhook_disabled ?? before.webhook_disabled,
  };
  const muted = optionalMails.filter((kind) => !wanted[kind]).join(',');
  await connection.run(updateMutedMails, { userId, merchantId, muted });
  return wanted;
}
