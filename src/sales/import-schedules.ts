import type { Database } from '../database/database.ts';
import type { Parsed } from '../files/parsed.ts';
import { type ImportOptions, type ImportSummary, runImport } from '../files/run-import.ts';
import type { MerchantRow } from '../merchants/queries.ts';
import { ScheduleBatch } from './schedule-batch.ts';
import type { ScheduleDraft } from './schedule-draft.ts';

/**
 * Imports a file's schedules by id, and updates the monthly sales and the products' sales and ratings in the
 * same transactions. A schedule replaces the stored one, including its contribution to all figures.
 */
export async function importSchedules(
  { lowBudget, ...services }: { database: Database; now: () => number; lowBudget: number },
  batches: AsyncIterable<Parsed<ScheduleDraft>[]>,
  options: ImportOptions<MerchantRow>,
): Promise<ImportSummary> {
  return await runImport(
    services,
    batches,
    options,
    ({ schedule_id }) => schedule_id,
    async (context, merchant, drafts) => {
      const batch = await ScheduleBatch.open({ ...context, lowBudget }, merchant, drafts);
      const outcomes = drafts.map((draft) => batch.apply(draft));
      await batch.write();
      return () => outcomes;
    },
  );
}
