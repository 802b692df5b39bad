import { statement } from './statement.ts';

/**
 * Locks until the transaction ends. Required before writes that depend on reads of catalog or sales. Locked
 * before every other row of the merchant, such as a campaign. The revision is the time of the catalog's last
 * change in microseconds since 1970, or later.
 */
export const lockMerchant = statement<{ merchantId: number }, Pick<CatalogState, 'revision'>>(
  `UPDATE merchant_counters SET last_key_id = last_key_id WHERE merchant_id = :merchantId
   RETURNING catalog_revision AS revision`,
);

/** Without test sides. */
export const listMerchantIds = statement<{ after: number; limit: number }, { id: number }>(
  'SELECT id FROM merchants WHERE id > :after ORDER BY id LIMIT CAST(:limit AS bigint)',
);

/** Revisions are comparable only within one epoch (`newEpoch`). */
export interface CatalogState {
  epoch: number;
  revision: number;
}

export const findCatalogState = statement<{ merchantId: number }, CatalogState>(
  'SELECT epoch, catalog_revision AS revision FROM merchant_counters WHERE merchant_id = :merchantId',
);

/** Merchants are never deleted, so a merchant without a row is a fault of the service. */
export function missingMerchant(merchantId: number): Error {
  return new Error(`There is no merchant ${merchantId}.`);
}
