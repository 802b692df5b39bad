import type { Actor } from '../../database/actor.ts';
import type { Database } from '../../database/database.ts';
import type { Parsed } from '../../files/parsed.ts';
import { type ImportOptions, type ImportSummary, runImport } from '../../files/run-import.ts';
import type { MerchantRow } from '../../merchants/queries.ts';
import { hasCustomer, type OrderDraft } from './order-draft.ts';
import { PushBatch, type PushServices } from './push-batch.ts';

/**
 * Imports a file's orders by external ID, with the operator's authority.
 * @throws {KeyFileUnusable} if an order has a customer whose data cannot be encrypted
 */
export async function importOrders(
  { database, now, ...services }: { database: Database; now: () => number; who: Actor } & PushServices,
  batches: AsyncIterable<Parsed<OrderDraft>[]>,
  options: ImportOptions<MerchantRow>,
): Promise<ImportSummary> {
  return await runImport(
    { database, now },
    beforeCustomers(batches, () => services.customers.prepare(database, now())),
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

/** Orders without customers need no keys. */
async function* beforeCustomers(
  batches: AsyncIterable<Parsed<OrderDraft>[]>,
  prepare: () => Promise<void>,
): AsyncGenerator<Parsed<OrderDraft>[]> {
  let isPrepared = false;
  for await (const batch of batches) {
    if (!isPrepared && batch.some((parsed) => 'item' in parsed && hasCustomer(parsed.item))) {
      await prepare();
      isPrepared = true;
    }
    yield batch;
  }
}
