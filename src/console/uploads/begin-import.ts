import { recordAudit } from '../../audit/record-audit.ts';
import type { Database } from '../../database/database.ts';
import type { ImportSummary } from '../../imports/run-import.ts';
import { claimMerchant } from '../../merchants/queries.ts';
import { beginImport as beginImportOf, findUpload } from './queries.ts';
import { refuseSecond } from './take-upload.ts';
import type { UploadKey } from './upload-files.ts';

/**
 * Makes a checked upload one that is being imported, and records who did so: whatever ends the import, what
 * it has changed by then has an entry. False where it is not ready.
 * @throws {UploadUnderWay}
 */
export async function beginImport(
  { database, now }: { database: Database; now: () => number },
  { merchantId, id }: UploadKey,
  who: string,
): Promise<boolean> {
  return await database.transaction(async (connection) => {
    await connection.run(claimMerchant, [merchantId]);
    await refuseSecond(connection, merchantId, now());
    const row = await connection.first(findUpload, [merchantId, id]);
    if (row === undefined || (await connection.run(beginImportOf, [now(), merchantId, id])) === 0)
      return false;
    const { created, updated } = JSON.parse(row.summary ?? '{}') as ImportSummary;
    const subject = `${row.name}: ${created} new, ${updated} changed`;
    await recordAudit(connection, { merchantId, who, action: 'products.imported', subject }, now());
    return true;
  });
}
