import type { Config } from '../../config.ts';
import type { Connection } from '../../database/database.ts';
import { queueMail } from '../../mail/new-mail.ts';
import { type InvitedUser, inviteUser } from './invite-user.ts';
import { passwordLink } from './password-link.ts';
import type { UserRow } from './queries.ts';

export interface Invitation {
  isNew: boolean;
  user: UserRow;
  /** The page on which the user sets a password. */
  link: string;
  /** Whether the user gets a mail with another link. */
  isMailed: boolean;
}

/**
 * All invitations are created here. @throws {DomainError} `invalid_fields`, `budget_exceeded` as `inviteUser`
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
