import { parseKeyId } from '../../api-keys/key-id.ts';
import type { Budgets } from '../../budgets/budgets.ts';
import { takeIfLeft } from '../../budgets/daily-budget.ts';
import type { Connection } from '../../database/database.ts';
import { liveSideOf, OPERATOR_ID } from '../../database/sides.ts';
import type { EventRow } from '../../event-feed/queries.ts';
import type { EventData } from '../../events/event-types.ts';
import { findNotifiedUser } from '../../imports/queries.ts';
import { type NewMail, queueMail } from '../../mail/new-mail.ts';
import { findMerchantById } from '../../merchants/queries.ts';
import type { Metrics } from '../../observability/metrics.ts';
import { isEmailAddress } from '../../shared/email-address.ts';
import { findUserOfPerson, listRecipients } from '../../users/membership-queries.ts';
import { findWebhook } from '../../webhooks/queries.ts';
import { wantsMail } from './optional-mails.ts';

const BUDGET = 'mails_per_day';
/** The most keys that one mail names. */
const MAX_KEYS = 20;

/** A user, or the address of a merchant without users. */
interface Recipient {
  userId: string | null;
  address: string;
  /** Kinds that the user has turned off, separated by commas. */
  muted_mails: string;
}

interface NoticeServices {
  budgets: Budgets;
  /** Milliseconds since 1970. */
  now: number;
  metrics: Metrics;
}

/**
 * Queues the mails about events, within the budget of the side that has the events. Users who have accepted
 * hear of keys that expire soon and of a webhook's first disabling of a day; the user who asked for it hears
 * of a finished import. Runs in the transaction that numbers the events, so each event causes its mails once.
 */
export async function queueEventMails(
  connection: Connection,
  events: readonly EventRow[],
  services: NoticeServices,
): Promise<void> {
  const queue = async (side: number, mail: NewMail): Promise<void> => {
    const { budgets, now, metrics } = services;
    const context = { connection, merchantId: side, now };
    if (await takeIfLeft(context, budgets, BUDGET)) await queueMail(connection, mail);
    else metrics.budgetExceeded(BUDGET);
  };
  for (const [side, ofSide] of Map.groupBy(events, ({ merchant_id }) => merchant_id)) {
    if (side === OPERATOR_ID) continue;
    const merchantId = liveSideOf(side);
    const notices = await noticesOf(connection, side, ofSide);
    if (notices.length > 0) {
      for (const { userId, address, muted_mails } of await recipientsOf(connection, merchantId)) {
        for (const notice of notices.filter(({ kind }) => wantsMail({ muted_mails }, kind)))
          await queue(side, { ...notice, merchantId, userId, address });
      }
    }
    for (const event of ofSide) {
      const mail = await importMailOf(connection, merchantId, event);
      if (mail !== undefined) await queue(side, mail);
    }
  }
}

async function noticesOf(
  connection: Connection,
  side: number,
  events: readonly EventRow[],
): Promise<NewMail[]> {
  const notices: NewMail[] = [];
  const recipient = { merchantId: liveSideOf(side), userId: null, address: '' };
  const named = events.filter(({ type }) => type === 'key.expiring').map(dataOf<'key.expiring'>);
  // Anyone with a test key can cause events of the test side: they must not speak for keys of the live side.
  const keys = named.filter(({ id }) => parseKeyId(id)?.merchantId === side);
  if (keys.length > 0) {
    const data = { keys: keys.slice(0, MAX_KEYS), total: keys.length };
    notices.push({ ...recipient, kind: 'keys_expiring', data });
  }
  for (const event of events) {
    if (event.type !== 'webhook.disabled') continue;
    const { id, url, reason } = dataOf<'webhook.disabled'>(event);
    const webhook = await connection.first(findWebhook, { merchantId: event.merchant_id, id });
    if (webhook?.reported_at !== event.occurred_at) continue;
    notices.push({ ...recipient, kind: 'webhook_disabled', data: { url, reason } });
  }
  return notices;
}

async function recipientsOf(connection: Connection, merchantId: number): Promise<Recipient[]> {
  const users = await connection.all(listRecipients, { merchantId });
  // Others were only invited, and may not know the merchant.
  const members = users.filter(({ accepted }) => accepted === 1);
  if (users.length > 0)
    return members.map(({ id, email, muted_mails }) => ({ userId: id, address: email, muted_mails }));
  const address = (await connection.first(findMerchantById, { merchantId }))?.email?.toLowerCase();
  return address !== undefined && isEmailAddress(address) ? [{ userId: null, address, muted_mails: '' }] : [];
}

async function importMailOf(
  connection: Connection,
  merchantId: number,
  event: EventRow,
): Promise<NewMail | undefined> {
  if (event.type !== 'import.finished') return undefined;
  const data = dataOf<'import.finished'>(event);
  // A merchant's test side has its own imports.
  const row = await connection.first(findNotifiedUser, { merchantId: event.merchant_id, id: data.id });
  const userId = row?.notified_user ?? null;
  const user = userId === null ? undefined : await connection.first(findUserOfPerson, { merchantId, userId });
  if (user === undefined) return undefined;
  return { kind: 'import_finished', merchantId, userId, address: user.email, data };
}

function dataOf<Type extends keyof EventData>({ data }: EventRow): EventData[Type] {
  return JSON.parse(data);
}
