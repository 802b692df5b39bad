import { statement } from '../../database/database.ts';

/** Kinds of mail, separated by commas. */
export const findMutedMails = statement<{ userId: string }, { muted_mails: string }>(
  'SELECT muted_mails FROM console_users WHERE id = :userId',
);

export const updateMutedMails = statement<{ userId: string; muted: string; now: number }, never>(
  'UPDATE console_users SET muted_mails = :muted, updated_at = :now WHERE id = :userId',
);
