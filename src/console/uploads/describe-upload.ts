import type { ProductImportSummary } from '../../products/files/import-products.ts';
import type { Upload } from '../console-api.ts';
import type { UploadRow } from './queries.ts';

/** An upload in progress that has not reported for this long has failed: its process is gone. */
export const GONE_MS = 20_000;

/** The maximum number of reasons for rejecting rows that the console shows. */
export const MAX_SHOWN_REJECTIONS = 100;

/** The failure of an upload whose process ended during a step. */
export const interrupted = {
  checking:
    'Reading the file was interrupted, for example by a restart of the server. Nothing was changed: upload it again.',
  importing:
    'The import was interrupted, for example by a restart of the server. The rows imported before that are in the catalog: upload the file again to import the rest.',
};

/** Returns an upload as the console shows it. */
export function describeUpload(row: UploadRow, now: number): Upload {
  const { id, name, bytes, state, progress, format, failure } = row;
  const isInProgress = state === 'checking' || state === 'importing';
  const isGone = isInProgress && row.alive_at <= now - GONE_MS;
  const rejections = JSON.parse(row.rejections) as Upload['rejections'];
  return {
    id,
    name,
    bytes,
    state: isGone ? 'failed' : state,
    progress,
    format,
    summary: row.summary === null ? null : (JSON.parse(row.summary) as ProductImportSummary),
    rejections: rejections.slice(0, MAX_SHOWN_REJECTIONS),
    more_rejections: rejections.length > MAX_SHOWN_REJECTIONS,
    ignored_columns: JSON.parse(row.ignored_columns) as string[],
    failure: isGone ? interrupted[state] : failure,
  };
}
