import type { Dialect } from '../database/database.ts';
import { insertInto, type Statement, statement } from '../database/statement.ts';
import type { MailKind } from './mail-data.ts';

export interface MailRow {
  id: string;
  kind: MailKind;
  merchant_id: number | null;
  user_id: string | null;
  address: string;
  /** JSON: `MailData`. */
  data: string;
}

const names = [
  'id',
  'kind',
  'merchant_id',
  'user_id',
  'address',
  'data',
] as const satisfies (keyof MailRow)[];
const columns = names.join(', ');

/** Due at once. */
export const insertMail = insertInto<MailRow>('mails', names);

export interface LeasedMail extends MailRow {
  failures: number;
}

interface Holder {
  id: string;
  holder: string;
}

/** Times are microseconds of the database's clock. */
export interface MailStatements {
  /**
   * Lists due mails that no process sends: first mails from before sign-in, then each merchant's first,
   * beginning after a merchant, then each one's second, and so on. Of a merchant, longest due first.
   */
  listDue: Statement<
    { afterMerchant: number; limit: number },
    { id: string; merchant_id: number | null; turn: number }
  >;
  /** Takes a mail's lease; no row if another process has it. */
  take: Statement<Holder & { duration: number }, LeasedMail>;
  /** `failures` counts failed attempts. Ends the lease. */
  postpone: Statement<Holder & { failures: number; delay: number }, never>;
  deleteOld: Statement<{ age: number }, never>;
  measure: Statement<unknown, { waiting: number; oldest: number }>;
}

export function mailStatements({ clock }: Pick<Dialect, 'clock'>): MailStatements {
  return {
    listDue: statement(
      `SELECT id, merchant_id, turn
       FROM (SELECT id, merchant_id, due_at,
               CASE WHEN merchant_id IS NULL THEN 0
                    ELSE row_number() OVER (PARTITION BY merchant_id ORDER BY due_at, id) END AS turn
             FROM mails WHERE due_at <= ${clock} AND lease_until <= ${clock}) AS due
       ORDER BY turn, CASE WHEN merchant_id > CAST(:afterMerchant AS bigint) THEN 0 ELSE 1 END, merchant_id, due_at, id
       LIMIT CAST(:limit AS bigint)`,
    ),
    take: statement(
      `UPDATE mails SET lease_holder = :holder, lease_until = ${clock} + CAST(:duration AS bigint)
       WHERE id = :id AND due_at <= ${clock} AND lease_until <= ${clock} RETURNING ${columns}, failures`,
    ),
    postpone: statement(
      `UPDATE mails SET failures = :failures, due_at = ${clock} + CAST(:delay AS bigint), lease_holder = '', lease_until = 0
       WHERE id = :id AND lease_holder = :holder`,
    ),
    deleteOld: statement(`DELETE FROM mails WHERE created_at < ${clock} - CAST(:age AS bigint)`),
    measure: statement(
      `SELECT CAST(count(*) AS integer) AS waiting, coalesce(max(${clock} - created_at), 0) AS oldest FROM mails`,
    ),
  };
}

export const deleteMail = statement<Holder, never>(
  'DELETE FROM mails WHERE id = :id AND lease_holder = :holder',
);

export const deleteMailsOfMember = statement<{ userId: string; merchantId: number }, never>(
  'DELETE FROM mails WHERE user_id = :userId AND merchant_id = :merchantId',
);

export const deleteMailsOfUser = statement<{ userId: string }, never>(
  'DELETE FROM mails WHERE user_id = :userId',
);
