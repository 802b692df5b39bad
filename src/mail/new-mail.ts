import { randomUUIDv7 } from 'node:crypto';
import type { Connection } from '../database/database.ts';
import type { MailData, MailKind } from './mail-data.ts';
import { insertMail, type MailRow } from './queries.ts';

/** A mail to send. */
export type NewMail = {
  [Kind in MailKind]: {
    kind: Kind;
    /** Null if that is found when the mail is sent. */
    merchantId: number | null;
    /** The console user who gets the mail; null if it is not one, or found when the mail is sent. */
    userId: string | null;
    address: string;
    data: MailData[Kind];
  };
}[MailKind];

/** Adds a mail to the queue, in the transaction that causes it. It is sent after the commit. */
export async function queueMail(connection: Pick<Connection, 'run'>, mail: NewMail): Promise<void> {
  const { kind, merchantId, userId, address, data } = mail;
  await connection.run(insertMail, {
    id: randomUUIDv7(),
    kind,
    merchant_id: merchantId,
    user_id: userId,
    address,
    data: JSON.stringify(data),
  });
}

/** Returns the data of a queued mail of this kind. */
export function readMailData<Kind extends MailKind>(_kind: Kind, { data }: MailRow): MailData[Kind] {
  return JSON.parse(data);
}
