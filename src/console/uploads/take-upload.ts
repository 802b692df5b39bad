import { randomUUIDv7 } from 'node:crypto';
import type { Readable } from 'node:stream';
import { BudgetExceeded, type Budgets } from '../../budgets/budgets.ts';
import { requireBudgetLeft, takeFromBudget } from '../../budgets/daily-budget.ts';
import type { Connection, Database } from '../../database/database.ts';
import { claimMerchant } from '../../merchants/queries.ts';
import { GONE_MS } from './describe-upload.ts';
import { deleteUploadsBefore, findUploadInProgress, insertUpload } from './queries.ts';
import { KEPT_MS } from './sweep-uploads.ts';
import { FileTooLarge, NoRoom, type UploadFiles, type UploadKey } from './upload-files.ts';

/** The merchant has another upload under way; the message is for the merchant. */
export class UploadUnderWay extends Error {
  override name = 'UploadUnderWay';

  constructor() {
    super('Another file is being uploaded, checked or imported. Try again when it has finished.');
  }
}

interface Taking {
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
  /** Its size as far as it is known before it comes, else 0. */
  bytes: number;
}

/**
 * Takes a merchant's file in; resolves to its upload, which is to be checked.
 * @throws {UploadUnderWay}, {FileTooLarge}, {BudgetExceeded}
 */
export async function takeUpload(
  { database, files, now, receiving, maximumBytes, budgets }: Taking,
  { merchantId, name, stream, bytes: announced }: Incoming,
): Promise<UploadKey> {
  const key = { merchantId, id: randomUUIDv7() };
  if (receiving.has(merchantId)) throw new UploadUnderWay();
  receiving.add(merchantId);
  try {
    await refuseSecond(database, merchantId, now());
    for (const budget of ['uploads_per_day', 'import_cpu_seconds_per_day'] as const)
      await requireBudgetLeft(database, budgets, { merchantId, budget }, now());
    if (announced > maximumBytes) throw new FileTooLarge();
    const most = { file: maximumBytes, all: budgets.upload_bytes ?? Number.POSITIVE_INFINITY };
    if ((await files.bytesOf(merchantId)) + announced > most.all) throw new NoRoom();
    const bytes = await files.receive(key, stream, most);
    await database.transaction(async (connection) => {
      await connection.run(claimMerchant, { merchantId });
      await refuseSecond(connection, merchantId, now());
      await takeFromBudget(connection, budgets, { merchantId, budget: 'uploads_per_day' }, now());
      await connection.run(deleteUploadsBefore, { merchantId, before: now() - KEPT_MS });
      await connection.run(insertUpload, { ...key, name, bytes, now: now() });
    });
  } catch (error) {
    // First, so that the merchant can try again as soon as nothing is left of this file.
    receiving.delete(merchantId);
    await files.remove(key);
    throw error instanceof NoRoom ? noRoom(budgets, now()) : error;
  }
  receiving.delete(merchantId);
  return key;
}

function noRoom({ upload_bytes }: Budgets, now: number): BudgetExceeded {
  const advice = 'Import or discard the files that you have uploaded: they are kept for a day.';
  return new BudgetExceeded('upload_bytes', upload_bytes ?? 0, { now, advice });
}

/** @throws {UploadUnderWay} */
export async function refuseSecond(
  reader: Pick<Connection, 'first'>,
  merchantId: number,
  now: number,
): Promise<void> {
  const other = await reader.first(findUploadInProgress, { merchantId, aliveAfter: now - GONE_MS });
  if (other !== undefined) throw new UploadUnderWay();
}
