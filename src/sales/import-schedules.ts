import type { Database } from '../database/database.ts';
import type { Parsed } from '../files/parsed.ts';
import { type ImportOptions, type ImportSummary, type ItemOutcome, runImport } from '../files/run-import.ts';
import type { MerchantRow } from '../merchants/queries.ts';
import type { SpendContext } from '../placements/record/record-spend.ts';
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
      const outcomes = await writeSchedules({ ...context, lowBudget }, merchant, drafts);
      return () => outcomes;
    },
  );
}

/** Like `importSchedules`, in a transaction that has locked the merchant. Resolves to an outcome for each. */
export async function writeSchedules(
  context: SpendContext,
  merchant: MerchantRow,
  drafts: readonly ScheduleDraft[],
): Promise<ItemOutcome[]> {
  const batch = await ScheduleBatch.open(context, merchant, drafts);
  const outcomes = drafts.map((draft) => batch.apply(draft));
  await batch.write();
  return outcomes;
}
