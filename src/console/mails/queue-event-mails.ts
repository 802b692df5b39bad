import type { Connection } from '../../database/database.ts';
import { liveSideOf, OPERATOR_ID } from '../../database/sides.ts';
import type { EventRow } from '../../event-feed/queries.ts';
import type { EventData } from '../../events/event-types.ts';
import { type NewMail, queueMail } from '../../mail/new-mail.ts';
import { findMerchantById } from '../../merchants/queries.ts';
import { isEmailAddress } from '../../shared/email-address.ts';
import { findNotifiedUser } from '../../uploads/queries.ts';
import { findUserById, listRecipients } from '../users/queries.ts';
import { wantsMail } from './optional-mails.ts';

/** The most keys that one mail names. */
const MAX_KEYS = 20;

/** A user, or the address of a merchant without users. */
interface Recipient {
  userId: string | null;
  address: string;
  /** The kinds of mail that the user has turned off, separated by commas. */
  muted_mails: string;
}

/**
 * Queues the mails about events: keys that expire soon and disabled webhooks for all users of the merchant who have not
 * turned them off, and a finished import for the user who asked for it. Runs in the transaction that numbers the events, so that each causes its mails once.
 */
export async function queueEventMails(connection: Connection, events: readonly EventRow[]): Promise<void> {
  const byMerchant = Map.groupBy(events, ({ merchant_id }) => liveSideOf(merchant_id));
  for (const [merchantId, ofMerchant] of byMerchant) {
    if (merchantId === OPERATOR_ID) continue;
    const notices = noticesOf(merchantId, ofMerchant);
    if (notices.length > 0) {
      for (const { userId, address, muted_mails } of await recipientsOf(connection, merchantId)) {
        for (const notice of notices.filter(({ kind }) => wantsMail({ muted_mails }, kind)))
          await queueMail(connection, { ...notice, userId, address });
      }
    }
    for (const event of ofMerchant) await queueImportMail(connection, merchantId, event);
  }
}

function noticesOf(merchantId: number, events: readonly EventRow[]): NewMail[] {
  const notices: NewMail[] = [];
  const recipient = { merchantId, userId: null, address: '' };
  const keys = events.filter(({ type }) => type === 'key.expiring').map(dataOf<'key.expiring'>);
  if (keys.length > 0) {
    const data = { keys: keys.slice(0, MAX_KEYS), total: keys.length };
    notices.push({ ...recipient, kind: 'keys_expiring', data });
  }
  for (const event of events) {
    if (event.type !== 'endpoint.disabled') continue;
    const { url, reason } = dataOf<'endpoint.disabled'>(event);
    notices.push({ ...recipient, kind: 'endpoint_disabled', data: { url, reason } });
  }
  return notices;
}

async function recipientsOf(connection: Connection, merchantId: number): Promise<Recipient[]> {
  const users = await connection.all(listRecipients, { merchantId });
  if (users.length > 0)
    return users.map(({ id, email, muted_mails }) => ({ userId: id, address: email, muted_mails }));
  const address = (await connection.first(findMerchantById, { merchantId }))?.email?.toLowerCase();
  return address !== undefined && isEmailAddress(address) ? [{ userId: null, address, muted_mails: '' }] : [];
}

async function queueImportMail(connection: Connection, merchantId: number, event: EventRow): Promise<void> {
  if (event.type !== 'import.finished') return;
  const data = dataOf<'import.finished'>(event);
  // The test side of a merchant has its own imports.
  const upload = await connection.first(findNotifiedUser, { merchantId: event.merchant_id, id: data.id });
  const userId = upload?.notified_user ?? null;
  const user = userId === null ? undefined : await connection.first(findUserById, { userId });
  if (user === undefined || user.merchant_id !== merchantId) return;
  await queueMail(connection, {
    kind: 'import_finished',
    merchantId,
    userId,
    address: user.email,
    data,
  });
}

function dataOf<Type extends keyof EventData>({ data }: EventRow): EventData[Type] {
  return JSON.parse(data);
}
