import { recordAudit } from '../audit/record-audit.ts';
import { lockMerchant } from '../database/merchant-queries.ts';
import type { WriteContext } from '../database/write-context.ts';
import { errors } from '../errors/errors.ts';
import { idempotent } from '../requests/run-once.ts';
import { type Import, importRecord } from './import-record.ts';
import { REPORT_TIMEOUT_MS } from './import-state.ts';
import { findImport, markCanceled } from './queries.ts';

/**
 * Cancels an import that is checked or whose step is in progress, on any process. What has been imported
 * remains, and nothing is imported after the transaction. Does not change an import that has ended. Records
 * who has canceled it. Call `Imports.releaseFile` after the transaction.
 * @throws {DomainError} `import_not_found`
 */
export async function cancelImport(context: WriteContext, { id }: { id: string }): Promise<Import> {
  const { connection, merchantId, now } = context;
  await connection.run(lockMerchant, { merchantId });
  const canceled = { merchantId, id, now, aliveAfter: now - REPORT_TIMEOUT_MS };
  const isCanceled = (await connection.run(markCanceled, canceled)) > 0;
  const row = await connection.first(findImport, { merchantId, id });
  if (row === undefined) throw errors.import_not_found(id);
  if (isCanceled) recordAudit(context, { action: 'import.canceled', subject: row.name });
  return importRecord(row, now);
}

export const cancelImportOnce = idempotent(async (context, input: { id: string }) => ({
  response: JSON.stringify(await cancelImport(context, input)),
  isChange: true,
}));
