import type { Database } from '../../database/database.ts';
import { type Rejection, UnusableFile } from '../../imports/parsed.ts';
import { RejectsFile } from '../../imports/rejects-file.ts';
import type { ImportSummary, Pace } from '../../imports/run-import.ts';
import { findMerchantById } from '../../merchants/queries.ts';
import { importProducts } from '../../products/import-products.ts';
import { type ProductFile, readProducts } from '../../products/read-products.ts';
import { endStep, failWithRejections, updateProgress } from './queries.ts';

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
  maximumRejectsBytes: number;
  maximumUnpackedBytes: number;
}

/** Requests are answered meanwhile (docs/decisions/0012-console-imports.md). */
const PACE: Pace = { rows: 500, rest: 1 };
const SHOWN_REJECTIONS = 100;
const PROGRESS_MS = 500;

/** The upload was forgotten meanwhile. */
class Forgotten extends Error {}

/** Does a step, and puts down in the database how far it is and what came of it. */
export async function runJob(
  { database, now }: { database: Database; now: () => number },
  job: Job,
): Promise<void> {
  const rejections: Rejection[] = [];
  try {
    const summary = await readAndImport({ database, now }, job, rejections);
    const state = job.state === 'checking' ? 'ready' : 'done';
    await write(database, endStep, [state, JSON.stringify(summary), shown(rejections)], job);
  } catch (error) {
    if (error instanceof Forgotten) return;
    if (!(error instanceof UnusableFile)) throw error;
    // The importer's messages begin with where the file is, which is nobody's business but ours.
    const reason = error.message.replace(job.path, job.name);
    const partly = job.state === 'importing' ? ' What stands before is in the catalog.' : '';
    await write(database, failWithRejections, [`${reason}.${partly}`, shown(rejections)], job);
  }
}

async function readAndImport(
  { database, now }: { database: Database; now: () => number },
  job: Job,
  rejections: Rejection[],
): Promise<ImportSummary> {
  const merchant = await database.first(findMerchantById, [job.merchantId]);
  if (merchant === undefined) throw new Forgotten();
  let bytesRead = 0;
  const onProgress = (bytes: number): void => {
    bytesRead = bytes;
  };
  const file = await readProducts(job.path, { onProgress, maximumBytes: job.maximumUnpackedBytes });
  const rejectsFile = new RejectsFile(job.rejectsPath, job.maximumRejectsBytes);
  const options = {
    merchant,
    dryRun: job.state === 'checking',
    pace: PACE,
    onRejected: (some: Rejection[]): void => {
      rejections.push(...some.slice(0, SHOWN_REJECTIONS - rejections.length));
      rejectsFile.write(some);
    },
    onRepeated: () => {},
  };
  try {
    const products = noting(file, async () => {
      const progress = file.totalBytes === 0 ? 0 : bytesRead / file.totalBytes;
      const values = [progress, file.format, JSON.stringify(file.ignoredColumns())];
      if (!(await write(database, updateProgress, values, job))) throw new Forgotten();
    });
    return await importProducts({ database, now, lowInventory: job.lowInventory }, products, options);
  } finally {
    await rejectsFile.close();
  }
}

/** A file's products, with a note now and then of how far it has been read. */
async function* noting(file: ProductFile, note: () => Promise<void>): ProductFile['products'] {
  await note();
  let noted = performance.now();
  for await (const batch of file.products) {
    yield batch;
    if (performance.now() - noted < PROGRESS_MS) continue;
    await note();
    noted = performance.now();
  }
}

/** False where there is no such upload under way any more. */
async function write(
  database: Database,
  statement: typeof endStep,
  values: (string | number)[],
  { merchantId, id, state }: Job,
): Promise<boolean> {
  const parameters = [...values, merchantId, id, state];
  return await database.transaction(async (connection) => (await connection.run(statement, parameters)) > 0);
}

function shown(rejections: Rejection[]): string {
  return JSON.stringify(rejections.map((rejection) => ({ ...rejection, column: rejection.column ?? '' })));
}
