import { statement } from '../../database/statement.ts';

/** A person in a shop. */
interface Member {
  userId: string;
  merchantId: number;
}

/** Kinds of mail, separated by commas. */
export const findMutedMails = statement<Member, { muted_mails: string }>(
  'SELECT muted_mails FROM memberships WHERE user_id = :userId AND merchant_id = :merchantId',
);

export const updateMutedMails = statement<Member & { muted: string }, never>(
  'UPDATE memberships SET muted_mails = :muted WHERE user_id = :userId AND merchant_id = :merchantId',
);
