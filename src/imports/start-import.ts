import { describeImport, type ImportedProducts } from '../audit/describe-import.ts';
import { type NewAuditEntry, recordAudit } from '../audit/record-audit.ts';
import type { Budgets } from '../budgets/budgets.ts';
import { requireBudgetLeft } from '../budgets/daily-budget.ts';
import type { Actor } from '../database/actor.ts';
import { lockMerchant } from '../database/merchant-queries.ts';
import type { WriteContext } from '../database/write-context.ts';
import { withProducts } from '../products/bulk/bulk-change.ts';
import { findImport, type ImportRow, markImporting } from './queries.ts';
import { requireNoImportInProgress } from './store-import.ts';

export interface Importer {
  who: Actor;
  /** The user who gets an email about the end of the import, if any. */
  notifiedUser: string | null;
}

/**
 * Marks a checked import as being imported. The audit log records this, so that it also covers failures.
 * Resolves to false if the import is not checked.
 * @throws {DomainError} `import_in_progress`, `budget_exceeded`
 */
export async function startImport(
  context: WriteContext & { budgets: Budgets },
  { id, notifiedUser }: { id: string } & Pick<Importer, 'notifiedUser'>,
): Promise<boolean> {
  const { connection, merchantId, now, budgets } = context;
  await connection.run(lockMerchant, { merchantId });
  await requireNoImportInProgress(connection, merchantId, now);
  const budget = 'import_cpu_seconds_per_day';
  await requireBudgetLeft(connection, budgets, { merchantId, budget }, now);
  const row = await connection.first(findImport, { merchantId, id });
  if (row === undefined) return false;
  if ((await connection.run(markImporting, { merchantId, id, notifiedUser, now })) === 0) return false;
  recordAudit(context, describeStart(row));
  return true;
}

function describeStart({ name, summary, is_bulk }: ImportRow): NewAuditEntry {
  const counts = JSON.parse(summary ?? '{}') as ImportedProducts;
  return is_bulk === 1
    ? { action: 'products.bulk_changed', subject: withProducts(name, counts.updated) }
    : { action: 'products.imported', subject: describeImport(name, counts) };
}
