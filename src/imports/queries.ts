import { type Lookup, namesPlaceholder } from '../database/look-up.ts';
import { insertInto, type Statement, statement } from '../database/statement.ts';
import type { ProductFormat } from '../products/files/detect-format.ts';
import type { ImportKey } from './import-files.ts';
import type { ImportState, Step } from './import-state.ts';

export interface ImportRow {
  id: string;
  name: string;
  bytes: number;
  state: ImportState;
  progress: number;
  format: ProductFormat | null;
  failure: string | null;
  /** JSON, like the next column. */
  summary: string | null;
  ignored_columns: string;
  unlisted_rejections: number;
  created_by: string;
  /** 1 if the file is only checked. */
  dry_run: number;
  /** 1 if the service has written the file itself, for a bulk change or an undo. */
  is_bulk: number;
  created_at: number;
  alive_at: number;
  finished_at: number | null;
  /** JSON of `ImportReading`. */
  reading: string | null;
  /** JSON of `FoundTable`; null for what is no table. */
  found: string | null;
}

const columns =
  'id, name, bytes, state, progress, format, failure, summary, ignored_columns, unlisted_rejections, created_by, ' +
  'dry_run, is_bulk, created_at, alive_at, finished_at, reading, found';
const isInProgress = `state IN ('checking', 'importing')`;

export const insertImport = statement<
  ImportKey & {
    name: string;
    bytes: number;
    state: Step;
    dryRun: number;
    isBulk: number;
    createdBy: string;
    reading: string | null;
    now: number;
  },
  never
>(
  `INSERT INTO imports
     (merchant_id, id, name, bytes, state, dry_run, is_bulk, created_by, reading, progress, ignored_columns, created_at,
      alive_at)
   VALUES (:merchantId, :id, :name, :bytes, :state, :dryRun, :isBulk, :createdBy, :reading, 0, '[]', :now, :now)`,
);

export const findImport = statement<ImportKey, ImportRow>(
  `SELECT ${columns} FROM imports WHERE merchant_id = :merchantId AND id = :id`,
);

/** For `lookUp`. */
export const findKeptImports = statement<Lookup<string>, { id: string }>(
  `SELECT id FROM imports WHERE merchant_id = :merchantId AND id IN (${namesPlaceholder})`,
);

/** Finds the user who gets an email about the end of the import. */
export const findNotifiedUser = statement<ImportKey, { notified_user: string | null }>(
  'SELECT notified_user FROM imports WHERE merchant_id = :merchantId AND id = :id',
);

/** Newest first. */
export const listImports = statement<{ merchantId: number; limit: number; offset: number }, ImportRow>(
  `SELECT ${columns} FROM imports WHERE merchant_id = :merchantId
   ORDER BY id DESC LIMIT CAST(:limit AS bigint) OFFSET CAST(:offset AS bigint)`,
);

/** Imports that are done and have rejected rows, newest first. */
export const listRejectingImports = statement<{ merchantId: number; limit: number }, ImportRow>(
  `SELECT ${columns} FROM imports i
   WHERE i.merchant_id = :merchantId AND i.state = 'done' AND i.dry_run = 0 AND EXISTS (
     SELECT 1 FROM import_rejections r
     WHERE r.merchant_id = :merchantId AND r.import_id = i.id AND r.position = 1)
   ORDER BY i.id DESC LIMIT CAST(:limit AS bigint)`,
);

export const countImports = statement<{ merchantId: number }, { total: number }>(
  'SELECT count(*) AS total FROM imports WHERE merchant_id = :merchantId',
);

/** Nothing of a `waiting` import's file has been read yet. The process of an `interrupted` one is gone. */
export type ImportGroup = 'waiting' | 'running' | 'interrupted' | 'finished' | 'failed';

const isAlive = `${isInProgress} AND alive_at > :aliveAfter`;
const groupConditions: Record<ImportGroup, string> = {
  waiting: `${isAlive} AND progress = 0`,
  running: `${isAlive} AND progress > 0`,
  interrupted: `${isInProgress} AND alive_at <= :aliveAfter`,
  finished: `(state NOT IN ('checking', 'importing') OR alive_at <= :aliveAfter)`,
  failed: `state = 'failed'`,
};
/** `bulk` is a change of many products in the console, or an undo. */
const sourceConditions = { any: '', format: 'AND is_bulk = 0 AND format = :format', bulk: 'AND is_bulk = 1' };

