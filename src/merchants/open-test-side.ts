import type { Connection } from '../database/database.ts';
import { newEpoch } from '../database/epoch.ts';
import { missingMerchant } from '../database/merchant-queries.ts';
import { testSideOf } from '../database/sides.ts';
import { revisionAt } from '../products/record/revision.ts';
import { findMerchantById, insertCounters, markTestSide } from './queries.ts';

/** Resolves to the id of a merchant's test side, whose rows are created with its first key. */
export async function openTestSide(connection: Connection, merchantId: number, now: number): Promise<number> {
  await addTestSide(connection, merchantId, now);
  return testSideOf(merchantId);
}

/** Adds the rows of a merchant’s test side. Resolves to false if the merchant has one. */
export async function addTestSide(connection: Connection, merchantId: number, now: number): Promise<boolean> {
  if ((await connection.run(markTestSide, { merchantId })) === 0) return false;
  const merchant = await connection.first(findMerchantById, { merchantId });
  if (merchant === undefined) throw missingMerchant(merchantId);
  const counters = {
    catalog_revision: revisionAt(now),
    epoch: newEpoch(),
    suspended_at: merchant.suspended_at,
    time_zone: merchant.time_zone,
    request_limit: merchant.request_limit,
    product_limit: merchant.product_limit,
  };
  await connection.run(insertCounters, { merchant_id: testSideOf(merchantId), ...counters });
  return true;
}
