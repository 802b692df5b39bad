import { SERVICE } from '../audit/record-audit.ts';
import type { Database } from '../database/database.ts';
import { runVerb, type VerbServices, type WriteContext } from '../database/write-context.ts';
import type { ImportFiles, ImportKey } from './import-files.ts';
import { deleteImport, deleteRejections, findImport, listImportsBefore } from './queries.ts';

/** How long imports are stored. */
const UPLOAD_LIFETIME_MS = 24 * 60 * 60 * 1000;
/** A file without a row may still be arriving if it was modified more recently than this. */
const ARRIVING_MS = 5 * 60 * 1000;

/** Old imports that are deleted with each new one: more than one, so that they do not accumulate. */
const DELETED_WITH_EACH = 5;

/** Removes this machine's files that are older than a day or no longer needed, and the old ones' imports. */
export async function sweepImports(services: VerbServices & { files: ImportFiles }): Promise<void> {
  const { database, files } = services;
  const now = services.now();
  for (const { merchantId, id, modifiedAt } of await files.list()) {
    const key = { merchantId, id };
    const isOld = modifiedAt < now - UPLOAD_LIFETIME_MS;
    const isUnneeded = modifiedAt < now - ARRIVING_MS && (await isFinal(database, key));
    if (!isOld && !isUnneeded) continue;
    await files.remove(key);
    if (isOld) await runVerb(services, { merchantId, who: SERVICE }, removeImport, { id });
  }
}

export async function removeImport(
  { connection, merchantId }: WriteContext,
  { id }: { id: string },
): Promise<void> {
  await connection.run(deleteRejections, { merchantId, id });
  await connection.run(deleteImport, { merchantId, id });
}

export async function removeOldImports(context: WriteContext): Promise<void> {
  const { connection, merchantId, now } = context;
  const before = now - UPLOAD_LIFETIME_MS;
  const old = await connection.all(listImportsBefore, { merchantId, before, limit: DELETED_WITH_EACH });
  for (const { id } of old) await removeImport(context, { id });
}

async function isFinal(database: Database, key: ImportKey): Promise<boolean> {
  const row = await database.first(findImport, key);
  return row === undefined || row.state === 'done' || row.state === 'failed' || row.state === 'canceled';
}
