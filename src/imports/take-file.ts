import { randomUUIDv7 } from 'node:crypto';
import type { Budgets } from '../budgets/budgets.ts';
import { requireBudgetLeft } from '../budgets/daily-budget.ts';
import type { Database } from '../database/database.ts';
import { errors } from '../errors/errors.ts';
import { type FileContent, fileTooLarge, type ImportFiles, type Source, spaceFull } from './import-files.ts';
import { type NewImport, requireNoImportInProgress } from './store-import.ts';

interface TakeFileServices {
  database: Database;
  files: ImportFiles;
  now: () => number;
  /** The merchants whose files this process is receiving. */
  receiving: Set<number>;
  maximumBytes: number;
  budgets: Budgets;
}

export interface Incoming
  extends Source,
    Pick<NewImport, 'merchantId' | 'createdBy'>,
    Partial<Pick<NewImport, 'isBulk'>> {
  /** The size in `Content-Length`; 0 if unknown. */
  bytes: number;
  /** Called after the file has been read, because what decides may follow it. */
  describe(): Promise<Pick<NewImport, 'name' | 'firstStep'> & Partial<Pick<NewImport, 'reading'>>>;
}

export interface Received extends Pick<FileContent, 'sha256'> {
  path: string;
  /** What `storeImport` stores. */
  newImport: NewImport;
}

/** Stores the import of a file. Resolves to whether the transaction of `storeImport` was committed. */
export type StoreImport = (received: Received) => Promise<boolean>;

/**
 * Receives a merchant's file and calls `store`. Removes the file if the import is not stored. Resolves to the
 * import, whose first step the caller starts; undefined if it was not stored.
 * @throws {DomainError} `import_in_progress`, `file_too_large`, `budget_exceeded`, and what `describe` and
 *   `store` throw
 */
export async function takeFile(
  services: TakeFileServices,
  incoming: Incoming,
  store: StoreImport,
): Promise<NewImport | undefined> {
  const { files, receiving, maximumBytes, budgets } = services;
  const { merchantId } = incoming;
  const key = { merchantId, id: randomUUIDv7() };
  if (receiving.has(merchantId)) throw errors.import_in_progress();
  receiving.add(merchantId);
  let stored: NewImport | undefined;
  try {
    await requireRoom(services, incoming);
    const merchantBytes = budgets.import_bytes ?? Number.POSITIVE_INFINITY;
    const { bytes, sha256 } = await files.receive(key, incoming, { fileBytes: maximumBytes, merchantBytes });
    const { createdBy, isBulk = false } = incoming;
    const described = { reading: {}, ...(await incoming.describe()) };
    const newImport = { ...key, ...described, bytes, createdBy, isBulk, budgets };
    if (await store({ sha256, path: files.pathOf(key), newImport })) stored = newImport;
  } catch (error) {
    // Released before the file is removed, so that an immediate retry is not rejected.
    receiving.delete(merchantId);
    await files.remove(key);
    throw error;
  }
  receiving.delete(merchantId);
  if (stored === undefined) await files.remove(key);
  return stored;
}

/** Rejects a file before it is read if it cannot be accepted. */
async function requireRoom(
  { database, files, now, maximumBytes, budgets }: TakeFileServices,
  { merchantId, bytes: announced }: Incoming,
): Promise<void> {
  await requireNoImportInProgress(database, merchantId, now());
  for (const budget of ['imports_per_day', 'import_cpu_seconds_per_day'] as const)
    await requireBudgetLeft(database, budgets, { merchantId, budget }, now());
  if (announced > maximumBytes) throw fileTooLarge(maximumBytes);
  const limit = budgets.import_bytes ?? Number.POSITIVE_INFINITY;
  if ((await files.bytesOf(merchantId)) + announced > limit) throw spaceFull(limit);
}
