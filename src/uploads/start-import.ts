import { describeImport, type ImportedProducts } from '../audit/describe-import.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Budgets } from '../budgets/budgets.ts';
import { requireBudgetLeft } from '../budgets/daily-budget.ts';
import type { Database } from '../database/database.ts';
import { lockMerchant } from '../database/merchant-queries.ts';
import { findUpload, markImporting } from './queries.ts';
import { requireNoUploadInProgress } from './take-upload.ts';
import type { UploadKey } from './upload-files.ts';

/** The user who starts an import. */
export interface Importer {
  /** As in the audit log. */
  who: string;
  /** The user who gets a mail about the end of the import; null for none. */
  notifiedUser: string | null;
}

/**
 * Marks a checked upload as being imported, and records this in the audit log, so that the log also covers an import
 * that fails. Resolves to false if the upload is not ready.
 * @throws {UploadInProgress}, {BudgetExceeded}
 */
export async function startImport(
  { database, budgets, now }: { database: Database; budgets: Budgets; now: () => number },
  key: UploadKey,
  { who, notifiedUser }: Importer,
): Promise<boolean> {
  const { merchantId } = key;
  return await database.transaction(
    async (connection) => {
      await connection.run(lockMerchant, { merchantId });
      await requireNoUploadInProgress(connection, merchantId, now());
      const budget = 'import_cpu_seconds_per_day';
      await requireBudgetLeft(connection, budgets, { merchantId, budget }, now());
      const row = await connection.first(findUpload, key);
      if (row === undefined) return false;
      if ((await connection.run(markImporting, { ...key, notifiedUser, now: now() })) === 0) return false;
      const subject = describeImport(row.name, JSON.parse(row.summary ?? '{}') as ImportedProducts);
      await recordAudit(connection, { merchantId, who, action: 'products.imported', subject }, now());
      return true;
    },
    { merchantId },
  );
}
