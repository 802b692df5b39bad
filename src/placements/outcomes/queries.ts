import { statement } from '../../database/statement.ts';

/**
 * In the order of their IDs. Looks at one placement of each merchant, however many are reserved. Reads every
 * node of a cluster: only the process that numbers events runs it.
 */
export const listMerchantsWithExpired = statement<
  { after: number; now: number; limit: number },
  { merchant_id: number }
>(
  `SELECT m.merchant_id FROM merchant_counters m
   WHERE m.merchant_id > :after AND EXISTS (SELECT 1 FROM placements p
                 WHERE p.merchant_id = m.merchant_id AND p.state = 'reserved' AND p.expires_at <= :now)
   ORDER BY m.merchant_id LIMIT CAST(:limit AS bigint)`,
  { everyNode: true },
);

export const listExpired = statement<
  { merchantId: number; now: number; limit: number },
  { placement_id: string }
>(
  `SELECT placement_id FROM placements
   WHERE merchant_id = :merchantId AND state = 'reserved' AND expires_at <= :now
   ORDER BY expires_at LIMIT CAST(:limit AS bigint)`,
);
