import type { Database } from '../../database/database.ts';
import { type PlacementRecord, placementRecord } from './placement-record.ts';
import { listPlacementsAfter } from './queries.ts';

const BATCH_SIZE = 1_000;

/** In batches, in the order of their ids. */
export async function* exportPlacements(
  { database }: { database: Database },
  merchantId: number,
): AsyncGenerator<PlacementRecord[]> {
  let after = '';
  for (;;) {
    const rows = await database.all(listPlacementsAfter, { merchantId, after, limit: BATCH_SIZE });
    if (rows.length > 0) yield rows.map(placementRecord);
    after = rows.at(-1)?.placement_id ?? after;
    if (rows.length < BATCH_SIZE) return;
  }
}
