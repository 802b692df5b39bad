import type { Database } from '../database/database.ts';
import type { Parsed } from '../imports/parsed.ts';
import { type ImportOptions, type ImportSummary, runImport } from '../imports/run-import.ts';
import { ScheduleBatch } from './schedule-batch.ts';
import type { ScheduleDraft } from './schedule-draft.ts';

/**
 * Brings a file's schedules in, by their ids: the monthly roll-up and the products' sales and ratings
 * follow in the same transactions. A schedule id that is there already is replaced, figures and all.
 */
export async function importSchedules(
  { database, now }: { database: Database; now: () => number },
  batches: AsyncIterable<Parsed<ScheduleDraft>[]>,
  options: ImportOptions,
): Promise<ImportSummary> {
  return await runImport(
    database,
    batches,
    options,
    ({ schedule_id }) => schedule_id,
    async (connection, merchant, drafts) => {
      const batch = await ScheduleBatch.open(connection, merchant, drafts);
      const outcomes = drafts.map((draft) => batch.apply(draft));
      await batch.write(now());
      return () => outcomes;
    },
  );
}
