import { randomUUIDv7 } from 'node:crypto';
import { recordAudit } from '../audit/record-audit.ts';
import type { Budgets } from '../budgets/budgets.ts';
import { requireBudgetLeft, takeFromBudget } from '../budgets/daily-budget.ts';
import type { Connection, Database } from '../database/database.ts';
import { lockMerchant } from '../database/merchant-queries.ts';
import { errors } from '../errors/errors.ts';
import {
  type FileContent,
  fileTooLarge,
  type ImportFiles,
  type ImportKey,
  type Source,
  spaceFull,
} from './import-files.ts';
import { REPORT_TIMEOUT_MS, type Step } from './import-state.ts';
import { findImport, findImportInProgress, type ImportRow, insertImport } from './queries.ts';
import { removeOldImports } from './sweep-imports.ts';

interface TakeFileServices {
  database: Database;
  files: ImportFiles;
  now: () => number;
  /** The merchants whose files this process is receiving. */
  receiving: Set<number>;
  maximumBytes: number;
  budgets: Budgets;
}

export interface Incoming extends Source {
  merchantId: number;
  name: string;
  /** The key or the user that sends it. */
  createdBy: string;
  /** The size in `Content-Length`; 0 if unknown. */
  bytes: number;
  /** A file whose first step is `importing` is imported without a preview. */
  firstStep: Step;
  /** Set if the service itself has written the file, for a bulk change. */
  isBulk?: boolean;
}

interface Received extends FileContent {
  key: ImportKey;
  path: string;
}

/**
 * Stores a file's import by calling `insert` in a transaction, which may be retried. Resolves to whether that
 * transaction was committed.
 */
export type StoreImport = (
  received: Received,
  insert: (connection: Connection) => Promise<ImportRow>,
) => Promise<boolean>;

/**
 * Receives a merchant's file and calls `store`. Removes the file if the import is not stored. Resolves to the
 * import, whose first step the caller starts; undefined if it was not stored.
 * @throws {DomainError} `import_in_progress`, `file_too_large`, `budget_exceeded`, and what `store` throws
 */
export async function takeFile(
  services: TakeFileServices,
  incoming: Incoming,
  store: StoreImport,
): Promise<ImportKey | undefined> {
  const { files, receiving, maximumBytes, budgets } = services;
  const { merchantId } = incoming;
  const key = { merchantId, id: randomUUIDv7() };
  if (receiving.has(merchantId)) throw errors.import_in_progress();
  receiving.add(merchantId);
  let isStored: boolean;
  try {
    await requireRoom(services, incoming);
    const merchantBytes = budgets.import_bytes ?? Number.POSITIVE_INFINITY;
    const content = await files.receive(key, incoming, { fileBytes: maximumBytes, merchantBytes });
    isStored = await store({ ...content, key, path: files.pathOf(key) }, (connection) =>
      insert(services, connection, { ...incoming, key, bytes: content.bytes }),
    );
  } catch (error) {
    // Released before the file is removed, so that an immediate retry is not rejected.
    receiving.delete(merchantId);
    await files.remove(key);
    throw error;
  }
  receiving.delete(merchantId);
  if (isStored) return key;
  await files.remove(key);
  return undefined;
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

async function insert(
  { budgets, now }: TakeFileServices,
  connection: Connection,
  { key, name, bytes, createdBy, firstStep: state, isBulk = false }: Incoming & { key: ImportKey },
): Promise<ImportRow> {
  const { merchantId } = key;
  await connection.run(lockMerchant, { merchantId });
  await requireNoImportInProgress(connection, merchantId, now());
  await takeFromBudget(connection, budgets, { merchantId, budget: 'imports_per_day' }, now());
  await removeOldImports(connection, merchantId, now());
  const dryRun = state === 'checking' ? 1 : 0;
  const row = { ...key, name, bytes, state, dryRun, isBulk: Number(isBulk), createdBy, now: now() };
  await connection.run(insertImport, row);
  if (state === 'importing') {
    const entry = { merchantId, who: createdBy, action: 'products.imported', subject: name } as const;
    await recordAudit(connection, entry, now());
  }
  const stored = await connection.first(findImport, key);
  if (stored === undefined) throw new Error('the new import is gone');
  return stored;
}

/** @throws {DomainError} `import_in_progress` */
export async function requireNoImportInProgress(
  reader: Pick<Connection, 'first'>,
  merchantId: number,
  now: number,
): Promise<void> {
  const other = await reader.first(findImportInProgress, { merchantId, aliveAfter: now - REPORT_TIMEOUT_MS });
  if (other !== undefined) throw errors.import_in_progress();
}
