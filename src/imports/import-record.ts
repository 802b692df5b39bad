import type { ImportSummary } from '../files/run-import.ts';
import type { ProductFormat } from '../products/files/detect-format.ts';
import { formatTime } from '../shared/timestamps.ts';
import { currentState, type ImportState } from './import-state.ts';
import type { ImportRow } from './queries.ts';

/** An import as the API returns it, in wire order (contract for writing, “Many at once”). */
export interface Import
  extends Pick<ImportSummary, 'created' | 'updated' | 'unchanged' | 'rejected' | 'repeated'> {
  id: string;
  name: string;
  status: ImportState;
  dry_run: boolean;
  format: ProductFormat | null;
  bytes: number;
  /** 0 to 1. */
  progress: number;
  ignored_columns: string[];
  failure: string | null;
  created_by: string;
  created_at: string;
  finished_at: string | null;
}

const NO_COUNTS: ImportSummary = { created: 0, updated: 0, unchanged: 0, rejected: 0, repeated: 0 };

export function importRecord(row: ImportRow, now: number): Import {
  const { state, failure } = currentState(row, now);
  const summary: unknown = row.summary === null ? null : JSON.parse(row.summary);
  const { created, updated, unchanged, rejected, repeated } = (summary as ImportSummary | null) ?? NO_COUNTS;
  return {
    id: row.id,
    name: row.name,
    status: state,
    dry_run: row.dry_run === 1,
    format: row.format,
    bytes: row.bytes,
    progress: row.progress,
    created,
    updated,
    unchanged,
    rejected,
    repeated,
    ignored_columns: JSON.parse(row.ignored_columns) as string[],
    failure,
    created_by: row.created_by,
    created_at: formatTime(row.created_at),
    finished_at: row.finished_at === null ? null : formatTime(row.finished_at),
  };
}
