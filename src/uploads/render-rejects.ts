import { REJECTS_HEADER, rejectsLine } from '../imports/rejects-file.ts';
import { csvLine } from '../imports/write-csv.ts';
import type { UploadKey } from './upload-files.ts';
import type { Uploads } from './uploads.ts';

/** The number of reasons that are read in one step. Other requests are served between steps. */
const STEP = 500;

/**
 * Yields the list of an upload's rejected rows as CSV. The last line says how many reasons are `unlisted`, if there are
 * any.
 */
export async function* renderRejects(
  uploads: Uploads,
  key: UploadKey,
  unlisted: number,
): AsyncGenerator<string> {
  yield REJECTS_HEADER;
  for (let after = 0; ; after += STEP) {
    const rejections = await uploads.rejections(key, { after, limit: STEP });
    if (rejections.length === 0) break;
    yield rejections.map(({ name, ...rest }) => rejectsLine({ ...rest, column: name })).join('');
  }
  if (unlisted > 0) yield csvLine([null, null, null, `${unlisted} more not listed`]);
}
