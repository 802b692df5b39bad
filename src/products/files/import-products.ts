import type { Database } from '../../database/database.ts';
import type { Parsed } from '../../imports/parsed.ts';
import {
  type ImportOptions,
  type ImportSummary,
  type ItemOutcome,
  runImport,
} from '../../imports/run-import.ts';
import { SeenNumbers } from '../../imports/seen.ts';
import { CatalogBatch, type CatalogSettings } from '../record/catalog-batch.ts';
import type { ProductDraft } from '../record/product-draft.ts';

/** What an import of products did: of the updated ones, how many have a change in each field. */
export interface ProductImportSummary extends ImportSummary {
  changed_fields: Record<string, number>;
}

/**
 * Brings a file's products into the merchants' catalogs, by identifier: what is not there is created,
 * what differs is updated, what is the same is left alone. Memory does not grow with the file, but for
 * a bit a product, and in a dry run for the identifiers that would be new.
 */
export async function importProducts(
  { database, now, ...settings }: { database: Database; now: () => number } & CatalogSettings,
  batches: AsyncIterable<Parsed<ProductDraft>[]>,
  options: ImportOptions,
): Promise<ProductImportSummary> {
  const seen = new SeenProducts();
  const changedFields: Record<string, number> = {};
  const summary = await runImport(
    database,
    batches,
    options,
    ({ identifier }) => identifier,
    async (connection, { id }, drafts) => {
      const batch = await CatalogBatch.open(connection, id, drafts, { ...settings, now: now() });
      const applied = drafts.map((draft) => ({
        identifier: draft.identifier,
        outcome: batch.apply(draft),
      }));
      await batch.write();
      return () =>
        applied.map(({ identifier, outcome }): ItemOutcome => {
          if (outcome.kind === 'rejected') return outcome;
          if (outcome.kind === 'updated') {
            for (const name of outcome.changed) changedFields[name] = (changedFields[name] ?? 0) + 1;
          }
          // What a dry run makes is undone: its number will be another's.
          const internalId = options.dryRun ? batch.storedId(identifier) : batch.currentId(identifier);
          const repeated = seen.add(id, internalId, identifier);
          return { kind: repeated && outcome.kind === 'created' ? 'updated' : outcome.kind, repeated };
        });
    },
  );
  return { ...summary, changed_fields: changedFields };
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
