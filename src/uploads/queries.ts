import { insertInto, statement } from '../database/database.ts';
import type { ProductFormat } from '../products/files/detect-format.ts';
import type { UploadKey } from './upload-files.ts';
import type { Step, UploadState } from './upload-state.ts';

export interface UploadRow {
  id: string;
  name: string;
  bytes: number;
  state: UploadState;
  progress: number;
  format: ProductFormat | null;
  failure: string | null;
  /** JSON, like the next column. */
  summary: string | null;
  ignored_columns: string;
  /** The number of reasons for rejecting rows that are not stored. */
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

export const insertUpload = statement<
  UploadKey & {
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
  `INSERT INTO uploads
     (merchant_id, id, name, bytes, state, dry_run, is_bulk, created_by, progress, ignored_columns, created_at, alive_at)
   VALUES (:merchantId, :id, :name, :bytes, :state, :dryRun, :isBulk, :createdBy, 0, '[]', :now, :now)`,
);

export const findUpload = statement<UploadKey, UploadRow>(
  `SELECT ${columns} FROM uploads WHERE merchant_id = :merchantId AND id = :id`,
);

/** Finds the user who gets a mail about the end of an upload's import. */
export const findNotifiedUser = statement<UploadKey, { notified_user: string | null }>(
  'SELECT notified_user FROM uploads WHERE merchant_id = :merchantId AND id = :id',
);

/** Lists a merchant's uploads, newest first. */
export const listUploads = statement<{ merchantId: number; limit: number; offset: number }, UploadRow>(
  `SELECT ${columns} FROM uploads WHERE merchant_id = :merchantId
   ORDER BY id DESC LIMIT CAST(:limit AS bigint) OFFSET CAST(:offset AS bigint)`,
);

export const countUploads = statement<{ merchantId: number }, { total: number }>(
  'SELECT count(*) AS total FROM uploads WHERE merchant_id = :merchantId',
);

/** Finds a merchant's upload that is being checked or imported, according to a report after `aliveAfter`. */
export const findUploadInProgress = statement<{ merchantId: number; aliveAfter: number }, { id: string }>(
  `SELECT id FROM uploads WHERE merchant_id = :merchantId AND ${isInProgress} AND alive_at > :aliveAfter`,
);

/** Marks an upload as being imported. Changes nothing if it is not ready. */
export const markImporting = statement<UploadKey & { notifiedUser: string | null; now: number }, never>(
  `UPDATE uploads SET state = 'importing', dry_run = 0, progress = 0, alive_at = :now, finished_at = NULL,
     notified_user = :notifiedUser
   WHERE merchant_id = :merchantId AND id = :id AND state = 'ready'`,
);

/** Cancels an upload that is being checked or imported, or that is ready. The running step notices it and stops. */
export const markCanceled = statement<UploadKey & { aliveAfter: number; now: number }, never>(
  `UPDATE uploads SET state = 'canceled', finished_at = :now
   WHERE merchant_id = :merchantId AND id = :id AND (${isInProgress} AND alive_at > :aliveAfter OR state = 'ready')`,
);

export const keepAlive = statement<UploadKey & { now: number }, never>(
  `UPDATE uploads SET alive_at = :now WHERE merchant_id = :merchantId AND id = :id AND ${isInProgress}`,
);

/**
 * A step of an upload. Statements with it change nothing if the upload is in another state, since the next step may
 * have started meanwhile.
 */
interface UploadStep extends UploadKey {
  state: Step;
}

const isStep = 'merchant_id = :merchantId AND id = :id AND state = :state';

/** Finds whether an upload is in this step. */
export const findStep = statement<UploadStep, { id: string }>(`SELECT id FROM uploads WHERE ${isStep}`);

export const updateProgress = statement<
  UploadStep & {
    progress: number;
    format: string | null;
    ignoredColumns: string;
    summary: string;
    unlisted: number;
  },
  never
>(
  `UPDATE uploads SET progress = :progress, format = :format, ignored_columns = :ignoredColumns, summary = :summary,
     unlisted_rejections = :unlisted
   WHERE ${isStep}`,
);

/** Ends a step. `changes` is what a check has found, as JSON; null keeps what is stored. */
export const endStep = statement<
  UploadStep & { newState: 'ready' | 'done'; changes: string | null; now: number },
  never
>(
  `UPDATE uploads SET state = :newState, progress = 1, finished_at = :now, changes = coalesce(:changes, changes)
   WHERE ${isStep}`,
);

/** Finds what the check of an upload has found to change, as JSON; null before its end. */
export const findChanges = statement<UploadKey, { changes: string | null }>(
  'SELECT changes FROM uploads WHERE merchant_id = :merchantId AND id = :id',
);

export const failUpload = statement<UploadStep & { failure: string; now: number }, never>(
  `UPDATE uploads SET state = 'failed', failure = :failure, finished_at = :now WHERE ${isStep}`,
);

/**
 * Lists imports whose process has not reported since `aliveUpTo`. Only the process that numbers events runs it: in a
 * cluster, it reads from every node.
 */
export const listInterruptedImports = statement<{ aliveUpTo: number }, { merchant_id: number; id: string }>(
  `SELECT merchant_id, id FROM uploads WHERE state = 'importing' AND alive_at <= :aliveUpTo
   ORDER BY merchant_id, id`,
);

/** Marks an import as failed unless its process has reported since `aliveUpTo`. */
export const failInterruptedImport = statement<
  UploadKey & { aliveUpTo: number; failure: string; now: number },
  never
>(
  `UPDATE uploads SET state = 'failed', failure = :failure, finished_at = :now
   WHERE merchant_id = :merchantId AND id = :id AND state = 'importing' AND alive_at <= :aliveUpTo`,
);

/** Completes the counts of an upload that was canceled while a step ran. */
export const setSummaryOfCanceled = statement<UploadKey & { summary: string }, never>(
  `UPDATE uploads SET summary = :summary
   WHERE merchant_id = :merchantId AND id = :id AND state = 'canceled'`,
);

export const deleteUpload = statement<UploadKey, never>(
  'DELETE FROM uploads WHERE merchant_id = :merchantId AND id = :id',
);

/** Lists uploads that were created before a time, the oldest first. */
export const listUploadsBefore = statement<
  { merchantId: number; before: number; limit: number },
  { id: string }
>(
  `SELECT id FROM uploads WHERE merchant_id = :merchantId AND created_at < :before
   ORDER BY id LIMIT CAST(:limit AS bigint)`,
);

/** A reason for rejecting a row of an upload. */
export interface RejectionRow {
  merchant_id: number;
  upload_id: string;
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

/** A reason as the console shows it. */
export type StoredRejection = Omit<RejectionRow, 'merchant_id' | 'upload_id' | 'position'>;

export const insertRejection = insertInto<RejectionRow>('upload_rejections', [
  'merchant_id',
  'upload_id',
  'position',
  'line',
  'name',
  'value',
  'reason',
  'identifier',
]);

/** Lists reasons by their positions. */
export const listRejections = statement<UploadKey & { after: number; upTo: number }, StoredRejection>(
  `SELECT line, name, value, reason, identifier FROM upload_rejections
   WHERE merchant_id = :merchantId AND upload_id = :id AND position > :after AND position <= :upTo
   ORDER BY position`,
);

/** Returns the number of stored reasons. */
export const countRejections = statement<UploadKey, { total: number }>(
  `SELECT coalesce(max(position), 0) AS total FROM upload_rejections
   WHERE merchant_id = :merchantId AND upload_id = :id`,
);

export const deleteRejections = statement<UploadKey, never>(
  'DELETE FROM upload_rejections WHERE merchant_id = :merchantId AND upload_id = :id',
);
