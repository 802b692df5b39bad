import { randomUUIDv7 } from 'node:crypto';
import type { Connection } from '../database/database.ts';
import type { MailData, MailKind } from './mail-data.ts';
import { insertMail, type MailRow } from './queries.ts';

export type NewMail = {
  [Kind in MailKind]: {
    kind: Kind;
    /** Null if it is found when the mail is sent. */
    merchantId: number | null;
    /** The console user; null if there is none, or found when the mail is sent. */
    userId: string | null;
    address: string;
    data: MailData[Kind];
  };
}[MailKind];

/** Runs in the transaction that causes the mail. The mail is sent after the commit. */
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

export function readMailData<Kind extends MailKind>(_kind: Kind, { data }: MailRow): MailData[Kind] {
  return JSON.parse(data);
}
