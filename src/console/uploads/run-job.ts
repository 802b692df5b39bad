import { BudgetExceeded, type BudgetName, type Budgets } from '../../budgets/budgets.ts';
import type { Connection, Database } from '../../database/database.ts';
import { type Rejection, UnusableFile } from '../../imports/parsed.ts';
import { RejectsFile } from '../../imports/rejects-file.ts';
import type { Throttle } from '../../imports/run-import.ts';
import { itemMerchants } from '../../merchants/item-merchants.ts';
import { findMerchantById } from '../../merchants/queries.ts';
import { importProducts, type ProductImportSummary } from '../../products/files/import-products.ts';
import { type ProductFile, readProducts } from '../../products/files/read-products.ts';
import { CpuBudget } from './cpu-budget.ts';
import { MAX_SHOWN_REJECTIONS } from './describe-upload.ts';
import type { JobSlot } from './job-scheduler.ts';
import { endStep, failWithRejections, updateProgress } from './queries.ts';

/** A step of an upload: checking what its import would change, or importing it. */
export interface Job {
  merchantId: number;
  id: string;
  state: 'checking' | 'importing';
  /** The file's name on the merchant's computer. */
  name: string;
  path: string;
  rejectsPath: string;
  lowInventory: number;
  maxCategories: number | null;
  maximumRejectsBytes: number;
  maximumUnpackedBytes: number;
}

/** Small enough not to delay requests noticeably (docs/decisions/0012-console-imports.md). */
const TRANSACTION_ROWS = 500;
/** Limits the bytes read per transaction, because rows may be large and stay in memory until it ends. */
const TRANSACTION_BYTES = 8 * 1024 * 1024;
const PAUSE_FACTOR = 1;
/** Limits memory, because a check keeps the identifier of each new product. */
const MAX_PRODUCTS = 2_000_000;
/** One more than is shown, so that the console knows whether there are more. */
const MAX_STORED_REJECTIONS = MAX_SHOWN_REJECTIONS + 1;
const PROGRESS_MS = 500;

/** The upload was deleted while a step of it ran. */
class UploadDeleted extends Error {}

interface Services {
  database: Database;
  budgets: Budgets;
  now: () => number;
  slot: JobSlot;
}

/**
 * Runs a step and records its progress and result in the database. Resolves to the budget that was used up, if this
 * ended the step.
 */
export async function runJob(services: Services, job: Job): Promise<BudgetName | undefined> {
  const rejections: Rejection[] = [];
  const database = services.slot.releaseDuringWaits(services.database);
  const cpu = new CpuBudget({ ...services, database }, job);
  const recordCpu = (connection: Connection): Promise<void> => cpu.recordRest(connection);
  try {
    const summary = await readAndImport({ ...services, database }, job, { rejections, cpu });
    const newState = job.state === 'checking' ? 'ready' : 'done';
    await database.transaction(async (connection) => {
      await recordCpu(connection);
      const result = { summary: JSON.stringify(summary), rejections: toJson(rejections) };
      await connection.run(endStep, { ...stepOf(job), newState, ...result });
    });
  } catch (error) {
    if (!(error instanceof UnusableFile || error instanceof BudgetExceeded)) {
      await database.transaction(recordCpu);
      if (error instanceof UploadDeleted) return undefined;
      throw error;
    }
    // The importer's messages start with the file's path on the server, which merchants should not see.
    const reason = error.message.replace(job.path, job.name).replace(/\.?$/, '.');
    const partly = job.state === 'importing' ? ' The rows before that are in the catalog.' : '';
    await database.transaction(async (connection) => {
      await recordCpu(connection);
      const result = { failure: `${reason}${partly}`, rejections: toJson(rejections) };
      await connection.run(failWithRejections, { ...stepOf(job), ...result });
    });
    return error instanceof BudgetExceeded ? error.budget : undefined;
  }
  return undefined;
}

async function readAndImport(
  { database, now, slot }: Services,
  job: Job,
  { rejections, cpu }: { rejections: Rejection[]; cpu: CpuBudget },
): Promise<ProductImportSummary> {
  const merchant = await database.first(findMerchantById, { merchantId: job.merchantId });
  if (merchant === undefined) throw new UploadDeleted();
  let bytesRead = 0;
  let unwrittenBytes = 0;
  const rejectsFile = await RejectsFile.open(job.rejectsPath, job.maximumRejectsBytes);
  const file = await readProducts(job.path, {
    maximumBytes: job.maximumUnpackedBytes,
    onProgress: (bytes) => {
      bytesRead = bytes;
    },
    beforeChunk: (bytes) => {
      unwrittenBytes += bytes;
      return slot.yieldIfDue();
    },
  });
  const throttle: Throttle = {
    isEnough: (items) => {
      if (items < TRANSACTION_ROWS && unwrittenBytes < TRANSACTION_BYTES) return false;
      unwrittenBytes = 0;
      return true;
    },
    pauseFactor: PAUSE_FACTOR,
  };
  const options = {
    merchants: itemMerchants(database, merchant),
    dryRun: job.state === 'checking',
    throttle,
    onRejected: (itemRejections: Rejection[]): void => {
      rejections.push(...itemRejections.slice(0, MAX_STORED_REJECTIONS - rejections.length));
      rejectsFile.write(itemRejections);
    },
    onRepeated: () => {},
  };
  try {
    const products = withProgress(file, { path: job.path, slot }, async () => {
      const status = {
        progress: file.totalBytes === 0 ? 0 : bytesRead / file.totalBytes,
        format: file.format,
        ignoredColumns: JSON.stringify(file.ignoredColumns()),
      };
      const updated = await database.transaction((connection) =>
        connection.run(updateProgress, { ...stepOf(job), ...status }),
      );
      if (updated === 0) throw new UploadDeleted();
      await cpu.record();
    });
    const { lowInventory, maxCategories } = job;
    const writer = { authority: 'merchant', maxCategories } as const;
    return await importProducts({ database, now, lowInventory, ...writer }, products, options);
  } finally {
    await file.close();
    await rejectsFile.close();
  }
}

/** Yields a file's products. Regularly records the progress, and lets other jobs run. */
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

function stepOf({ merchantId, id, state }: Job): Pick<Job, 'merchantId' | 'id' | 'state'> {
  return { merchantId, id, state };
}

function toJson(rejections: Rejection[]): string {
  return JSON.stringify(rejections.map((rejection) => ({ ...rejection, column: rejection.column ?? '' })));
}
