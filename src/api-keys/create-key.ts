import { OPERATOR, recordAudit } from '../audit/record-audit.ts';
import type { Connection, Database } from '../database/database.ts';
import { formatKeyId } from './key-id.ts';
import { insertKey, insertToken, takeNextKeyId } from './queries.ts';
import { generateToken, hashToken, shownOf } from './token.ts';

/** The most characters that a key's name has. */
export const KEY_NAME_LENGTH = 100;

/** Whether a key may be called so. */
export function isKeyName(name: string): boolean {
  return name.trim() !== '' && [...name].length <= KEY_NAME_LENGTH;
}

export interface NewKey {
  merchantId: number;
  name: string;
  /** Milliseconds since 1970, or null for a key that does not expire. */
  expiresAt: number | null;
  /** A token that exists already elsewhere; left out, a new one is made. */
  token?: string;
}

/** The token is in use already: the same one cannot be imported twice. */
export class TokenTaken extends Error {
  override name = 'TokenTaken';
}

/**
 * Makes a key for a merchant, as the operator. The token is given back here and never again: only its hash
 * is stored.
 */
export async function createKey(
  { database, now }: { database: Database; now: () => number },
  key: NewKey,
): Promise<{ id: string; token: string }> {
  return await database.transaction(async (connection) => {
    const made = await addKey(connection, key, now());
    const action = key.token === undefined ? 'key.created' : 'key.imported';
    const subject = `${made.id} ${key.name}`;
    await recordAudit(connection, { merchantId: key.merchantId, who: OPERATOR, action, subject }, now());
    return made;
  });
}

/** As `createKey`, inside a transaction under way. */
export async function addKey(
  connection: Connection,
  { merchantId, name, expiresAt, token = generateToken() }: NewKey,
  createdAt: number,
): Promise<{ id: string; token: string }> {
  const row = await connection.first(takeNextKeyId, [merchantId]);
  if (row === undefined) throw new Error(`no merchant ${merchantId}`);
  await connection.run(insertKey, [merchantId, row.id, name, ...shownOf(token), createdAt]);
  const inserted = await connection.run(insertToken, [hashToken(token), merchantId, row.id, expiresAt]);
  if (inserted === 0) throw new TokenTaken('This token is in use already.');
  return { id: formatKeyId(merchantId, row.id), token };
}
