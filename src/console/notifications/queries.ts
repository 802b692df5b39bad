import { statement } from '../../database/database.ts';

/** Finds the kinds of mail that a user has turned off, separated by commas. */
export const findMutedMails = statement<{ userId: string }, { muted_mails: string }>(
  'SELECT muted_mails FROM console_users WHERE id = :userId',
);

/** Stores the kinds of mail that a user has turned off, separated by commas. */
export const updateMutedMails = statement<{ userId: string; muted: string; now: number }, never>(
  'UPDATE console_users SET muted_mails = :muted, updated_at = :now WHERE id = :userId',
);
