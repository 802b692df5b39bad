import { OPERATOR } from '../../src/audit/record-audit.ts';
import { parseConfig } from '../../src/config.ts';
import type { Database } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { departments } from '../../src/demo/assortment.ts';
import { generateProduct } from '../../src/demo/generate-products.ts';
import { generateSchedules } from '../../src/demo/generate-schedules.ts';
import { Random } from '../../src/demo/random.ts';
import type { Parsed } from '../../src/files/parsed.ts';
import { createMerchant } from '../../src/merchants/create-merchant.ts';
import { findMerchant } from '../../src/merchants/find-merchant.ts';
import { itemMerchants } from '../../src/merchants/item-merchants.ts';
import { importProducts } from '../../src/products/files/import-products.ts';
import type { Writer } from '../../src/products/record/catalog-batch.ts';
import type { ProductDraft } from '../../src/products/record/product-draft.ts';
import { importSchedules } from '../../src/sales/import-schedules.ts';
import type { Engine, Settings } from '../engines/engine.ts';

const BATCH = 500;
const FIRST_TIME = Date.UTC(2020, 0, 1);
const SPACING_MS = 60_000;

/** The products have two variations each, about 1.4 KB as a record. */
export function* generateDrafts(count: number, seed: number): Generator<ProductDraft> {
  const random = new Random(seed);
  for (let number = 1; number <= count; number += 1) {
    const draft = generateProduct(
      number,
      { created: FIRST_TIME + number * SPACING_MS, latest: Number.POSITIVE_INFINITY },
      departments.home,
      random,
    );
    const [first] = draft.variations ?? [];
    if (first === undefined) continue;
    const second = { ...first, identifier: `${draft.identifier}-b` };
    yield { ...draft, variations: [{ ...first, identifier: `${draft.identifier}-a` }, second] };
  }
}

/** Returns the first variation of each product that is not deleted: a merchant can change its stock. */
export function changeableVariations(products: number, seed: number): string[] {
  return [...generateDrafts(products, seed)]
    .filter(({ fields }) => fields.status !== 'deleted')
    .map(({ identifier }) => `${identifier}-a`);
}

export async function* parsedBatches<Draft>(drafts: Iterable<Draft>): AsyncGenerator<Parsed<Draft>[]> {
  let batch: Parsed<Draft>[] = [];
  for (const item of drafts) {
    batch.push({ line: 1, item });
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/**
 * Builds the database on first use and keeps it. It has a merchant for each catalog size: `m1`, `m2` and so
 * on.
 */
export async function databaseOf(
  engine: Engine,
  name: string,
  catalogSizes: readonly number[],
  options: FillOptions = {},
): Promise<Settings> {
  if (!(await engine.has(name))) {
    const draft = `${name}_unfinished`;
    await engine.recreate(draft);
    await fill(engine.settings(draft), catalogSizes, options);
    await engine.rename(draft, name);
  }
  return engine.settings(name);
}

interface FillOptions {
  /** Auctions of each product in a month, over two years; none by default. */
  schedulesPerMonth?: number;
  /** By number and seed. Default: `generateDrafts`. */
  drafts?: (count: number, seed: number) => Iterable<ProductDraft>;
  /** Who imports the products. Default: the operator. */
  writer?: Writer;
  /** Called for each merchant, after its products were imported. */
  addTo?: (database: Database, merchantId: number) => Promise<void>;
}

async function fill(
  settings: Settings,
  catalogSizes: readonly number[],
  {
    schedulesPerMonth = 0,
    drafts: generate = generateDrafts,
    writer = { authority: 'operator' },
    addTo,
  }: FillOptions,
): Promise<void> {
  const now = Date.now;
  const database = await openDatabase(parseConfig(settings), now());
  for (const [index, size] of catalogSizes.entries()) {
    const { id } = await createMerchant(
      { database, now },
      { name: `m${index + 1}`, email: null, timeZone: 'UTC' },
    );
    const merchant = await findMerchant({ database }, String(id));
    const options = {
      merchants: itemMerchants(database, merchant),
      dryRun: false,
      onRejected: (rejections: readonly unknown[]) => {
        throw new Error(`rejected: ${JSON.stringify(rejections[0])}`);
      },
      onRepeated: () => {},
    };
    await importProducts(
      { database, now, who: OPERATOR, lowInventory: 5, ...writer },
      parsedBatches(generate(size, index + 1)),
      options,
    );
    await addTo?.(database, id);
    if (schedulesPerMonth === 0) continue;
    const drafts = [...generateDrafts(size, index + 1)];
    const schedules = generateSchedules(drafts, size * schedulesPerMonth, new Random(index + 1), now());
    await importSchedules({ database, now, lowBudget: 80 }, parsedBatches(schedules), options);
  }
  // Otherwise the server would do this later, during a measurement.
  await database.updateStatistics();
  await database.close();
}
