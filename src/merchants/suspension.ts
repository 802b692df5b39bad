import type { Connection, Reader } from '../database/database.ts';
import { errors } from '../errors/errors.ts';
import { claimWithSuspension, findSuspension } from './queries.ts';

/** Whether a merchant, or the merchant of this test side, is suspended. */
export async function isSuspended(reader: Pick<Reader, 'first'>, merchantId: number): Promise<boolean> {
  const row = await reader.first(findSuspension, { merchantId });
  return row !== undefined && row.suspended_at !== null;
}

/**
 * Locks a merchant until the transaction ends. A suspension waits for it.
 * @throws {DomainError} `account_suspended`
 */
export async function lockActiveMerchant(connection: Connection, merchantId: number): Promise<void> {
  const row = await connection.first(claimWithSuspension, { merchantId });
  if (row !== undefined && row.suspended_at !== null) throw errors.account_suspended();
}
