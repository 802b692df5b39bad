import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { recordAudit } from '../../audit/record-audit.ts';
import type { WriteContext } from '../../database/write-context.ts';
import { hashSecret } from '../../users/link-token.ts';
import { deleteOldViews, deleteView, insertSupportView, openView } from './queries.ts';

const SECRET_BYTES = 32;
const CODE_LIFETIME_MS = 60_000;
const VIEW_LIFETIME_MS = 60 * 60 * 1000;
/** Until then, the page of a view that has ended finds the way back. */
const KEPT_MS = 24 * 60 * 60 * 1000;

interface NewSupportView {
  /** The merchant that is looked at. */
  merchantId: number;
  operatorId: string;
  /** The operator's session. */
  sessionId: string;
  /** The page of the operator's screen to return to. */
  returnTo: string;
}

/** Resolves to a code that opens a support view of a merchant, once, within a minute. */
export async function createSupportView(
  { connection, now }: WriteContext,
  { merchantId, operatorId, sessionId, returnTo }: NewSupportView,
): Promise<string> {
  const code = newSecret();
  await connection.run(deleteOldViews, { before: now - KEPT_MS });
  await connection.run(insertSupportView, {
    id: randomUUIDv7(),
    merchant_id: merchantId,
    operator_id: operatorId,
    session_id: sessionId,
    secret_hash: hashSecret(code),
    return_to: returnTo,
    created_at: now,
    opened_at: null,
    expires_at: now + CODE_LIFETIME_MS,
  });
  return code;
}

/**
 * Opens a view for `VIEW_LIFETIME_MS`, on behalf of its operator. Resolves to the token of its cookie, and to
 * undefined if the code was used in the meantime.
 */
export async function openSupportView(
  context: WriteContext,
  { id, code }: { id: string; code: string },
): Promise<string | undefined> {
  const { connection, now } = context;
  const token = newSecret();
  const hashes = { codeHash: hashSecret(code), tokenHash: hashSecret(token) };
  const opened = await connection.run(openView, { id, ...hashes, now, endsAt: now + VIEW_LIFETIME_MS });
  if (opened === 0) return undefined;
  recordAudit(context, { action: 'support_view.opened', subject: null });
  return token;
}

/** Ends a view before its time, on behalf of its operator. Repeating it changes nothing. */
export async function endSupportView(context: WriteContext, { token }: { token: string }): Promise<void> {
  const ended = await context.connection.run(deleteView, { tokenHash: hashSecret(token) });
  if (ended > 0) recordAudit(context, { action: 'support_view.ended', subject: null });
}

function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}
