import type { Config } from '../../config.ts';
import type { Connection } from '../../database/database.ts';
import { inviteUser } from './invite-user.ts';
import { passwordLink } from './password-link.ts';

/** A user who can set a password. */
export interface Invitation {
  /** Whether the user was created. */
  isNew: boolean;
  /** The page on which the user sets a password. */
  link: string;
}

/**
 * Invites a user of a merchant like `inviteUser`, inside a transaction, and resolves to the link for that user. All
 * invitations are created here.
 * @throws {InvalidUser}, {BudgetExceeded} as `inviteUser`
 */
export async function inviteWithLink(
  connection: Connection,
  user: Parameters<typeof inviteUser>[1],
  { config, now }: { config: Pick<Config, 'budgets' | 'publicUrl' | 'host' | 'port'>; now: number },
): Promise<Invitation> {
  const { token, isNew } = await inviteUser(connection, user, { budgets: config.budgets, now });
  return { isNew, link: passwordLink(config, token) };
}
