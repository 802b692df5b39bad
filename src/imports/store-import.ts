import { describeActor, recordAudit } from '../audit/record-audit.ts';
import type { Budgets } from '../budgets/budgets.ts';
import { takeFromBudget } from '../budgets/daily-budget.ts';
import type { Actor } from '../database/actor.ts';
import type { Reader } from '../database/database.ts';
import { lockMerchant } from '../database/merchant-queries.ts';
import type { WriteContext } from '../database/write-context.ts';
import { errors } from '../errors/errors.ts';
import { idempotent } from '../requests/run-once.ts';
import type { ImportKey } from './import-files.ts';
import { type ImportReading, renderReading } from './import-reading.ts';
import { importRecord } from './import-record.ts';
import { REPORT_TIMEOUT_MS, type Step } from './import-state.ts';
import { findImport, findImportInProgress, type ImportRow, insertImport } from './queries.ts';
import { removeOldImports } from './sweep-imports.ts';

/** The import of a file that was received. */
export interface NewImport extends ImportKey {
  name: string;
  /** The size of the file. */
  bytes: number;
  createdBy: Actor;
  /** A file whose first step is `importing` is imported without a preview. */
  firstStep: Step;
  /** Whether the service itself has written the file, for a bulk change or an undo. */
  isBulk: boolean;
  reading: ImportReading;
  budgets: Budgets;
}

/**
 * Stores an import, whose first step the caller starts. The audit log records an import without a preview.
 * @throws {DomainError} `import_in_progress`
 * @throws {BudgetExceeded} if the merchant has received too many files today
 */
export async function storeImport(
  context: WriteContext,
  { id, name, bytes, createdBy, firstStep: state, isBulk, reading, budgets }: NewImport,
): Promise<ImportRow> {
  const { connection, merchantId, now } = context;
  const key = { merchantId, id };
  await connection.run(lockMerchant, { merchantId });
  await requireNoImportInProgress(connection, merchantId, now);
  await takeFromBudget(context, budgets, { budget: 'imports_per_day' });
  await removeOldImports(context);
  const dryRun = state === 'checking' ? 1 : 0;
  await connection.run(insertImport, {
    ...key,
    name,
    bytes,
    state,
    dryRun,
    isBulk: Number(isBulk),
    createdBy: describeActor(createdBy),
    reading: renderReading(reading),
    now,
  });
  const action = isBulk ? 'products.bulk_changed' : 'products.imported';
  if (state === 'importing') recordAudit(context, { action, subject: name });
  const stored = await connection.first(findImport, key);
  if (stored === undefined) throw new Error('the new import is gone');
  return stored;
}

export const storeImportOnce = idempotent(async (context, input: NewImport) => ({
  response: JSON.stringify(importRecord(await storeImport(context, input), context.now)),
  isChange: true,
}));

/** @throws {DomainError} `import_in_progress` */
export async function requireNoImportInProgress(
  reader: Pick<Reader, 'first'>,
  merchantId: number,
  now: number,
): Promise<void> {
  const other = await reader.first(findImportInProgress, { merchantId, aliveAfter: now - REPORT_TIMEOUT_MS });
  if (other !== undefined) throw errors.import_in_progress();
}
