import { OPERATOR, recordAudit } from '../audit/record-audit.ts';
import type { Connection, Database } from '../database/database.ts';
import { formatKeyId, type KeyNumbers } from './key-id.ts';
import { insertKey, insertToken, insertTokenOwner, takeNextKeyId } from './queries.ts';
import { scopes as allScopes, formatScopes, type Scope } from './scopes.ts';
import { generateToken, hashToken, tokenHint } from './token.ts';

/** The maximum length of a key's name in characters. */
export const KEY_NAME_LENGTH = 100;

/** Whether a text is a valid name for a key. */
export function isKeyName(name: string): boolean {
  return name.trim() !== '' && [...name].length <= KEY_NAME_LENGTH;
}

export interface NewKey {
  merchantId: number;
  name: string;
  /** Milliseconds since 1970, or null for a key that does not expire. */
  expiresAt: number | null;
  /** All scopes if omitted. */
  scopes?: readonly Scope[];
  /** An existing token to import; if omitted, a new one is generated. */
  token?: string;
}

/** The token already belongs to a key. */
export class TokenTaken extends Error {
  override name = 'TokenTaken';
}

/**
 * Creates a key for a merchant, as the operator. The returned token cannot be read again: only its hash is stored.
 * @throws {TokenTaken} if the token already belongs to a key
 */
export async function createKey(
  { database, now }: { database: Database; now: () => number },
  key: NewKey,
): Promise<{ id: string; token: string }> {
  return await database.transaction(
    async (connection) => {
      const created = await addKey(connection, key, now());
      const action = key.token === undefined ? 'key.created' : 'key.imported';
      const subject = `${created.id} ${key.name}`;
      await recordAudit(connection, { merchantId: key.merchantId, who: OPERATOR, action, subject }, now());
      return created;
    },
    { merchantId: key.merchantId },
  );
}

/** Creates a key like `createKey`, inside a transaction and without an audit entry. */
export async function addKey(
  connection: Connection,
  { merchantId, name, expiresAt, scopes = allScopes, token = generateToken() }: NewKey,
  createdAt: number,
): Promise<{ id: string; token: string }> {
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
  return { id: formatKeyId({ merchantId, id }), token };
}

/** Adds a token to a key, inside a transaction. @throws {TokenTaken} if the token already belongs to a key */
export async function addToken(
  connection: Connection,
  { merchantId, id }: KeyNumbers,
  token: string,
  expiresAt: number | null,
): Promise<void> {
  const tokenHash = hashToken(token);
  if ((await connection.run(insertTokenOwner, { merchantId, tokenHash })) === 0) {
    throw new TokenTaken('This token is already in use.');
  }
  await connection.run(insertToken, { merchantId, id, tokenHash, expiresAt });
}
