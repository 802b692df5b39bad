import { statement } from '../../database/database.ts';

/** Reads every node of a cluster: only the process that numbers events runs it. */
export const listMerchantsWithExpired = statement<{ now: number; limit: number }, { merchant_id: number }>(
  `SELECT DISTINCT merchant_id FROM placements WHERE state = 'reserved' AND expires_at <= :now
   ORDER BY merchant_id LIMIT CAST(:limit AS bigint)`,
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
