import type { Database } from '../database/database.ts';
import { formatTime } from '../shared/timestamps.ts';
import { listSchedulesAfter } from './queries.ts';

/** A schedule as it appears in files; the price is in the currency's major unit, for example dollars. */
export interface ScheduleRecord {
  schedule_id: string;
  product_identifier: string;
  scheduled_at: string;
  sold: boolean;
  sale_price: number | null;
  rating: number | null;
}

const BATCH_SIZE = 1000;

/** Yields a merchant's schedules in batches, in the order of their ids. */
export async function* exportSchedules(
  { database }: { database: Database },
  merchantId: number,
): AsyncGenerator<ScheduleRecord[]> {
  let after = '';
  for (;;) {
    const rows = await database.all(listSchedulesAfter, { merchantId, after, limit: BATCH_SIZE });
    if (rows.length > 0) {
      yield rows.map((row) => ({
        schedule_id: row.schedule_id,
        product_identifier: row.product_identifier,
        scheduled_at: formatTime(row.scheduled_at),
        sold: row.sold === 1,
        sale_price: fromHundredths(row.sale_price),
        rating: fromHundredths(row.rating),
      }));
    }
    after = rows.at(-1)?.schedule_id ?? after;
    if (rows.length < BATCH_SIZE) return;
  }
}

function fromHundredths(hundredths: number | null): number | null {
  return hundredths === null ? null : hundredths / 100;
}
