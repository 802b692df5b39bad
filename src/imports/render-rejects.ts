import { REJECTS_HEADER, rejectsLine } from '../files/rejects-file.ts';
import { csvLine } from '../files/write-csv.ts';
import type { ImportKey } from './import-files.ts';
import type { Imports } from './imports.ts';

/** Other requests are served between steps. */
const STEP = 500;

/** Yields an import's rejected rows as CSV. The last line says how many reasons are `unlisted`, if any. */
export async function* renderRejects(
  imports: Imports,
  key: ImportKey,
  unlisted: number,
): AsyncGenerator<string> {
  yield REJECTS_HEADER;
  for (let after = 0; ; after += STEP) {
    const rejections = await imports.rejections(key, { after, limit: STEP });
    if (rejections.length === 0) break;
    yield rejections.map(({ name, ...rest }) => rejectsLine({ ...rest, column: name })).join('');
  }
  if (unlisted > 0) yield csvLine([null, null, null, `${unlisted} more not listed`]);
}
