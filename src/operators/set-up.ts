import { randomUUIDv7 } from 'node:crypto';
import { operatorUser, recordAudit } from '../audit/record-audit.ts';
import type { Reader } from '../database/database.ts';
import type { WriteContext } from '../database/write-context.ts';
import { errors } from '../errors/errors.ts';
import { parseEmail, parseUserName } from '../users/add-user.ts';
import { addLinkToken, hashLinkToken } from '../users/link-token.ts';
import { deleteVerificationsOfUser, insertPassword } from '../users/queries.ts';
import {
  allowPassword,
  findLink,
  findSetUpFacts,
  insertOperator,
  type Marketplace,
  markOperatorSignedIn,
  takeLink,
  upsertMarketplace,
} from './queries.ts';

export const SET_UP_LIFETIME_MS = 30 * 60 * 1000;
/** Of the stored link. There is one at a time. */
const VALUE = 'set-up';

/**
 * How the first operator is created: with the `link` that the service prints while there is neither an
 * operator nor a merchant, or by `command` if there are merchants, which the log's readers must not get.
 * `done` if there is an operator.
 */
export type SetUpState = 'link' | 'command' | 'done';

export async function setUpState(reader: Pick<Reader, 'first'>): Promise<SetUpState> {
  const facts = await reader.first(findSetUpFacts);
  if (facts?.has_operator === 1) return 'done';
  return facts?.has_merchant === 1 ? 'command' : 'link';
}

/**
 * Creates the token of a link that sets up the operator's screen once, and invalidates earlier ones. Resolves
 * to undefined if there is an operator or a merchant.
 */
export async function addSetUpToken(
  { connection, now }: WriteContext,
  _input: undefined,
): Promise<string | undefined> {
  if ((await setUpState(connection)) !== 'link') return undefined;
  await connection.run(deleteVerificationsOfUser, { userId: VALUE });
  return await addLinkToken(
    connection,
    { purpose: VALUE, value: VALUE, expiresAt: now + SET_UP_LIFETIME_MS },
    now,
  );
}

/** Whether a set-up link still works. */
export async function isSetUpToken(
  reader: Pick<Reader, 'first'>,
  token: string,
  now: number,
): Promise<boolean> {
  const link = await reader.first(findLink, { identifierHash: hashLinkToken(VALUE, token), now });
  return link !== undefined && (await setUpState(reader)) === 'link';
}

export interface SetUp {
  token: string;
  name: string;
  email: string;
  /** From `hashPassword`. */
  passwordHash: string;
  marketplace: Marketplace;
}

/**
 * Creates the first operator, an admin, and stores what the marketplace is called. Of several calls with one
 * link, one succeeds. The context's merchant is `OPERATOR_ID`.
 * @throws {DomainError} `set_up_link_gone`; `invalid_fields` for an invalid name or email, which keeps the
 *   link valid
 */
export async function setUp(
  context: WriteContext,
  { token, name, email, passwordHash, marketplace }: SetUp,
): Promise<void> {
  const { connection, now } = context;
  const operator = {
    id: randomUUIDv7(),
    name: parseUserName(name),
    email: parseEmail(email),
    role: 'admin',
  } as const;
  // First: of two calls, the second one then sees the operator of the first.
  await connection.run(upsertMarketplace, { ...marketplace, now });
  const taken = await connection.first(takeLink, { identifierHash: hashLinkToken(VALUE, token), now });
  if (taken === undefined || (await setUpState(connection)) !== 'link') throw errors.set_up_link_gone();
  if ((await connection.run(insertOperator, { ...operator, now })) === 0) throw errors.set_up_link_gone();
  // As after an invitation by the command line, also with passwords off.
  await connection.run(allowPassword, { id: operator.id, allowed: 1 });
  await connection.run(markOperatorSignedIn, { userId: operator.id, now });
  await connection.run(insertPassword, { id: randomUUIDv7(), userId: operator.id, passwordHash, now });
  recordAudit(
    { ...context, who: operatorUser(operator) },
    { action: 'marketplace.set_up', subject: marketplace.name },
  );
}
