import { recordAudit } from '../audit/record-audit.ts';
import type { Connection } from '../database/database.ts';
import { liveSideOf } from '../database/sides.ts';
import type { WriteContext } from '../database/write-context.ts';
import { errors } from '../errors/errors.ts';
import { recordEvent } from '../events/record-event.ts';
import { formatTime } from '../shared/timestamps.ts';
import { formatKeyId, type KeyNumbers } from './key-id.ts';
import { insertKey, insertToken, insertTokenOwner, takeNextKeyId } from './queries.ts';
import type { RecordFields } from './record-fields.ts';
import { defaultScopes, formatScopes, type OperatorScope, type Scope } from './scopes.ts';
import { generateToken, hashToken, tokenHint, tokenKind, tokenKindOf } from './token.ts';

/** In characters. */
export const KEY_NAME_LENGTH = 100;

export function isKeyName(name: string): boolean {
  return name.trim() !== '' && [...name].length <= KEY_NAME_LENGTH;
}

export interface NewKey {
  name: string;
  /** Milliseconds since 1970, or null for a key that does not expire. */
  expiresAt: number | null;
  /** `defaultScopes` if omitted. Operator keys have others. */
  scopes?: readonly Scope[] | readonly OperatorScope[] | undefined;
  /** `standard` if omitted. */
  fields?: RecordFields | undefined;
  /** An existing token to import; if omitted, a new one is generated. */
  token?: string;
}

export interface CreatedKey {
  id: string;
  token: string;
}

/**
 * Creates a key of a merchant, of its test side if that is open, or of the operator. The returned token
 * cannot be read again: only its hash is stored.
 * @throws {DomainError} `token_taken`
 */
export async function createKey(
  context: WriteContext,
  { name, expiresAt, scopes = defaultScopes, fields = 'standard', token: imported }: NewKey,
): Promise<CreatedKey> {
  const { connection, merchantId, now } = context;
  const token = imported ?? generateToken(tokenKindOf(merchantId));
  const row = await connection.first(takeNextKeyId, { merchantId });
  if (row === undefined) throw new Error(`no merchant ${merchantId}`);
  const { id } = row;
  const { start, end } = tokenHint(token);
  await connection.run(insertKey, {
    merchant_id: merchantId,
    id,
    name,
    scopes: formatScopes(scopes),
    fields,
    token_start: start,
    token_end: end,
    created_at: now,
  });
  await addToken(connection, { merchantId, id }, token, expiresAt);
  const publicId = formatKeyId({ merchantId, id });
  const data = { id: publicId, name, expires_at: expiresAt === null ? null : formatTime(expiresAt) };
  recordEvent(context, { type: 'key.created', data });
  const action = imported === undefined ? 'key.created' : 'key.imported';
  const ofMerchant = { ...context, merchantId: liveSideOf(merchantId) };
  recordAudit(ofMerchant, { action, subject: `${publicId} ${name}` });
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