/** Lists imports of all merchants, newest first. Reads every node of a cluster. */
export function listImportsOfAll(
  group: ImportGroup | undefined,
  source: keyof typeof sourceConditions,
): Statement<
  { before: string; limit: number; aliveAfter: number; format: string },
  ImportRow & { merchant_id: number }
> {
  const condition = group === undefined ? '' : `AND ${groupConditions[group]}`;
  return statement(
    `SELECT merchant_id, ${columns} FROM imports
     WHERE id < :before ${condition} ${sourceConditions[source]}
     ORDER BY id DESC LIMIT CAST(:limit AS bigint)`,
    { everyNode: true },
  );
}

/** Reports up to `aliveAfter` no longer count. */
export const findImportInProgress = statement<{ merchantId: number; aliveAfter: number }, { id: string }>(
  `SELECT id FROM imports WHERE merchant_id = :merchantId AND ${isInProgress} AND alive_at > :aliveAfter`,
);

/**
 * Changes nothing if the import is not checked, or if its check has found a table that cannot be imported.
 */
export const markImporting = statement<ImportKey & { notifiedUser: string | null; now: number }, never>(
  `UPDATE imports SET state = 'importing', dry_run = 0, progress = 0, alive_at = :now, finished_at = NULL,
     notified_user = :notifiedUser
   WHERE merchant_id = :merchantId AND id = :id AND state = 'checked' AND failure IS NULL`,
);

/** Changes nothing if the import is not checked, or if the service has written its file. */
export const markCheckedAgain = statement<ImportKey & { reading: string | null; now: number }, never>(
  `UPDATE imports SET state = 'checking', dry_run = 1, progress = 0, alive_at = :now, finished_at = NULL,
     reading = :reading, failure = NULL, summary = NULL, changes = NULL, ignored_columns = '[]', unlisted_rejections = 0
   WHERE merchant_id = :merchantId AND id = :id AND state = 'checked' AND is_bulk = 0`,
);

/** Cancels an import that is checked, or whose step is in progress, which notices it and stops. */
export const markCanceled = statement<ImportKey & { aliveAfter: number; now: number }, never>(
  `UPDATE imports SET state = 'canceled', finished_at = :now
   WHERE merchant_id = :merchantId AND id = :id AND (${isInProgress} AND alive_at > :aliveAfter OR state = 'checked')`,
);

export const keepAlive = statement<ImportKey & { now: number }, never>(
  `UPDATE imports SET alive_at = :now WHERE merchant_id = :merchantId AND id = :id AND ${isInProgress}`,
);

/** Sets how the file of an import is read. */
export const updateReading = statement<ImportKey & { reading: string }, never>(
  'UPDATE imports SET reading = :reading WHERE merchant_id = :merchantId AND id = :id',
);

/** Statements with this change nothing if the import is in another state: the next step may have started. */
interface ImportStep extends ImportKey {
  state: Step;
}

const isStep = 'merchant_id = :merchantId AND id = :id AND state = :state';

export const findStep = statement<ImportStep, { id: string }>(`SELECT id FROM imports WHERE ${isStep}`);

export const updateProgress = statement<
  ImportStep & {
    progress: number;
    format: string | null;
    ignoredColumns: string;
    found: string | null;
    summary: string;
    unlisted: number;
  },
  never
>(
  `UPDATE imports SET progress = :progress, format = :format, ignored_columns = :ignoredColumns, found = coalesce(:found, found),
     summary = :summary, unlisted_rejections = :unlisted
   WHERE ${isStep}`,
);

/**
 * `changes` is what a check has found, as JSON; null keeps what is stored. With `failure`, the import is
 * checked, but its table cannot be imported as it is.
 */
export const endStep = statement<
  ImportStep & {
    newState: 'checked' | 'done';
    changes: string | null;
    failure: string | null;
    now: number;
  },
  never
