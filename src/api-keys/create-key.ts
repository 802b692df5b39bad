import { OPERATOR, recordAudit } from '../audit/record-audit.ts';
import type { Connection, Database } from '../database/database.ts';
import { errors } from '../errors/errors.ts';
import { recordEvent } from '../events/record-event.ts';
import { formatTime } from '../shared/timestamps.ts';
import { formatKeyId, type KeyNumbers } from './key-id.ts';
import { insertKey, insertToken, insertTokenOwner, takeNextKeyId } from './queries.ts';
import { scopes as allScopes, formatScopes, type OperatorScope, type Scope } from './scopes.ts';
import { generateToken, hashToken, tokenHint, tokenKind, tokenKindOf } from './token.ts';

/** In characters. */
export const KEY_NAME_LENGTH = 100;

export function isKeyName(name: string): boolean {
  return name.trim() !== '' && [...name].length <= KEY_NAME_LENGTH;
}

export interface NewKey {
  /** The merchant, its test side if that is open, or `OPERATOR_ID`. */
  merchantId: number;
  name: string;
  /** Milliseconds since 1970, or null for a key that does not expire. */
  expiresAt: number | null;
  /** All scopes of merchants if omitted. Operator keys have others. */
  scopes?: readonly Scope[] | readonly OperatorScope[];
  /** An existing token to import; if omitted, a new one is generated. */
  token?: string;
}

/**
 * Creates a key for a merchant, as the operator. The returned token cannot be read again: only its hash is
 * stored. `add` is `addKey`, or `addTestKey` for the merchant's test side.
 * @throws {DomainError} `token_taken`
 */
export async function createKey(
  { database, now }: { database: Database; now: () => number },
  key: NewKey,
  add: AddKey = addKey,
): Promise<CreatedKey> {
  const options = add === addKey ? { merchantId: key.merchantId } : { everyNode: true };
  return await database.transaction((connection) => createKeyIn(connection, key, add, now()), options);
}

/** Creates a key like `createKey`, inside a transaction. @throws {DomainError} `token_taken` */
export async function createKeyIn(
  connection: Connection,
  key: NewKey,
  add: AddKey,
  now: number,
): Promise<CreatedKey> {
  const created = await add(connection, key, now);
  const action = key.token === undefined ? 'key.created' : 'key.imported';
  const context = { connection, merchantId: key.merchantId, who: OPERATOR, now };
  await recordAudit(context, { action, subject: `${created.id} ${key.name}` });
  return created;
}

export interface CreatedKey {
  id: string;
  token: string;
}

type AddKey = (connection: Connection, key: NewKey, createdAt: number) => Promise<CreatedKey>;

/** Like `createKey`, inside a transaction and without an audit entry. */
export async function addKey(
  connection: Connection,
  { merchantId, name, expiresAt, scopes = allScopes, token = generateToken(tokenKindOf(merchantId)) }: NewKey,
  createdAt: number,
): Promise<CreatedKey> {
  const row = await connection.first(takeNextKeyId, { merchantId });
  if (row === undefined) throw new Error(`no merchant ${merchantId}`);
  const { id } = row;
  const { start, end } = tokenHint(token);
  await connection.run(insertKey, {
    merchant_id: merchantId,
    id,
    name,
    scopes: formatScopes(scopes),
    token_start: start,
    token_end: end,
    created_at: createdAt,
  });
  await addToken(connection, { merchantId, id }, token, expiresAt);
  const publicId = formatKeyId({ merchantId, id });
  const data = { id: publicId, name, expires_at: expiresAt === null ? null : formatTime(expiresAt) };
  await recordEvent({ connection, merchantId, now: createdAt }, { type: 'key.created', data });
  return { id: publicId, token };
}

/**
 * Adds a token to a key, inside a transaction.
 * @throws {DomainError} `token_taken` if the token already belongs to a key
 * @throws {Error} if it is of another kind: a test key must never reach live data, nor a merchant's key the
 *   operator API
 */
export async function addToken(
  connection: Connection,
  { merchantId, id }: KeyNumbers,
  token: string,
  expiresAt: number | null,
): Promise<void> {
  if (tokenKind(token) !== tokenKindOf(merchantId)) throw new Error(`not a token for owner ${merchantId}`);
  const tokenHash = hashToken(token);
  if ((await connection.run(insertTokenOwner, { merchantId, tokenHash })) === 0) {
    throw errors.token_taken();
  }
  await connection.run(insertToken, { merchantId, id, tokenHash, expiresAt });
}
