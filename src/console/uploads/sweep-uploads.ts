import type { Database } from '../../database/database.ts';
import { deleteUpload, findUpload } from './queries.ts';
import type { UploadFiles } from './upload-files.ts';

/** How long uploads are stored. */
export const UPLOAD_LIFETIME_MS = 24 * 60 * 60 * 1000;
/** A file without a row may still be arriving if it was modified more recently than this. */
const ARRIVING_MS = 5 * 60 * 1000;

/** Removes uploads that are older than a day, and files without an upload, from this machine. */
export async function sweepUploads(
  { database, files }: { database: Database; files: UploadFiles },
  now: number,
): Promise<void> {
  for (const { merchantId, id, modifiedAt } of await files.list()) {
    const key = { merchantId, id };
    const isOld = modifiedAt < now - UPLOAD_LIFETIME_MS;
    const isOrphan = modifiedAt < now - ARRIVING_MS && (await database.first(findUpload, key)) === undefined;
    if (!isOld && !isOrphan) continue;
    await files.remove(key);
    await database.transaction((connection) => connection.run(deleteUpload, key), { merchantId });
  }
}
