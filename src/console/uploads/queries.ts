import { statement } from '../../database/database.ts';
import type { Upload } from '../console-api.ts';
import type { UploadKey } from './upload-files.ts';

export interface UploadRow {
  id: string;
  name: string;
  bytes: number;
  state: Upload['state'];
  progress: number;
  format: Upload['format'];
  failure: string | null;
  /** JSON, like the next two columns. */
  summary: string | null;
  rejections: string;
  ignored_columns: string;
  alive_at: number;
}

const isInProgress = `state IN ('checking', 'importing')`;

export const insertUpload = statement<UploadKey & { name: string; bytes: number; now: number }, never>(
  `INSERT INTO uploads
     (merchant_id, id, name, bytes, state, progress, rejections, ignored_columns, created_at, alive_at)
   VALUES (:merchantId, :id, :name, :bytes, 'checking', 0, '[]', '[]', :now, :now)`,
);

export const findUpload = statement<UploadKey, UploadRow>(
  `SELECT id, name, bytes, state, progress, format, failure, summary, rejections, ignored_columns, alive_at
   FROM uploads WHERE merchant_id = :merchantId AND id = :id`,
);

/** Finds a merchant's upload that is being checked or imported, according to a report after `aliveAfter`. */
export const findUploadInProgress = statement<{ merchantId: number; aliveAfter: number }, { id: string }>(
  `SELECT id FROM uploads WHERE merchant_id = :merchantId AND ${isInProgress} AND alive_at > :aliveAfter`,
);

/** Marks an upload as being imported. Changes nothing if it is not ready. */
export const markImporting = statement<UploadKey & { now: number }, never>(
  `UPDATE uploads SET state = 'importing', progress = 0, alive_at = :now
   WHERE merchant_id = :merchantId AND id = :id AND state = 'ready'`,
);

export const keepAlive = statement<UploadKey & { now: number }, never>(
  `UPDATE uploads SET alive_at = :now WHERE merchant_id = :merchantId AND id = :id AND ${isInProgress}`,
);

/**
 * A step of an upload. Statements with it change nothing if the upload is in another state, since the next step may
 * have started meanwhile.
 */
interface UploadStep extends UploadKey {
  state: 'checking' | 'importing';
}

const isStep = 'merchant_id = :merchantId AND id = :id AND state = :state';

export const updateProgress = statement<
  UploadStep & { progress: number; format: string; ignoredColumns: string },
  never
>(
  `UPDATE uploads SET progress = :progress, format = :format, ignored_columns = :ignoredColumns
   WHERE ${isStep}`,
);

export const endStep = statement<
  UploadStep & { newState: 'ready' | 'done'; summary: string; rejections: string },
  never
>(
  `UPDATE uploads SET state = :newState, progress = 1, summary = :summary, rejections = :rejections
   WHERE ${isStep}`,
);

export const failWithRejections = statement<UploadStep & { failure: string; rejections: string }, never>(
  `UPDATE uploads SET state = 'failed', failure = :failure, rejections = :rejections WHERE ${isStep}`,
);

export const failUpload = statement<UploadStep & { failure: string }, never>(
  `UPDATE uploads SET state = 'failed', failure = :failure WHERE ${isStep}`,
);

export const deleteUpload = statement<UploadKey, never>(
  'DELETE FROM uploads WHERE merchant_id = :merchantId AND id = :id',
);

export const deleteUploadsBefore = statement<{ merchantId: number; before: number }, never>(
  'DELETE FROM uploads WHERE merchant_id = :merchantId AND created_at < :before',
);
