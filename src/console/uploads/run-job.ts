import { BudgetExceeded, type BudgetName, type Budgets } from '../../budgets/budgets.ts';
import type { Connection, Database } from '../../database/database.ts';
import { type Rejection, UnusableFile } from '../../imports/parsed.ts';
import { RejectsFile } from '../../imports/rejects-file.ts';
import type { Pace } from '../../imports/run-import.ts';
import { findMerchantById } from '../../merchants/queries.ts';
import { importProducts, type ProductImportSummary } from '../../products/files/import-products.ts';
import { type ProductFile, readProducts } from '../../products/files/read-products.ts';
import { CpuUse } from './cpu-budget.ts';
import { endStep, failWithRejections, updateProgress } from './queries.ts';
import type { Turn } from './job-scheduler.ts';

/** One step of an upload: to tell what its import would do, or to do it. */
export interface Job {
  merchantId: number;
  id: string;
  state: 'checking' | 'importing';
  /** What the merchant calls the file. */
  name: string;
  path: string;
  rejectsPath: string;
  lowInventory: number;
  maxCategories: number | null;
  maximumRejectsBytes: number;
  maximumUnpackedBytes: number;
}

/** Requests are answered meanwhile (docs/decisions/0012-console-imports.md). */
const TRANSACTION_ROWS = 500;
/** Text read for a transaction: rows may be large, and are held in memory until it ends. */
const TRANSACTION_BYTES = 8 * 1024 * 1024;
const REST = 1;
/** Of each product, a little stays in memory until the end. */
const MAX_PRODUCTS = 2_000_000;
const SHOWN_REJECTIONS = 100;
const PROGRESS_MS = 500;

/** The upload was forgotten meanwhile. */
class Forgotten extends Error {}

interface Services {
  database: Database;
  budgets: Budgets;
  now: () => number;
  turn: Turn;
}

/**
 * Does a step, and puts down in the database how far it is and what came of it. Returns the budget that was
 * used up, if that ended it.
 */
export async function runJob(services: Services, job: Job): Promise<BudgetName | undefined> {
  const rejections: Rejection[] = [];
  const database = services.turn.lending(services.database);
  const cpu = new CpuUse({ ...services, database }, job);
  const noteCpu = (connection: Connection): Promise<void> => cpu.noteRest(connection);
  try {
    const summary = await readAndImport({ ...services, database }, job, { rejections, cpu });
    const newState = job.state === 'checking' ? 'ready' : 'done';
    await database.transaction(async (connection) => {
      await noteCpu(connection);
      const result = { summary: JSON.stringify(summary), rejections: toJson(rejections) };
      await connection.run(endStep, { ...stepOf(job), newState, ...result });
    });
  } catch (error) {
    if (!(error instanceof UnusableFile || error instanceof BudgetExceeded)) {
      await database.transaction(noteCpu);
      if (error instanceof Forgotten) return undefined;
      throw error;
    }
    // The importer's messages begin with where the file is, which merchants should not see.
    const reason = error.message.replace(job.path, job.name).replace(/\.?$/, '.');
    const partly = job.state === 'importing' ? ' The rows before that are in the catalog.' : '';
    await database.transaction(async (connection) => {
      await noteCpu(connection);
      const result = { failure: `${reason}${partly}`, rejections: toJson(rejections) };
      await connection.run(failWithRejections, { ...stepOf(job), ...result });
    });
    return error instanceof BudgetExceeded ? error.budget : undefined;
  }
  return undefined;
}

async function readAndImport(
  { database, now, turn }: Services,
  job: Job,
  { rejections, cpu }: { rejections: Rejection[]; cpu: CpuUse },
): Promise<ProductImportSummary> {
  const merchant = await database.first(findMerchantById, { merchantId: job.merchantId });
  if (merchant === undefined) throw new Forgotten();
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
      return turn.checkpoint();
    },
  });
  const pace: Pace = {
    isEnough: (rows) => {
      if (rows < TRANSACTION_ROWS && unwrittenBytes < TRANSACTION_BYTES) return false;
      unwrittenBytes = 0;
      return true;
    },
    rest: REST,
  };
  const options = {
    merchant,
    dryRun: job.state === 'checking',
    pace,
    onRejected: (some: Rejection[]): void => {
      rejections.push(...some.slice(0, SHOWN_REJECTIONS - rejections.length));
      rejectsFile.write(some);
    },
    onRepeated: () => {},
  };
  try {
    const products = noting(file, { path: job.path, turn }, async () => {
      const status = {
        progress: file.totalBytes === 0 ? 0 : bytesRead / file.totalBytes,
        format: file.format,
        ignoredColumns: JSON.stringify(file.ignoredColumns()),
      };
      const updated = await database.transaction((connection) =>
        connection.run(updateProgress, { ...stepOf(job), ...status }),
      );
      if (updated === 0) throw new Forgotten();
      await cpu.note();
    });
    const { lowInventory, maxCategories } = job;
    const writer = { authority: 'merchant', maxCategories } as const;
    return await importProducts({ database, now, lowInventory, ...writer }, products, options);
  } finally {
    await rejectsFile.close();
  }
}

/** A file's products, with a note now and then of how far it has been read. Other jobs work in between. */
async function* noting(
  file: ProductFile,
  { path, turn }: { path: string; turn: Turn },
  note: () => Promise<void>,
): ProductFile['products'] {
  let noted = Number.NEGATIVE_INFINITY;
  let products = 0;
  for await (const batch of file.products) {
    products += batch.length;
    if (products > MAX_PRODUCTS) {
      const most = MAX_PRODUCTS.toLocaleString('en');
      throw new UnusableFile(`${path}: it has more than ${most} products, the most of one file: split it`);
    }
    // Inside the loop: if it throws, the loop closes the file.
    if (performance.now() - noted >= PROGRESS_MS) {
      await note();
      noted = performance.now();
    }
    yield batch;
    await turn.checkpoint();
  }
  if (products === 0) await note();
}

function stepOf({ merchantId, id, state }: Job): Pick<Job, 'merchantId' | 'id' | 'state'> {
  return { merchantId, id, state };
}

function toJson(rejections: Rejection[]): string {
  return JSON.stringify(rejections.map((rejection) => ({ ...rejection, column: rejection.column ?? '' })));
}
