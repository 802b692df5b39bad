import { insertInto, statement } from '../../database/statement.ts';

interface SupportViewRow {
  id: string;
  merchant_id: number;
  operator_id: string;
  /** The operator's session: the view ends with it. */
  session_id: string;
  /** The hash of the code that opens the view, then of the token in the cookie. */
  secret_hash: string;
  /** The page of the operator's screen to return to. */
  return_to: string;
  created_at: number;
  /** Null before the code was used. */
  opened_at: number | null;
  /** When the code expires, then when the view ends. */
  expires_at: number;
}

export const insertSupportView = insertInto<SupportViewRow>('support_views', [
  'id',
  'merchant_id',
  'operator_id',
  'session_id',
  'secret_hash',
  'return_to',
  'created_at',
  'opened_at',
  'expires_at',
]);

/** A view, and the name and email of its operator. */
export interface FoundView extends Pick<SupportViewRow, 'id' | 'merchant_id' | 'expires_at'> {
  name: string;
  email: string;
}

/** Without views and codes that have expired, or whose operator may no longer open one. */
const valid = `FROM support_views v
  JOIN merchants m ON m.id = v.merchant_id
  JOIN operators o ON o.id = v.operator_id AND o.role IN ('support', 'admin')
  JOIN user_sessions s ON s.id = v.session_id AND s.user_id = o.id AND s.expires_at > :now
    AND (o.two_factor = 1 OR s.by_provider = 1 OR s.passkey_id IS NOT NULL)
  WHERE v.expires_at > :now`;
const found = 'v.id, v.merchant_id, v.expires_at, o.name, o.email';

interface NamedSecret {
  secretHash: string;
  now: number;
}

/** Finds what a code opens. */
export const findUnopenedView = statement<NamedSecret, FoundView>(
  `SELECT ${found} ${valid} AND v.secret_hash = :secretHash AND v.opened_at IS NULL`,
);

/** Finds the view of a cookie's token. */
export const findOpenView = statement<NamedSecret, FoundView>(
  `SELECT ${found} ${valid} AND v.secret_hash = :secretHash AND v.opened_at IS NOT NULL`,
);

/** When the last of a merchant's open views ends; null if there is none. */
export const findEndOfViews = statement<{ merchantId: number; now: number }, { ends_at: number | null }>(
  `SELECT max(v.expires_at) AS ends_at ${valid} AND v.merchant_id = :merchantId AND v.opened_at IS NOT NULL`,
);

/** Changes nothing if the code was used. */
export const openView = statement<
  { id: string; codeHash: string; tokenHash: string; now: number; endsAt: number },
  never
>(
  `UPDATE support_views SET secret_hash = :tokenHash, opened_at = :now, expires_at = :endsAt
   WHERE id = :id AND secret_hash = :codeHash AND opened_at IS NULL`,
);

/** Also finds a view that has ended. */
export const findReturnOfView = statement<{ tokenHash: string }, { return_to: string }>(
  'SELECT return_to FROM support_views WHERE secret_hash = :tokenHash AND opened_at IS NOT NULL',
);

export const deleteView = statement<{ tokenHash: string }, never>(
  'DELETE FROM support_views WHERE secret_hash = :tokenHash AND opened_at IS NOT NULL',
);

export const deleteOldViews = statement<{ before: number }, never>(
  'DELETE FROM support_views WHERE expires_at < :before',
);
