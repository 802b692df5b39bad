import type { Connection } from '../database/database.ts';
import { errors } from '../errors/errors.ts';
import { claimWithSuspension } from './queries.ts';

/**
 * Locks a merchant until the transaction ends. A suspension waits for it.
 * @throws {DomainError} `account_suspended`
 */
export async function lockActiveMerchant(connection: Connection, merchantId: number): Promise<void> {
  const row = await connection.first(claimWithSuspension, { merchantId });
  if (row !== undefined && row.suspended_at !== null) throw errors.account_suspended(null);
}
