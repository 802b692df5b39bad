import { randomUUIDv7 } from 'node:crypto';
import type { Readable } from 'node:stream';
import { BudgetExceeded, type Budgets } from '../../budgets/budgets.ts';
import { requireBudgetLeft, takeFromBudget } from '../../budgets/daily-budget.ts';
import type { Connection, Database } from '../../database/database.ts';
import { claimMerchant } from '../../products/record/queries.ts';
import { GONE_MS } from './describe-upload.ts';
import { deleteUploadsBefore, findUploadInProgress, insertUpload } from './queries.ts';
import { UPLOAD_LIFETIME_MS } from './sweep-uploads.ts';
import { FileTooLarge, type UploadFiles, type UploadKey, UploadSpaceFull } from './upload-files.ts';

/** The merchant has another upload in progress; the message is for the merchant. */
export class UploadInProgress extends Error {
  override name = 'UploadInProgress';

  constructor() {
    super('Another file is being uploaded, checked or imported. Try again when it has finished.');
  }
}

interface TakeUploadServices {
  database: Database;
  files: UploadFiles;
  now: () => number;
  /** The merchants whose files this process is receiving. */
  receiving: Set<number>;
  maximumBytes: number;
  budgets: Budgets;
}

interface Incoming {
  merchantId: number;
  name: string;
  stream: Readable;
  /** The size in `Content-Length`; 0 if unknown. */
  bytes: number;
}

/**
 * Receives a merchant's file. Resolves to the key of the new upload. The caller then starts the check.
 * @throws {UploadInProgress}, {FileTooLarge}, {BudgetExceeded}
 */
export async function takeUpload(
  { database, files, now, receiving, maximumBytes, budgets }: TakeUploadServices,
  { merchantId, name, stream, bytes: announced }: Incoming,
): Promise<UploadKey> {
  const key = { merchantId, id: randomUUIDv7() };
  if (receiving.has(merchantId)) throw new UploadInProgress();
  receiving.add(merchantId);
  try {
    await requireNoUploadInProgress(database, merchantId, now());
    for (const budget of ['uploads_per_day', 'import_cpu_seconds_per_day'] as const)
      await requireBudgetLeft(database, budgets, { merchantId, budget }, now());
    if (announced > maximumBytes) throw new FileTooLarge();
    const limits = {
      fileBytes: maximumBytes,
      merchantBytes: budgets.upload_bytes ?? Number.POSITIVE_INFINITY,
    };
    if ((await files.bytesOf(merchantId)) + announced > limits.merchantBytes) throw new UploadSpaceFull();
    const bytes = await files.receive(key, stream, limits);
    await database.transaction(
      async (connection) => {
        await connection.run(claimMerchant, { merchantId });
        await requireNoUploadInProgress(connection, merchantId, now());
        await takeFromBudget(connection, budgets, { merchantId, budget: 'uploads_per_day' }, now());
        await connection.run(deleteUploadsBefore, { merchantId, before: now() - UPLOAD_LIFETIME_MS });
        await connection.run(insertUpload, { ...key, name, bytes, now: now() });
      },
      { merchantId },
    );
  } catch (error) {
    // Before the file is removed. Otherwise a retry just after the removal could still be rejected.
    receiving.delete(merchantId);
    await files.remove(key);
    throw error instanceof UploadSpaceFull ? spaceFull(budgets, now()) : error;
  }
  receiving.delete(merchantId);
  return key;
}

function spaceFull({ upload_bytes }: Budgets, now: number): BudgetExceeded {
  const advice = 'Import or discard the files that you uploaded: they are stored for a day.';
  return new BudgetExceeded('upload_bytes', upload_bytes ?? 0, { now, advice });
}

/** @throws {UploadInProgress} */
export async function requireNoUploadInProgress(
  reader: Pick<Connection, 'first'>,
  merchantId: number,
  now: number,
): Promise<void> {
  const other = await reader.first(findUploadInProgress, { merchantId, aliveAfter: now - GONE_MS });
  if (other !== undefined) throw new UploadInProgress();
}
