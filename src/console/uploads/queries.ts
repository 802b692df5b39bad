import { statement } from '../../database/database.ts';
import type { Upload } from '../console-api.ts';

export interface UploadRow {
  id: string;
  name: string;
  bytes: number;
  state: Upload['state'];
  progress: number;
  format: Upload['format'];
  failure: string | null;
  /** JSON, as are the two below. */
  summary: string | null;
  rejections: string;
  ignored_columns: string;
  alive_at: number;
}

const underWay = `state IN ('checking', 'importing')`;

/** Parameters: the merchant, the id, the file's name, its bytes, the time twice. */
export const insertUpload = statement(
  `INSERT INTO uploads
     (merchant_id, id, name, bytes, state, progress, rejections, ignored_columns, created_at, alive_at)
   VALUES (?, ?, ?, ?, 'checking', 0, '[]', '[]', ?, ?)`,
);

/** Parameters: the merchant, the id. */
export const findUpload = statement<UploadRow>(
  `SELECT id, name, bytes, state, progress, format, failure, summary, rejections, ignored_columns, alive_at
   FROM uploads WHERE merchant_id = ? AND id = ?`,
);

/** Parameters: the merchant, the time after which it was seen to be under way. */
export const findUploadUnderWay = statement<{ id: string }>(
  `SELECT id FROM uploads WHERE merchant_id = ? AND ${underWay} AND alive_at > ?`,
);

/** Parameters: the time, the merchant, the id. Changes nothing where it is not ready. */
export const beginImport = statement(
  `UPDATE uploads SET state = 'importing', progress = 0, alive_at = ?
   WHERE merchant_id = ? AND id = ? AND state = 'ready'`,
);

/** Parameters: the time, the merchant, the id. */
export const keepAlive = statement(
  `UPDATE uploads SET alive_at = ? WHERE merchant_id = ? AND id = ? AND ${underWay}`,
);

// What follows names the state of the step that it is of: the next one may have begun meanwhile.

/** Parameters: progress, format, ignored columns, the merchant, the id, the state. */
export const updateProgress = statement(
  `UPDATE uploads SET progress = ?, format = ?, ignored_columns = ?
   WHERE merchant_id = ? AND id = ? AND state = ?`,
);

/** Parameters: the state that it ends in, summary, rejections, the merchant, the id, the state. */
export const endStep = statement(
  `UPDATE uploads SET state = ?, progress = 1, summary = ?, rejections = ?
   WHERE merchant_id = ? AND id = ? AND state = ?`,
);

/** Parameters: why, rejections, the merchant, the id, the state. */
export const failWithRejections = statement(
  `UPDATE uploads SET state = 'failed', failure = ?, rejections = ?
   WHERE merchant_id = ? AND id = ? AND state = ?`,
);

/** Parameters: why, the merchant, the id, the state. */
export const failUpload = statement(
  `UPDATE uploads SET state = 'failed', failure = ? WHERE merchant_id = ? AND id = ? AND state = ?`,
);

/** Parameters: the merchant, the id. */
export const deleteUpload = statement('DELETE FROM uploads WHERE merchant_id = ? AND id = ?');

/** Parameters: the merchant, the time. */
export const deleteUploadsBefore = statement('DELETE FROM uploads WHERE merchant_id = ? AND created_at < ?');
