import { parseFound, parseReading } from '../../imports/import-reading.ts';
import { currentState } from '../../imports/import-state.ts';
import type { ImportRow, StoredRejection } from '../../imports/queries.ts';
import type { ProductPreview } from '../../products/files/change-preview.ts';
import type { ProductImportSummary } from '../../products/files/import-products.ts';
import { formatTime } from '../../shared/timestamps.ts';
import type { ConsoleImport, ImportedChange, ListedImport } from '../catalog-api.ts';

export const MAX_SHOWN_REJECTIONS = 100;

/** `rejections` has one more than are shown, if there are more. `changes` is JSON of what the check found. */
export function describeConsoleImport(
  row: ImportRow,
  rejections: readonly StoredRejection[],
  changes: string | null,
  now: number,
): ConsoleImport {
  const { bytes, progress, format } = row;
  const listed = summarizeImport(row, now);
  const summary = row.summary === null ? null : (JSON.parse(row.summary) as ProductImportSummary);
  const isEnded = ['done', 'failed', 'canceled'].includes(listed.state);
  const changed = row.dry_run === 1 || summary === null ? 0 : summary.created + summary.updated;
  const found = row.found === null ? undefined : parseFound(row.found);
  const { columns: mapping, isRemembered = false } = parseReading(row.reading);
  return {
    ...listed,
    bytes,
    progress,
    format,
    summary,
    can_undo: isEnded && changed > 0,
    rejections: rejections
      .slice(0, MAX_SHOWN_REJECTIONS)
      .map(({ name, ...rejection }) => ({ ...rejection, column: name })),
    more_rejections: rejections.length > MAX_SHOWN_REJECTIONS,
    changes: changes === null ? null : (JSON.parse(changes) as ProductPreview[]).map(describeChange),
    sheet: found?.sheet ?? null,
    columns: found?.columns ?? [],
    mapping: mapping ?? null,
    is_remembered: isRemembered,
    ignored_columns: JSON.parse(row.ignored_columns) as string[],
    failure: currentState(row, now).failure,
  };
}

function describeChange({ isNew, more, ...change }: ProductPreview): ImportedChange {
  return { ...change, is_new: isNew, more_fields: more };
}

export function summarizeImport(row: ImportRow, now: number): ListedImport {
  const { id, name, created_by, created_at } = row;
  const { state, failure } = currentState(row, now);
  return {
    id,
    name,
    state,
    is_bulk: row.is_bulk === 1,
    is_blocked: state === 'checked' && failure !== null,
    created_by,
    created_at: formatTime(created_at),
  };
}
