import { insertInto, type Statement, statement } from '../database/database.ts';
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
  /** 1 if the service has written the file itself, for a bulk change. */
  is_bulk: number;
  created_at: number;
  alive_at: number;
  finished_at: number | null;
}

const columns =
  'id, name, bytes, state, progress, format, failure, summary, ignored_columns, unlisted_rejections, created_by, ' +
  'dry_run, is_bulk, created_at, alive_at, finished_at';
const isInProgress = `state IN ('checking', 'importing')`;

export const insertImport = statement<
  ImportKey & {
    name: string;
    bytes: number;
    state: Step;
    dryRun: number;
    isBulk: number;
    createdBy: string;
    now: number;
  },
  never
>(
  `INSERT INTO imports
     (merchant_id, id, name, bytes, state, dry_run, is_bulk, created_by, progress, ignored_columns, created_at, alive_at)
   VALUES (:merchantId, :id, :name, :bytes, :state, :dryRun, :isBulk, :createdBy, 0, '[]', :now, :now)`,
);

export const findImport = statement<ImportKey, ImportRow>(
  `SELECT ${columns} FROM imports WHERE merchant_id = :merchantId AND id = :id`,
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
/** `bulk` is a change of many products in the console. */
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

/** Changes nothing if the import is not checked. */
export const markImporting = statement<ImportKey & { notifiedUser: string | null; now: number }, never>(
  `UPDATE imports SET state = 'importing', dry_run = 0, progress = 0, alive_at = :now, finished_at = NULL,
     notified_user = :notifiedUser
   WHERE merchant_id = :merchantId AND id = :id AND state = 'checked'`,
);

/** Cancels an import that is checked, or whose step is in progress, which notices it and stops. */
export const markCanceled = statement<ImportKey & { aliveAfter: number; now: number }, never>(
  `UPDATE imports SET state = 'canceled', finished_at = :now
   WHERE merchant_id = :merchantId AND id = :id AND (${isInProgress} AND alive_at > :aliveAfter OR state = 'checked')`,
);

export const keepAlive = statement<ImportKey & { now: number }, never>(
  `UPDATE imports SET alive_at = :now WHERE merchant_id = :merchantId AND id = :id AND ${isInProgress}`,
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
    summary: string;
    unlisted: number;
  },
  never
>(
  `UPDATE imports SET progress = :progress, format = :format, ignored_columns = :ignoredColumns, summary = :summary,
     unlisted_rejections = :unlisted
   WHERE ${isStep}`,
);

/** `changes` is what a check has found, as JSON; null keeps what is stored. */
export const endStep = statement<
  ImportStep & { newState: 'checked' | 'done'; changes: string | null; now: number },
  never
>(
  `UPDATE imports SET state = :newState, progress = 1, finished_at = :now, changes = coalesce(:changes, changes)
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
export const listInterruptedImports = statement<{ aliveUpTo: number }, { merchant_id: number; id: string }>(
  `SELECT merchant_id, id FROM imports WHERE state = 'importing' AND alive_at <= :aliveUpTo
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
