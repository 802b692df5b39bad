import type { ProductImportSummary } from '../../products/files/import-products.ts';
import type { Upload } from '../console-api.ts';
import type { UploadRow } from './queries.ts';

/** What has not been seen under way for so long has ended with the process that did it. */
export const GONE_MS = 20_000;

/** Why an upload failed whose process ended, by how far it was. */
export const interrupted = {
  checking:
    'Reading the file was interrupted, as by a restart of the service. Nothing was changed: send it again.',
  importing:
    'The import was interrupted, as by a restart of the service. What had come in by then is in the catalog: send the file again to bring in the rest.',
};

/** An upload as the console shows it. */
export function describeUpload(row: UploadRow, now: number): Upload {
  const { id, name, bytes, state, progress, format, failure } = row;
  const isUnderWay = state === 'checking' || state === 'importing';
  const isGone = isUnderWay && row.alive_at <= now - GONE_MS;
  return {
    id,
    name,
    bytes,
    state: isGone ? 'failed' : state,
    progress,
    format,
    summary: row.summary === null ? null : (JSON.parse(row.summary) as ProductImportSummary),
    rejections: JSON.parse(row.rejections) as Upload['rejections'],
    ignored_columns: JSON.parse(row.ignored_columns) as string[],
    failure: isGone ? interrupted[state] : failure,
  };
}
