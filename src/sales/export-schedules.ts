import type { Database } from '../database/database.ts';
import { formatTime } from '../shared/timestamps.ts';
import { listSchedulesAfter } from './queries.ts';

/** A schedule as files have it; the price in the currency's unit. */
export interface ScheduleRecord {
  schedule_id: string;
  product_identifier: string;
  scheduled_at: string;
  sold: boolean;
  sale_price: number | null;
  rating: number | null;
}

const BATCH = 1000;

/** A merchant's schedules in the order of their ids, a batch at a time. */
export async function* exportSchedules(
  { database }: { database: Database },
  merchantId: number,
): AsyncGenerator<ScheduleRecord[]> {
  let last = '';
  for (;;) {
    const rows = await database.all(listSchedulesAfter, [merchantId, last, BATCH]);
    const inUnits = (hundredths: number | null): number | null =>
      hundredths === null ? null : hundredths / 100;
    if (rows.length > 0) {
      yield rows.map((row) => ({
        schedule_id: row.schedule_id,
        product_identifier: row.product_identifier,
        scheduled_at: formatTime(row.scheduled_at),
        sold: row.sold === 1,
        sale_price: inUnits(row.sale_price),
        rating: inUnits(row.rating),
      }));
    }
    last = rows.at(-1)?.schedule_id ?? last;
    if (rows.length < BATCH) return;
  }
}
