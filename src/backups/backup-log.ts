import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { publishFile } from '../shared/publish-file.ts';

/** What became of backups. It is not in the database, so that restoring one does not change it. */
export interface BackupLog {
  completed: { file: string; at: number; bytes: number } | null;
  /** The last failure, if no backup was completed since. */
  failed: { at: number; reason: string } | null;
}

const NOTHING: BackupLog = { completed: null, failed: null };

export async function readBackupLog(dataDirectory: string): Promise<BackupLog> {
  try {
    const value: unknown = JSON.parse(await readFile(logFile(dataDirectory), 'utf8'));
    return isLog(value) ? value : NOTHING;
  } catch {
    // There was no backup yet, or a person changed the file.
    return NOTHING;
  }
}

export async function writeBackupLog(dataDirectory: string, log: BackupLog): Promise<void> {
  await publishFile(logFile(dataDirectory), `${JSON.stringify(log)}\n`, { replace: true });
}

function logFile(dataDirectory: string): string {
  return join(dataDirectory, 'backups.json');
}

function isLog(value: unknown): value is BackupLog {
  if (!isRecord(value)) return false;
  const { completed, failed } = value;
  return (
    (completed === null ||
      (isRecord(completed) &&
        typeof completed.file === 'string' &&
        typeof completed.at === 'number' &&
        typeof completed.bytes === 'number')) &&
    (failed === null ||
      (isRecord(failed) && typeof failed.at === 'number' && typeof failed.reason === 'string'))
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
