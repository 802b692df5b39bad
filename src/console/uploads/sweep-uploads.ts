import type { Database } from '../../database/database.ts';
import { deleteUpload, findUpload } from './queries.ts';
import type { UploadFiles } from './upload-files.ts';

/** How long an upload is kept. */
export const KEPT_MS = 24 * 60 * 60 * 1000;
/** A file without a row is on its way as long as something came of it lately. */
const ARRIVING_MS = 5 * 60 * 1000;

/** Removes uploads of more than a day ago from this machine, and files that belong to none. */
export async function sweepUploads(
  { database, files }: { database: Database; files: UploadFiles },
  now: number,
): Promise<void> {
  for (const { merchantId, id, modifiedAt } of await files.list()) {
    const key = { merchantId, id };
    const isOld = modifiedAt < now - KEPT_MS;
    const isOrphan = modifiedAt < now - ARRIVING_MS && (await database.first(findUpload, key)) === undefined;
    if (!isOld && !isOrphan) continue;
    await files.remove(key);
    await database.transaction((connection) => connection.run(deleteUpload, key));
  }
}
