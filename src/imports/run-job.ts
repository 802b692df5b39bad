import { SERVICE } from '../audit/record-audit.ts';
import { type BudgetName, type Budgets, isBudgetExceeded } from '../budgets/budgets.ts';
import type { Actor } from '../database/actor.ts';
import type { Database } from '../database/database.ts';
import { runVerb, type WriteContext } from '../database/write-context.ts';
import { DomainError } from '../errors/domain-error.ts';
import { type FoundTable, UnusableFile, UnusableTable } from '../files/parsed.ts';
import type { ImportOptions, Throttle } from '../files/run-import.ts';
import { itemMerchants } from '../merchants/item-merchants.ts';
import { findMerchantById } from '../merchants/queries.ts';
import { lockActiveMerchant } from '../merchants/suspension.ts';
import { ChangePreview } from '../products/files/change-preview.ts';
import { importProducts, type ProductImportSummary } from '../products/files/import-products.ts';
import { type ProductFile, readProducts } from '../products/files/read-products.ts';
import type { MerchantSettings } from '../products/record/catalog-batch.ts';
import { chooseReading } from './choose-reading.ts';
import { CpuBudget } from './cpu-budget.ts';
import type { Step } from './import-state.ts';
import type { JobSlot } from './job-slot.ts';
import {
  deleteRejections,
  endStep,
  failImport,
  findImport,
  findStep,
  setSummaryOfCanceled,
} from './queries.ts';
import { recordImportEnd } from './record-import-end.ts';
import { ImportCanceled, StepResult } from './step-result.ts';
import { TransactionSize } from './transaction-size.ts';

export interface Job extends MerchantSettings {
  merchantId: number;
  id: string;
  state: Step;
  /** Who imports or checks the file. */
  who: Actor;
  /** The name on the merchant's computer. */
  name: string;
  path: string;
  lowInventory: number;
  maximumUnpackedBytes: number;
}

const NOTHING_READ = { progress: 0, format: null, ignoredColumns: [] };
/** What is read before it is written. Rows may be large and stay in memory until then. */
const BATCH_ROWS = 500;
const BATCH_BYTES = 8 * 1024 * 1024;
const PAUSE_FACTOR = 1;
/** Limits memory, because a check keeps the identifier of each new product. */
const MAX_PRODUCTS = 2_000_000;
const PROGRESS_MS = 500;

interface Services {
  database: Database;
  budgets: Budgets;
  now: () => number;
  slot: JobSlot;
}

/**
 * Runs a step and records its progress and result. Resolves to the budget whose end ended the step. Once the
 * import is canceled or deleted, the step stops; what it has committed remains.
 */
export async function runJob(services: Services, job: Job): Promise<BudgetName | undefined> {
  const { merchantId, id } = job;
  const database = services.slot.releaseDuringWaits(services.database);
  const cpu = new CpuBudget({ ...services, database }, job);
  const result = new StepResult(job);
  try {
    return await runStep({ ...services, database, cpu, result }, job);
  } catch (error) {
    const { now } = services;
    const end = async (context: WriteContext): Promise<void> => {
      await cpu.recordRest(context);
      const summary = { merchantId, id, summary: result.summary };
      const canceled = await context.connection.run(setSummaryOfCanceled, summary);
      if (canceled > 0 && job.state === 'importing') await recordImportEnd(context, id);
    };
    await runVerb({ database, now }, { merchantId, who: SERVICE }, end, undefined);
    if (error instanceof ImportCanceled) return undefined;
    throw error;
  }
}

interface StepServices extends Services {
  cpu: CpuBudget;
  result: StepResult;
}

async function runStep(services: StepServices, job: Job): Promise<BudgetName | undefined> {
  const { cpu, result } = services;
  const { merchantId, id, state } = job;
  const step = { merchantId, id, state };
  try {
    // A check that starts again, and the import after a check, list the rejected rows anew.
    await result.record(services, async ({ connection }) => {
      await connection.run(deleteRejections, { merchantId, id });
    });
    const preview = state === 'checking' ? new ChangePreview() : undefined;
    result.count(await readAndImport(services, job, preview));
    const newState = state === 'checking' ? 'checked' : 'done';
    const changes = preview === undefined ? null : JSON.stringify(preview.products);
    await result.record(services, async (context) => {
      const { connection, now } = context;
      await cpu.recordRest(context);
      await connection.run(endStep, { ...step, newState, changes, failure: null, now });
      if (state === 'importing') await recordImportEnd(context, id);
    });
    return undefined;
  } catch (error) {
    if (!(error instanceof UnusableFile || error instanceof DomainError)) throw error;
    // The importer's messages start with the file's path on the server, which merchants should not see.
    const reason = error.message.replace(job.path, job.name).replace(/\.?$/, '.');
    const found = result.found ?? (error instanceof UnusableTable ? error.found : undefined);
    if (state === 'checking' && error instanceof UnusableTable && isReadableOtherwise(found)) {
      result.setReading({ ...NOTHING_READ, found });
      await result.record(services, async (context) => {
        const { connection, now } = context;
        await cpu.recordRest(context);
        const ended = { newState: 'checked', changes: null, failure: reason, now } as const;
        await connection.run(endStep, { ...step, ...ended });
      });
      return undefined;
    }
    const partly = state === 'importing' ? ' The rows before that are in the catalog.' : '';
    await result.record(services, async (context) => {
      const { connection, now } = context;
      await cpu.recordRest(context);
      await connection.run(failImport, { ...step, failure: `${reason}${partly}`, now });
      if (state === 'importing') await recordImportEnd(context, id);
    });
    return isBudgetExceeded(error) ? error.budget : undefined;
  }
}

