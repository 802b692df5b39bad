import { join } from 'node:path';
import { sqliteFile } from '../database/open-database.ts';
import { messageOf } from '../shared/error-message.ts';
import { tryFileLock } from '../shared/file-lock.ts';
import type { BackupTask, CompletedBackup } from './back-up.ts';
import { type BackupLog, readBackupLog, writeBackupLog } from './backup-log.ts';
import type { BackupSettings } from './backup-settings.ts';

/** After a failure, the next try comes this much later, or after BACKUP_EVERY if that is less. */
const RETRY_MS = 5 * 60_000;
/** Longer than it takes to look whether a backup is running. */
const WAIT_MS = 20;

export interface RunnerParts {
  dataDirectory: string;
  settings: BackupSettings;
  now: () => number;
  /** Makes the backup, as `backUp` does. */
  backUp(task: BackupTask, signal: AbortSignal): Promise<CompletedBackup>;
}

/** Makes one backup at a time, of all processes that share the database, and logs how it ended. */
export class BackupRunner {
  readonly #parts: RunnerParts;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
  }

  /** Makes a backup; resolves to null if another process makes one. @throws {Error} if there is no backup */
  async run(signal: AbortSignal): Promise<CompletedBackup | null> {
    return await this.#alone(() => this.#run(signal), WAIT_MS);
  }

  /** As `run`, if a backup is due; otherwise resolves to null. */
  async runIfDue(signal: AbortSignal): Promise<CompletedBackup | null> {
    if (!(await this.#isDue())) return null;
    // Another process may have completed one since.
    return await this.#alone(async () => ((await this.#isDue()) ? await this.#run(signal) : null), 0);
  }

  async isRunning(): Promise<boolean> {
    return (await this.#alone(async () => false, 0)) ?? true;
  }

  async readLog(): Promise<BackupLog> {
    return await readBackupLog(this.#parts.dataDirectory);
  }

  async #alone<T>(work: () => Promise<T>, waitMs: number): Promise<T | null> {
    return await tryFileLock(join(this.#parts.dataDirectory, 'backup.lock'), work, { waitMs });
  }

  async #isDue(): Promise<boolean> {
    const { settings, now } = this.#parts;
    if (settings.everyMs === null) return false;
    const { completed, failed } = await this.readLog();
    const isOld = completed === null || isPast(completed.at, settings.everyMs, now());
    return isOld && (failed === null || isPast(failed.at, Math.min(RETRY_MS, settings.everyMs), now()));
  }

  async #run(signal: AbortSignal): Promise<CompletedBackup> {
    const { dataDirectory, settings, now, backUp } = this.#parts;
    const log = await this.readLog();
    // Names of backups have seconds.
    const at = now() - (now() % 1000);
    const task = { file: sqliteFile(dataDirectory), workDirectory: dataDirectory, settings, at };
    try {
      const backup = await backUp(task, signal);
      const { file, bytes } = backup;
      await writeBackupLog(dataDirectory, { completed: { file, at, bytes }, failed: null });
      return backup;
    } catch (error) {
      // A service that stops is no failure: the next start makes the backup.
      if (!signal.aborted)
        await writeBackupLog(dataDirectory, { ...log, failed: { at: now(), reason: messageOf(error) } });
      throw error;
    }
  }
}

/** A clock that was wrong must not keep backups from being made. */
function isPast(at: number, afterMs: number, now: number): boolean {
  return now - at >= afterMs || now < at;
}
