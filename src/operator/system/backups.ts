import { recordAudit } from '../../audit/record-audit.ts';
import { backUpInThread } from '../../backup-thread.ts';
import type { BackupLog } from '../../backups/backup-log.ts';
import { BackupRunner } from '../../backups/backup-runner.ts';
import { type BackupSettings, describePlace } from '../../backups/backup-settings.ts';
import { openBackupStore, type StoredBackup } from '../../backups/backup-store.ts';
import type { Config } from '../../config.ts';
import type { Actor } from '../../database/actor.ts';
import type { Database } from '../../database/database.ts';
import { OPERATOR_ID } from '../../database/sides.ts';
import { runVerb, type WriteContext } from '../../database/write-context.ts';
import { errors } from '../../errors/errors.ts';
import { messageOf } from '../../shared/error-message.ts';
import { KeptRead } from '../../shared/kept-read.ts';
import { formatTime } from '../../shared/timestamps.ts';

const MAX_FILES = 10;
const LIST_TIMEOUT_MS = 5_000;

export interface BackupFile {
  file: string;
  at: string;
  bytes: number;
  encrypted: boolean;
}

export interface BackupState {
  /** Where backups are kept, without credentials; null if BACKUP_TO is not set. */
  to: string | null;
  /** Null if the service makes none by itself. */
  every_seconds: number | null;
  keep: number | null;
  running: boolean;
  /** Why the service cannot back up the database; null if it can. */
  unavailable: string | null;
  /** Null if no backup has failed since the last complete one. */
  failure: { at: string; reason: string } | null;
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

/** Backs up the SQLite database to where BACKUP_TO says, and lists the backups there. */
export class Backups {
  readonly #services: Services;
  /** The files as they were when the log of backups was `log`. */
  #listed: { log: string; files: KeptRead<BackupFile[]> } | undefined;

  constructor(services: Services) {
    this.#services = services;
  }

  async read(): Promise<BackupState> {
    const { backups: settings } = this.#services.config;
    if (settings === null) {
      const none = { to: null, every_seconds: null, keep: null, running: false };
      return { ...none, unavailable: this.#reason(), failure: null, files: [] };
    }
    const runner = this.#runner(settings);
    const [running, log] = await Promise.all([runner.isRunning(), runner.readLog()]);
    const { failed } = log;
    const state = {
      to: describePlace(settings.place),
      every_seconds: settings.everyMs === null ? null : settings.everyMs / 1000,
      keep: settings.keep,
      running,
      unavailable: null,
      failure: failed && { at: formatTime(failed.at), reason: failed.reason },
      files: [],
    };
    try {
      return { ...state, files: await this.#files(settings, log) };
    } catch (error) {
      return { ...state, unavailable: `BACKUP_TO cannot be read: ${messageOf(error).replace(/\.$/, '')}.` };
    }
  }

  /**
   * Makes a backup, and resolves to it when it is complete and checked.
   * @throws {DomainError} `backup_unavailable`, `backup_in_progress` or `backup_failed`
   */
  async create(who: Actor): Promise<BackupFile> {
    const { config, database, now, stopping } = this.#services;
    const { backups: settings } = config;
    if (settings === null) throw errors.backup_unavailable(this.#reason());
    const backup = await this.#runner(settings)
      .run(stopping)
      .catch((error) => {
        throw errors.backup_failed(messageOf(error).replace(/\.$/, ''));
      });
    if (backup === null) throw errors.backup_in_progress();
    const { file, at, bytes } = backup;
    await runVerb({ database, now }, { merchantId: OPERATOR_ID, who }, auditBackup, { file });
    return { file, at: formatTime(at), bytes, encrypted: settings.key !== null };
  }

  /** Lists the place again once any process has made a backup or failed to, and after a while. */
  async #files(settings: BackupSettings, current: BackupLog): Promise<BackupFile[]> {
    const log = JSON.stringify(current);
    if (this.#listed?.log !== log)
      this.#listed = { log, files: new KeptRead(() => this.#list(settings), this.#services) };
    return await this.#listed.files.read();
  }

  async #list(settings: BackupSettings): Promise<BackupFile[]> {
    const signal = AbortSignal.any([this.#services.stopping, AbortSignal.timeout(LIST_TIMEOUT_MS)]);
    const found = await openBackupStore(settings.place, { signal }).list();
    return found.slice(0, MAX_FILES).map(shown);
  }

  #runner(settings: BackupSettings): BackupRunner {
    const { config, now } = this.#services;
    const { dataDirectory } = config;
    return new BackupRunner({ dataDirectory, settings, now, backUp: backUpInThread });
  }

  #reason(): string {
    return this.#services.config.postgres === null
      ? 'Set BACKUP_TO to a folder or a bucket, and restart the service, to have backups made.'
      : 'The database is PostgreSQL’s: back it up with pg_dump, pgBackRest or WAL archiving.';
  }
}

function shown({ file, at, bytes, isEncrypted }: StoredBackup): BackupFile {
  return { file, at: formatTime(at), bytes, encrypted: isEncrypted };
}

async function auditBackup(context: WriteContext, { file }: { file: string }): Promise<void> {
  recordAudit(context, { action: 'backup.created', subject: file });
}
