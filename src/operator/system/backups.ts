import { randomBytes } from 'node:crypto';
import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { recordAudit } from '../../audit/record-audit.ts';
import { backUpInThread } from '../../backup-thread.ts';
import type { Config } from '../../config.ts';
import type { Actor } from '../../database/actor.ts';
import type { Database } from '../../database/database.ts';
import { sqliteFile } from '../../database/open-database.ts';
import { OPERATOR_ID } from '../../database/sides.ts';
import { runVerb, type WriteContext } from '../../database/write-context.ts';
import { errors } from '../../errors/errors.ts';
import { messageOf } from '../../shared/error-message.ts';
import { formatTime } from '../../shared/timestamps.ts';

const MAX_FILES = 10;
const DRAFT = '.partial';
const RUNNING = 'another one is running';
/** A draft that is older was left by a process that was killed. */
const DRAFT_MS = 6 * 60 * 60 * 1000;

export interface BackupFile {
  file: string;
  at: string;
  bytes: number;
}

export interface BackupState {
  /** The setting; null if it is not set. */
  directory: string | null;
  running: boolean;
  /** Why the service cannot back up the database; null if it can. */
  unavailable: string | null;
  /** The newest first. */
  files: BackupFile[];
}

interface Services {
  config: Config;
  database: Database;
  now: () => number;
  /** Aborted when the service stops. */
  stopping: AbortSignal;
}

/** Backs up the SQLite database into the folder of BACKUP_DIR, and lists the backups there. */
export class Backups {
  readonly #services: Services;
  #isRunning = false;

  constructor(services: Services) {
    this.#services = services;
  }

  async read(): Promise<BackupState> {
    const { backupDirectory: directory } = this.#services.config;
    const state = { directory, running: this.#isRunning, unavailable: this.#reason(), files: [] };
    if (state.unavailable !== null || directory === null) return state;
    try {
      const { files, hasDraft } = await this.#list(directory);
      return { ...state, running: this.#isRunning || hasDraft, files };
    } catch (error) {
      if (isMissing(error)) return state;
      return { ...state, unavailable: `BACKUP_DIR cannot be read: ${messageOf(error)}.` };
    }
  }

  /**
   * Writes a new file, and resolves to it when it is complete and checked.
   * @throws {DomainError} `backup_unavailable` or `backup_failed`
   */
  async create(who: Actor): Promise<BackupFile> {
    const { config, database, now } = this.#services;
    const { backupDirectory: directory } = config;
    const reason = this.#reason();
    if (reason !== null || directory === null) throw errors.backup_unavailable(reason ?? '');
    if (this.#isRunning) throw errors.backup_failed(RUNNING);
    this.#isRunning = true;
    const at = now();
    const file = `tradepost-${nameOfTime(at)}-${randomBytes(3).toString('hex')}.db`;
    const backup = await this.#write(directory, file).finally(() => {
      this.#isRunning = false;
    });
    await runVerb({ database, now }, { merchantId: OPERATOR_ID, who }, auditBackup, { file });
    return { file, at: formatTime(at), bytes: backup.bytes };
  }

  async #write(directory: string, file: string): Promise<{ bytes: number }> {
    const { config, stopping } = this.#services;
    const target = join(directory, file);
    try {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      // Of another process.
      if ((await this.#list(directory)).hasDraft) throw new Error(RUNNING);
      return await backUpInThread({ file: sqliteFile(config.dataDirectory), target }, stopping);
    } catch (error) {
      throw errors.backup_failed(messageOf(error).replace(/\.$/, ''));
    }
  }

  #reason(): string | null {
    const { postgres, backupDirectory } = this.#services.config;
    if (postgres !== null)
      return 'The database is PostgreSQL’s: back it up with pg_dump, pgBackRest or WAL archiving.';
    return backupDirectory === null
      ? 'Set BACKUP_DIR to a folder, and restart the service, to start backups here.'
      : null;
  }

  async #list(directory: string): Promise<{ files: BackupFile[]; hasDraft: boolean }> {
    const names = (await readdir(directory)).filter((name) => /\.db(?:\.partial)?$/.test(name));
    const found = await Promise.all(
      names.map(async (file) => {
        const stats = await stat(join(directory, file)).catch(() => undefined);
        return stats?.isFile() ? [{ file, modified: stats.mtimeMs, bytes: stats.size }] : [];
      }),
    );
    const all = found.flat().sort((one, other) => other.modified - one.modified);
    return {
      files: all
        .filter(({ file }) => !file.endsWith(DRAFT))
        .slice(0, MAX_FILES)
        .map(({ file, modified, bytes }) => ({ file, at: formatTime(modified), bytes })),
      hasDraft: all.some(({ file, modified }) => file.endsWith(DRAFT) && Date.now() - modified < DRAFT_MS),
    };
  }
}

async function auditBackup(context: WriteContext, { file }: { file: string }): Promise<void> {
  recordAudit(context, { action: 'backup.created', subject: file });
}

/** Such as `2026-01-31T23-59-59Z`: some file systems have no colons in names. */
function nameOfTime(at: number): string {
  return formatTime(at - (at % 1000)).replaceAll(':', '-');
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
