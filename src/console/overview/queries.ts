import { statement } from '../../database/database.ts';

/** Parameters: the merchant, the status, how many. The products that changed last. */
export const listLastChanged = statement<{
  internal_id: number;
  identifier: string;
  status: string;
  updated_at: number;
}>(
  `SELECT internal_id, identifier, status, updated_at FROM products
   WHERE merchant_id = ? AND status = ? ORDER BY updated_at DESC, internal_id DESC LIMIT ?`,
);
