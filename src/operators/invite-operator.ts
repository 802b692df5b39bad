import { randomUUIDv7 } from 'node:crypto';
import { describeUser, recordAudit } from '../audit/record-audit.ts';
import type { WriteContext } from '../database/write-context.ts';
import { invalidEmail, parseEmail, parseUserName } from '../users/add-user.ts';
import { deleteIdentitiesOfUser } from '../users/identity-queries.ts';
import { deletePasskeysOfUser } from '../users/passkey-queries.ts';
import { addPasswordToken, LINK_LIFETIME_MS, passwordLink } from '../users/password-link.ts';
import { deletePasswordOfUser, deleteTwoFactorOfUser } from '../users/queries.ts';
import { deleteSessionsOfUser } from '../users/session-queries.ts';
import { changeOperatorRole } from './change-operator-role.ts';
import { requireOperator } from './find-operator.ts';
import {
  allowPassword,
  disableTwoFactorOfOperator,
  findOperatorByEmail,
  insertOperator,
  type OperatorRow,
} from './queries.ts';
import { requireOtherAdmin } from './require-admin.ts';
import type { OperatorRole } from './role.ts';

export interface InvitedOperator {
  email: string;
  /** Of a new operator. */
  name: string;
  /** By default `admin`, or the current role. */
  role?: OperatorRole | undefined;
  /** Whether the password works although passwords are off, until the next sign-in by the provider. */
  allowsPassword?: boolean;
}

type Context = WriteContext & { screenUrl: string };

export interface OperatorInvitation {
  isNew: boolean;
  operator: OperatorRow;
  /** The page on which the operator sets a password. */
  link: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

/**
 * Adds an operator, unless there is one with this email, who keeps the name and, if none is given, the role.
 * All invitations of operators are created here. The context's merchant is `OPERATOR_ID`.
 * @throws {DomainError} `invalid_fields` for an invalid name or email, or no admin left
 */
export async function inviteOperator(
  context: Context,
  { email, name, role, allowsPassword = false }: InvitedOperator,
): Promise<OperatorInvitation> {
  const existing = await context.connection.first(findOperatorByEmail, { email: parseEmail(email) });
  let operator = existing ?? (await addOperator(context, { email, name, role: role ?? 'admin' }));
  if (existing !== undefined && role !== undefined)
    operator = await changeOperatorRole(context, { operator, role });
  if (allowsPassword) await context.connection.run(allowPassword, { id: operator.id, allowed: 1 });
  return { isNew: existing === undefined, operator, ...(await addLink(context, operator)) };
}

/**
 * Ends the sessions of an operator who lost the password or the second factor, removes both and the
 * passkeys, and creates a link to set a password. The next sign-in by an identity provider is a first one
 * again.
 * @throws {DomainError} `operator_not_found`
 */
export async function resetOperator(
  context: Context,
  { email, allowsPassword = false }: Pick<InvitedOperator, 'email' | 'allowsPassword'>,
): Promise<Omit<OperatorInvitation, 'isNew'>> {
  const { connection, now } = context;
  const operator = await requireOperator(connection, email);
  const { id } = operator;
  await connection.run(disableTwoFactorOfOperator, { id, now });
  // Who knows only the password could otherwise set up a second factor first.
  for (const deletion of [
    deleteTwoFactorOfUser,
    deletePasswordOfUser,
    deleteIdentitiesOfUser,
    // Before the passkeys, because a session can be adding one; and after, because one can be signing in.
    deleteSessionsOfUser,
    deletePasskeysOfUser,
    deleteSessionsOfUser,
  ])
    await connection.run(deletion, { userId: id });
  await connection.run(allowPassword, { id, allowed: allowsPassword ? 1 : 0 });
  recordAudit(context, { action: 'user.two_factor_disabled', subject: describeUser(operator) });
  return { operator, ...(await addLink(context, operator)) };
}

async function addLink(
  context: Context,
  operator: OperatorRow,
): Promise<Pick<OperatorInvitation, 'link' | 'expiresAt'>> {
  const { connection, now, screenUrl } = context;
  const token = await addPasswordToken(connection, operator, now);
  recordAudit(context, { action: 'user.invited', subject: describeUser(operator) });
  return { link: passwordLink(screenUrl, token), expiresAt: now + LINK_LIFETIME_MS };
}

/** @throws {DomainError} `invalid_fields` for an invalid name or email, or if the first one is no admin */
export async function addOperator(
  { connection, now }: WriteContext,
  { email, name, role }: Required<Pick<InvitedOperator, 'email' | 'name'>> & { role: OperatorRole },
): Promise<OperatorRow> {
  const operator = { id: randomUUIDv7(), name: parseUserName(name), email: parseEmail(email), role };
  const inserted = await connection.run(insertOperator, { ...operator, now });
  if (inserted === 0) throw invalidEmail(`${operator.email} is an operator already.`);
  if (role !== 'admin') await requireOtherAdmin(connection, operator, 'added');
  return operator;
}
