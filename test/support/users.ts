import { OPERATOR } from '../../src/audit/record-audit.ts';
import { type Budgets, defaultBudgets } from '../../src/budgets/budgets.ts';
import type { Database } from '../../src/database/database.ts';
import { runVerb } from '../../src/database/write-context.ts';
import { addUser as add, type NewUser } from '../../src/users/add-user.ts';
import { type Invitation, type InvitedUser, inviteUser as invite } from '../../src/users/invite-user.ts';
import type { UserRow } from '../../src/users/membership-queries.ts';
import { tokenOf } from './links.ts';

interface UserServices {
  database: Database;
  now: () => number;
}

export function addUser(
  services: UserServices,
  { merchantId, ...user }: NewUser & { merchantId: number },
): Promise<UserRow> {
  return runVerb(services, { merchantId, who: OPERATOR }, add, user);
}

/** Invites as the operator, without mail. Resolves to the token of the link. */
export async function inviteUser(
  services: UserServices,
  { merchantId, ...user }: InvitedUser & { merchantId: number },
  budgets: Budgets = defaultBudgets,
): Promise<Invitation & { token: string }> {
  const needs = { budgets, consoleUrl: 'https://shop.example/console', sendsMail: false };
  const invitation = await runVerb(services, { merchantId, who: OPERATOR, ...needs }, invite, user);
  return { ...invitation, token: tokenOf(invitation.link) };
}
