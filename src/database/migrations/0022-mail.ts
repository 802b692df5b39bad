import type { Dialect } from '../database.ts';

/**
 * Creates the queue of mail, which is a table of the coordinator, and lets an upload name the user who gets a mail about the
 * end of its import. All times of a mail are microseconds of the database's clock.
 */
export function mail({ integer, text, compact, clock }: Dialect): string[] {
  return [
    // `user_id` is the console user who gets the mail; null if that is found when it is sent, or if there is none.
    `CREATE TABLE mails (
      id ${text} NOT NULL PRIMARY KEY,
      kind ${text} NOT NULL,
      merchant_id ${integer},
      user_id ${text},
      address ${text} NOT NULL,
      data ${text} NOT NULL,
      created_at ${integer} NOT NULL DEFAULT (${clock}),
      due_at ${integer} NOT NULL DEFAULT (${clock}),
      failures ${integer} NOT NULL DEFAULT 0,
      lease_holder ${text} NOT NULL DEFAULT '',
      lease_until ${integer} NOT NULL DEFAULT 0
    ) ${compact}`,
    'CREATE INDEX mails_due ON mails (due_at)',
    'CREATE INDEX mails_by_user ON mails (user_id)',
    `ALTER TABLE uploads ADD COLUMN notified_user ${text}`,
  ];
}
