import assert from 'node:assert/strict';
import { OPERATOR } from '../../src/audit/record-audit.ts';
import type { Actor } from '../../src/database/actor.ts';
import type { Database } from '../../src/database/database.ts';
import type { Parsed, Rejection } from '../../src/files/parsed.ts';
import type { ImportSummary } from '../../src/files/run-import.ts';
import { findMerchant } from '../../src/merchants/find-merchant.ts';
import { itemMerchants } from '../../src/merchants/item-merchants.ts';
import type { MerchantRow } from '../../src/merchants/queries.ts';
import type { FactDraft } from '../../src/placements/facts/fact-draft.ts';
import { importFacts } from '../../src/placements/facts/import-facts.ts';
import { exportProducts } from '../../src/products/files/export-products.ts';
import { importProducts, type ProductImportSummary } from '../../src/products/files/import-products.ts';
import type { Writer } from '../../src/products/record/catalog-batch.ts';
import type { Product } from '../../src/products/record/product.ts';
import type { ProductDraft, VariationDraft } from '../../src/products/record/product-draft.ts';
import { importSchedules } from '../../src/sales/import-schedules.ts';
import type { ScheduleDraft } from '../../src/sales/schedule-draft.ts';

export interface Catalog {
  database: Database;
  now: () => number;
}

/** A merchant without limits on categories. */
export const asMerchant: Writer = {
  authority: 'merchant',
  maxCategories: null,
  onlyListedCategories: false,
  moderationQueue: false,
};

/** What a campaign need not have. */
export const UNSET_AMOUNTS = {
  daily_budget: undefined,
  bid_amount: undefined,
  daily_budget_per_product: undefined,
  lifetime_budget: undefined,
  lifetime_budget_per_product: undefined,
  hourly_schedule: undefined,
};

export type Imported = ImportSummary & { rejections: Rejection[] };

export function draft(
  identifier: string,
  fields: ProductDraft['fields'] = {},
  variations?: VariationDraft[],
): ProductDraft {
  return { merchant: null, identifier, fields, variations };
}

/** Imports drafts as if from a file, by default with the operator's authority. */
export async function importDrafts(
  { database, now }: Catalog,
  merchant: { id: number },
  batches: ProductDraft[][],
  {
    dryRun = false,
    lowInventory = 5,
    writer = { authority: 'operator' },
    who = OPERATOR,
  }: { dryRun?: boolean; lowInventory?: number; writer?: Writer; who?: Actor } = {},
): Promise<Imported & ProductImportSummary> {
  const rejections: Rejection[] = [];
  const options = await optionsFor(database, merchant, dryRun, rejections);
  const settings = { database, now, who, lowInventory, ...writer };
  const summary = await importProducts(settings, parsed(batches), options);
  return { ...summary, rejections };
}

export async function importScheduleDrafts(
  { database, now }: Catalog,
  merchant: { id: number },
  batches: ScheduleDraft[][],
  { dryRun = false } = {},
): Promise<Imported> {
  const rejections: Rejection[] = [];
  const options = await optionsFor(database, merchant, dryRun, rejections);
  const summary = await importSchedules({ database, now, lowBudget: 80 }, parsed(batches), options);
  return { ...summary, rejections };
}

export async function importFactDrafts(
  { database, now }: Catalog,
  merchant: { id: number },
  batches: FactDraft[][],
): Promise<Imported> {
  const rejections: Rejection[] = [];
  const options = await optionsFor(database, merchant, false, rejections);
  const summary = await importFacts({ database, now, lowBudget: 80 }, parsed(batches), options);
  return { ...summary, rejections };
}

export async function optionsFor(
  database: Database,
  { id }: { id: number },
  dryRun: boolean,
  rejections: Rejection[],
) {
  const merchant = await merchantRow(database, id);
  const onRejected = (some: Rejection[]): void => void rejections.push(...some);
  return { merchants: itemMerchants(database, merchant), dryRun, onRejected, onRepeated: () => {} };
}

async function merchantRow(database: Database, id: number): Promise<MerchantRow> {
  const merchant = await findMerchant({ database }, String(id));
  assert(merchant !== undefined);
  return merchant;
}

export async function* parsed<Item>(batches: Item[][]): AsyncGenerator<Parsed<Item>[]> {
  let line = 1;
  for (const batch of batches) yield batch.map((item) => ({ line: line++, item }));
}

/** Oldest first. */
export async function allProducts(
  { database }: Pick<Catalog, 'database'>,
  { id }: { id: number },
): Promise<Product[]> {
  const products: Product[] = [];
  for await (const batch of exportProducts({ database }, id)) products.push(...batch);
  return products;
}
