import type { Actor } from '../../database/actor.ts';
import type { Database } from '../../database/database.ts';
import { lookUp } from '../../database/look-up.ts';
import type { Parsed } from '../../files/parsed.ts';
import {
  type ImportOptions,
  type ImportSummary,
  type ItemOutcome,
  runImport,
} from '../../files/run-import.ts';
import { SeenNumbers } from '../../files/seen-numbers.ts';
import { CatalogBatch, type CatalogSettings } from '../record/catalog-batch.ts';
import { isBelowCost, isBidAbovePrice } from '../record/doubtful-prices.ts';
import type { Product } from '../record/product.ts';
import type { ProductDraft } from '../record/product-draft.ts';
import { findRecordSizes } from '../record/queries.ts';
import type { ChangePreview } from './change-preview.ts';

export interface ProductImportSummary extends ImportSummary {
  /** For each field, the number of updated products in which it changed. */
  changed_fields: Record<string, number>;
  /** With a preview: how many products would fall below cost because of the import, unless 0. */
  below_cost?: number;
  /** With a preview: how many minimum bids would be above the price because of the import, unless 0. */
  bid_above_price?: number;
}

/**
 * Imports products into the merchants' catalogs by identifier: creates new ones and updates those that
 * differ. Memory grows by one bit per product; a dry run also keeps new identifiers. Adds changes to
 * `preview`, in the order of the file. `who` has the ID of the import.
 */
export async function importProducts<Merchant extends { id: number }>(
  {
    database,
    now,
    who,
    ...settings
  }: { database: Database; now: () => number; who: Actor } & CatalogSettings,
  batches: AsyncIterable<Parsed<ProductDraft>[]>,
  { preview, ...options }: ImportOptions<Merchant> & { preview?: ChangePreview },
): Promise<ProductImportSummary> {
  const seen = new SeenProducts();
  const changedFields: Record<string, number> = {};
  let belowCost = 0;
  let bidAbovePrice = 0;
  const withFields = (summary: ImportSummary): ProductImportSummary => ({
    ...summary,
    changed_fields: changedFields,
    ...(belowCost > 0 && { below_cost: belowCost }),
    ...(bidAbovePrice > 0 && { bid_above_price: bidAbovePrice }),
  });
  const summary = await runImport(
    { database, now },
    batches,
    {
      ...options,
      sizesOf: async ({ id }, names) => {
        const rows = await lookUp(database, findRecordSizes, id, names);
        return new Map(rows.map(({ identifier, bytes }) => [identifier, bytes]));
      },
      onCounted: (counted) => options.onCounted?.(withFields(counted)),
    },
    ({ identifier }) => identifier,
    async (context, { id }, drafts) => {
      const batch = await CatalogBatch.open({ ...context, who }, drafts, settings);
      const applied = drafts.map((draft) => {
        const { identifier } = draft;
        const before = preview && batch.entry(identifier)?.product;
        const outcome = batch.apply(draft);
        const after = preview && batch.entry(identifier)?.product;
        return { identifier, outcome, before, after };
      });
      await batch.write();
      return () =>
        applied.map(({ identifier, outcome, before, after }): ItemOutcome => {
          if (outcome.kind === 'rejected') return outcome;
          if (outcome.kind !== 'unchanged' && after !== undefined) {
            preview?.add(before, after);
            if (isBelowCost(after) && differ(before, after, 'buy_now_price', 'cost_basis')) belowCost += 1;
            if (isBidAbovePrice(after) && differ(before, after, 'buy_now_price', 'minimum_bid_amount'))
              bidAbovePrice += 1;
          }
          if (outcome.kind === 'updated') {
            for (const name of outcome.changed) changedFields[name] = (changedFields[name] ?? 0) + 1;
          }
          // A dry run rolls back new internal ids, so another product may get the same id.
          const internalId = options.dryRun ? batch.storedId(identifier) : batch.currentId(identifier);
          const repeated = seen.add(id, internalId, identifier);
          return { kind: repeated && outcome.kind === 'created' ? 'updated' : outcome.kind, repeated };
        });
    },
  );
  return withFields(summary);
}

function differ(before: Product | undefined, after: Product, ...names: (keyof Product)[]): boolean {
  return names.some((name) => before?.[name] !== after[name]);
}

/** The products of an import so far: by internal id, or by identifier if they have no id. */
class SeenProducts {
  readonly #ids = new Map<number, SeenNumbers>();
  readonly #names = new Set<string>();

  add(merchantId: number, internalId: number | undefined, identifier: string): boolean {
    if (internalId === undefined) {
      const name = `${merchantId} ${identifier}`;
      const repeated = this.#names.has(name);
      this.#names.add(name);
      return repeated;
    }
    const ids = this.#ids.get(merchantId) ?? new SeenNumbers();
    this.#ids.set(merchantId, ids);
    return ids.add(internalId);
  }
}
