import { statement } from './database.ts';

/**
 * Locks a merchant until the transaction ends: other transactions that lock it wait. Required before writes to its
 * catalog and sales that depend on what the transaction reads of them.
 */
export const lockMerchant = statement<{ merchantId: number }, never>(
  'UPDATE merchant_counters SET last_key_id = last_key_id WHERE merchant_id = :merchantId',
);

/** The state of a merchant's catalog and sales. Revisions are comparable only within one epoch (`newEpoch`). */
export interface CatalogState {
  epoch: number;
  revision: number;
}

export const findCatalogState = statement<{ merchantId: number }, CatalogState>(
  'SELECT epoch, catalog_revision AS revision FROM merchant_counters WHERE merchant_id = :merchantId',
);

/** Returns the error for a merchant without a row. Merchants are never deleted, so it means a fault of the service. */
export function missingMerchant(merchantId: number): Error {
  return new Error(`There is no merchant ${merchantId}.`);
}
