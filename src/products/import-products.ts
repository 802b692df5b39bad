import type { Database } from '../database/database.ts';
import type { Parsed } from '../imports/parsed.ts';
import {
  type ImportOptions,
  type ImportSummary,
  type ItemOutcome,
  runImport,
} from '../imports/run-import.ts';
import { SeenNumbers } from '../imports/seen.ts';
import { CatalogBatch } from './catalog-batch.ts';
import type { ProductDraft } from './product-draft.ts';

/**
 * Brings a file's products into the merchants' catalogs, by identifier: what is not there is created,
 * what differs is updated, what is the same is left alone. Memory does not grow with the file, but for
 * a bit a product, and in a dry run for the identifiers that would be new.
 */
export async function importProducts(
  { database, now, lowInventory }: { database: Database; now: () => number; lowInventory: number },
  batches: AsyncIterable<Parsed<ProductDraft>[]>,
  options: ImportOptions,
): Promise<ImportSummary> {
  const seen = new SeenProducts();
  return await runImport(
    database,
    batches,
    options,
    ({ identifier }) => identifier,
    async (connection, { id }, drafts) => {
      const batch = await CatalogBatch.open(connection, id, drafts, { now: now(), lowInventory });
      const outcomes = drafts.map((draft) => batch.apply(draft));
      await batch.write();
      return () =>
        drafts.map(({ identifier }, index): ItemOutcome => {
          const outcome = outcomes[index];
          if (outcome === undefined || outcome.kind === 'rejected') {
            return { column: 'variations', value: '', reason: '', ...outcome, kind: 'rejected' };
          }
          // What a dry run makes is undone: its number will be another's.
          const internalId = options.dryRun ? batch.storedId(identifier) : batch.currentId(identifier);
          const repeated = seen.add(id, internalId, identifier);
          return { kind: repeated && outcome.kind === 'created' ? 'updated' : outcome.kind, repeated };
        });
    },
  );
}

/** The products that an import has come by: by number, and by name those that have none yet. */
class SeenProducts {
  readonly #numbers = new Map<number, SeenNumbers>();
  readonly #names = new Set<string>();

  /** True if the product was added before. */
  add(merchantId: number, internalId: number | undefined, identifier: string): boolean {
    if (internalId === undefined) {
      const name = `${merchantId} ${identifier}`;
      const repeated = this.#names.has(name);
      this.#names.add(name);
      return repeated;
    }
    const numbers = this.#numbers.get(merchantId) ?? new SeenNumbers();
    this.#numbers.set(merchantId, numbers);
    return numbers.add(internalId);
  }
}