/** Whether a check whose table cannot be imported can be repeated with another sheet or other columns. */
function isReadableOtherwise(found: FoundTable | undefined): boolean {
  return (found?.sheet?.names.length ?? 0) > 1 || (found?.columns?.length ?? 0) > 0;
}

async function readAndImport(
  { database, now, slot, cpu, result }: StepServices,
  job: Job,
  preview: ChangePreview | undefined,
): Promise<ProductImportSummary> {
  const merchant = await database.first(findMerchantById, { merchantId: job.merchantId });
  if (merchant === undefined) throw new ImportCanceled();
  const step = { merchantId: job.merchantId, id: job.id, state: job.state };
  let bytesRead = 0;
  let unwrittenBytes = 0;
  const stored = await database.first(findImport, step);
  const limits = { maximumBytes: job.maximumUnpackedBytes, beforeChunk: () => slot.yieldIfDue() };
  const { reading, found } = await chooseReading({ database, now }, job, stored, limits);
  result.setReading({ ...NOTHING_READ, found });
  const file = await readProducts(job.path, {
    isOwn: stored?.is_bulk === 1,
    sheet: reading.sheet,
    columns: reading.columns,
    maximumBytes: job.maximumUnpackedBytes,
    onProgress: (bytes) => {
      bytesRead = bytes;
    },
    beforeChunk: (bytes) => {
      unwrittenBytes += bytes;
      return slot.yieldIfDue();
    },
  });
  const size = new TransactionSize(database.importTransactions);
  const throttle: Throttle = {
    isEnough: (items) => {
      if (items < BATCH_ROWS && unwrittenBytes < BATCH_BYTES) return false;
      unwrittenBytes = 0;
      return true;
    },
    maxItems: () => size.items,
    onWritten: (items, ms) => size.record(items, ms),
    pauseFactor: PAUSE_FACTOR,
  };
  const options: ImportOptions<{ id: number }> = {
    merchants: {
      ...itemMerchants(database, merchant),
      // Canceling locks the merchant too, so no transaction follows it.
      lock: async (connection, { id }) => {
        await lockActiveMerchant(connection, id);
        if ((await connection.first(findStep, step)) === undefined) throw new ImportCanceled();
      },
    },
    dryRun: job.state === 'checking',
    throttle,
    onRejected: (rejections) => result.reject(rejections),
    onRepeated: () => {},
    onCounted: (summary) => result.count(summary),
  };
  try {
    const products = withProgress(file, { path: job.path, slot }, async () => {
      const progress = file.totalBytes === 0 ? 0 : bytesRead / file.totalBytes;
      result.setReading({ progress, format: file.format, ignoredColumns: file.ignoredColumns(), found });
      await result.record({ database, now });
      await cpu.record();
    });
    const who = { ...job.who, import: job.id };
    const { lowInventory, maxCategories, onlyListedCategories, moderationQueue } = job;
    const writer = { authority: 'merchant', maxCategories, onlyListedCategories, moderationQueue } as const;
    return await importProducts({ database, now, who, lowInventory, ...writer }, products, {
      ...options,
      ...(preview !== undefined && { preview }),
    });
  } finally {
    await file.close();
  }
}

async function* withProgress(
  file: ProductFile,
  { path, slot }: { path: string; slot: JobSlot },
  record: () => Promise<void>,
): ProductFile['products'] {
  let recordedAt = Number.NEGATIVE_INFINITY;
  let products = 0;
  for await (const batch of file.products) {
    products += batch.length;
    if (products > MAX_PRODUCTS) {
      const maximum = MAX_PRODUCTS.toLocaleString('en');
      throw new UnusableFile(`${path}: more than ${maximum} products; split the file`);
    }
    if (performance.now() - recordedAt >= PROGRESS_MS) {
      await record();
      recordedAt = performance.now();
    }
    yield batch;
    await slot.yieldIfDue();
  }
  if (products === 0) await record();
}
