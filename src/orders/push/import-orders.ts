import type { Database } from '../../database/database.ts';
import type { Parsed } from '../../files/parsed.ts';
import { type ImportOptions, type ImportSummary, runImport } from '../../files/run-import.ts';
import type { MerchantRow } from '../../merchants/queries.ts';
import type { OrderDraft } from './order-draft.ts';
import { PushBatch, type PushServices } from './push-batch.ts';

/** Imports a file's orders by external ID, with the operator's authority. */
export async function importOrders(
  { database, now, ...services }: { database: Database; now: () => number } & PushServices,
  batches: AsyncIterable<Parsed<OrderDraft>[]>,
  options: ImportOptions<MerchantRow>,
): Promise<ImportSummary> {
  await services.customers.prepare(database, now());
  return await runImport(
    { database, now },
    batches,
    options,
    ({ external_id }) => external_id,
    async (context, _merchant, drafts) => {
      const batch = await PushBatch.open({ ...context, ...services }, drafts);
      const outcomes = drafts.map((draft) => batch.apply(draft));
      await batch.write();
      return () => outcomes;
    },
  );
}