>(
  `UPDATE imports SET state = :newState, progress = 1, finished_at = :now, failure = :failure,
     changes = coalesce(:changes, changes)
   WHERE ${isStep}`,
);

/** Null before the end of the check. */
export const findChanges = statement<ImportKey, { changes: string | null }>(
  'SELECT changes FROM imports WHERE merchant_id = :merchantId AND id = :id',
);

export const failImport = statement<ImportStep & { failure: string; now: number }, never>(
  `UPDATE imports SET state = 'failed', failure = :failure, finished_at = :now WHERE ${isStep}`,
);

/**
 * Lists imports whose process has not reported since `aliveUpTo`. Reads from every node of a cluster, so only
 * the process that numbers events runs it.
 */
export const listInterruptedImports = statement<
  { aliveUpTo: number },
  Pick<ImportRow, 'id' | 'is_bulk'> & { merchant_id: number }
>(
  `SELECT merchant_id, id, is_bulk FROM imports WHERE state = 'importing' AND alive_at <= :aliveUpTo
   ORDER BY merchant_id, id`,
  { everyNode: true },
);

/** Changes nothing if the process has reported since `aliveUpTo`. */
export const failInterruptedImport = statement<
  ImportKey & { aliveUpTo: number; failure: string; now: number },
  never
>(
  `UPDATE imports SET state = 'failed', failure = :failure, finished_at = :now
   WHERE merchant_id = :merchantId AND id = :id AND state = 'importing' AND alive_at <= :aliveUpTo`,
);

/** Completes the counts of an import that was canceled while a step ran. */
export const setSummaryOfCanceled = statement<ImportKey & { summary: string }, never>(
  `UPDATE imports SET summary = :summary
   WHERE merchant_id = :merchantId AND id = :id AND state = 'canceled'`,
);

export const deleteImport = statement<ImportKey, never>(
  'DELETE FROM imports WHERE merchant_id = :merchantId AND id = :id',
);

/** Oldest first. */
export const listImportsBefore = statement<
  { merchantId: number; before: number; limit: number },
  { id: string }
>(
  `SELECT id FROM imports WHERE merchant_id = :merchantId AND created_at < :before
   ORDER BY id LIMIT CAST(:limit AS bigint)`,
);

export interface RejectionRow {
  merchant_id: number;
  import_id: string;
  /** Counted from 1. */
  position: number;
  line: number;
  /** The column or field; '' for the whole row. */
  name: string;
  value: string;
  reason: string;
  /** The product’s; '' if it is unknown. */
  identifier: string;
}

export type StoredRejection = Omit<RejectionRow, 'merchant_id' | 'import_id' | 'position'>;

export const insertRejection = insertInto<RejectionRow>('import_rejections', [
  'merchant_id',
  'import_id',
  'position',
  'line',
  'name',
  'value',
  'reason',
  'identifier',
]);

export const listRejections = statement<ImportKey & { after: number; upTo: number }, StoredRejection>(
  `SELECT line, name, value, reason, identifier FROM import_rejections
   WHERE merchant_id = :merchantId AND import_id = :id AND position > :after AND position <= :upTo
   ORDER BY position`,
);

export const countRejections = statement<ImportKey, { total: number }>(
  `SELECT coalesce(max(position), 0) AS total FROM import_rejections
   WHERE merchant_id = :merchantId AND import_id = :id`,
);

export const deleteRejections = statement<ImportKey, never>(
  'DELETE FROM import_rejections WHERE merchant_id = :merchantId AND import_id = :id',
);

/** Lists the imports of merchants that are `running`. For lists of up to 50. */
export const listRunningOf = statement<
  { merchants: readonly number[]; aliveAfter: number },
  { merchant_id: number; id: string }
>(
  `SELECT merchant_id, id FROM imports
   WHERE merchant_id IN (:merchants[50]) AND ${groupConditions.running} ORDER BY merchant_id, id`,
  { everyNode: true },
);

/** Counts the imports of all merchants that are `running`, without test data. */
export const countRunning = statement<{ aliveAfter: number }, { imports: number }>(
  `SELECT count(*) AS imports FROM imports WHERE merchant_id > 0 AND ${groupConditions.running}`,
  { everyNode: true },
);
