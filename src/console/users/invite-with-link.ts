import type { Config } from '../../config.ts';
import type { Connection } from '../../database/database.ts';
import { queueMail } from '../../mail/new-mail.ts';
import { type InvitedUser, inviteUser } from './invite-user.ts';
import { passwordLink } from './password-link.ts';
import type { UserRow } from './queries.ts';

/** A user who can set a password. */
export interface Invitation {
  /** Whether the user was created. */
  isNew: boolean;
  user: UserRow;
  /** The page on which the user sets a password. */
  link: string;
  /** Whether the user gets a mail with a link of its own. */
  isMailed: boolean;
}

/**
 * Invites a user of a merchant like `inviteUser`, inside a transaction, and resolves to the link for that user. With a mail
 * server, the user also gets a mail. All invitations are created here.
 * @throws as `inviteUser`
 */
export async function inviteWithLink(
  connection: Connection,
  invited: InvitedUser,
  { config, now }: { config: Pick<Config, 'budgets' | 'publicUrl' | 'host' | 'port' | 'mail'>; now: number },
): Promise<Invitation> {
  const { token, isNew, user } = await inviteUser(connection, invited, { budgets: config.budgets, now });
  const isMailed = config.mail !== null;
  if (isMailed) {
    const { id: userId, merchant_id: merchantId, email: address } = user;
    await queueMail(connection, { kind: 'invitation', merchantId, userId, address, data: {} });
  }
  return { isNew, user, link: passwordLink(config, token), isMailed };
}
