import type { Database } from '../database/database.ts';
import { listSchedulesAfter } from './queries.ts';
import { type ScheduleRecord, scheduleRecord } from './schedule-record.ts';

const BATCH_SIZE = 1000;

/** In batches, in the order of their ids. */
export async function* exportSchedules(
  { database }: { database: Database },
  merchantId: number,
): AsyncGenerator<ScheduleRecord[]> {
  let after = '';
  for (;;) {
    const rows = await database.all(listSchedulesAfter, { merchantId, after, limit: BATCH_SIZE });
    if (rows.length > 0) yield rows.map(scheduleRecord);
    after = rows.at(-1)?.schedule_id ?? after;
    if (rows.length < BATCH_SIZE) return;
  }
}
