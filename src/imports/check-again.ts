import type { Budgets } from '../budgets/budgets.ts';
import { requireBudgetLeft } from '../budgets/daily-budget.ts';
import { lockMerchant } from '../database/merchant-queries.ts';
import type { WriteContext } from '../database/write-context.ts';
import { rememberColumns } from './column-mappings/remember-columns.ts';
import { type ImportReading, parseFound, renderReading } from './import-reading.ts';
import { findImport, markCheckedAgain } from './queries.ts';
import { requireNoImportInProgress } from './store-import.ts';

/**
 * Marks a checked import as being checked again, with its file read in another way, and remembers what its
 * columns mean. Resolves to false if the import is not checked, or if the service has written its file.
 * @throws {DomainError} `import_in_progress`, `budget_exceeded`
 */
export async function checkAgain(
  context: WriteContext & { budgets: Budgets },
  { id, reading }: { id: string; reading: ImportReading },
): Promise<boolean> {
  const { connection, merchantId, now, budgets } = context;
  await connection.run(lockMerchant, { merchantId });
  await requireNoImportInProgress(connection, merchantId, now);
  await requireBudgetLeft(connection, budgets, { merchantId, budget: 'import_cpu_seconds_per_day' }, now);
  const row = await connection.first(findImport, { merchantId, id });
  if (row === undefined) return false;
  const stored = renderReading(reading);
  if ((await connection.run(markCheckedAgain, { merchantId, id, reading: stored, now })) === 0) return false;
  if (reading.columns !== undefined && row.found !== null)
    await rememberColumns(connection, { merchantId, now }, parseFound(row.found), reading.columns);
  return true;
}
