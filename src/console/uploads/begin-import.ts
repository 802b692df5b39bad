import { describeImport, type ImportedProducts } from '../../audit/describe-import.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import type { Budgets } from '../../budgets/budgets.ts';
import { requireBudgetLeft } from '../../budgets/daily-budget.ts';
import type { Database } from '../../database/database.ts';
import { claimMerchant } from '../../merchants/queries.ts';
import { findUpload, markImporting } from './queries.ts';
import { refuseSecond } from './take-upload.ts';
import type { UploadKey } from './upload-files.ts';

/**
 * Makes a checked upload one that is being imported, and records who did so: whatever ends the import, what
 * it has changed by then has an entry. False where it is not ready.
 * @throws {UploadUnderWay}, {BudgetExceeded}
 */
export async function beginImport(
  { database, budgets, now }: { database: Database; budgets: Budgets; now: () => number },
  { merchantId, id }: UploadKey,
  who: string,
): Promise<boolean> {
  return await database.transaction(async (connection) => {
    await connection.run(claimMerchant, { merchantId });
    await refuseSecond(connection, merchantId, now());
    const budget = 'import_cpu_seconds_per_day';
    await requireBudgetLeft(connection, budgets, { merchantId, budget }, now());
    const row = await connection.first(findUpload, { merchantId, id });
    if (row === undefined) return false;
    if ((await connection.run(markImporting, { merchantId, id, now: now() })) === 0) return false;
    const subject = describeImport(row.name, JSON.parse(row.summary ?? '{}') as ImportedProducts);
    await recordAudit(connection, { merchantId, who, action: 'products.imported', subject }, now());
    return true;
  });
}
