import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTick, setTimeout as pause } from 'node:timers/promises';
import { RoundRobinQueues } from '../../shared/round-robin-queues.ts';
import { type Connection, type Database, DatabaseUnavailable, type TransactionOptions } from '../database.ts';
import { liveSideOf } from '../sides.ts';
import {
  BUSY,
  resultCode,
  runOn,
  type Statements,
  TransactionStatements,
  translateSqliteError,
} from './connection.ts';

const LOCK_TIMEOUT_MS = 5_000;
const LOCK_RETRY_MS = 10;
/** The log is written back when it has grown by this many pages, 32 MB. */
const CHECKPOINT_PAGES = 4_000;
/** A check of the log costs 10 µs. */
const COMMITS_BETWEEN_CHECKS = 20;
/** A group takes more transactions for this long. */
const GROUP_MS = 20;

/** Writes the log back without blocking the event loop. Work passed to `pauseFor` runs while writes pause. */
export type Checkpoint = (pauseFor: (work: () => Promise<unknown>) => Promise<void>) => Promise<void>;

/** The path, and the inode that it had when the database was opened. */
export interface DatabaseFile {
  file: string;
  inode: number;
}

export interface SqliteWrites {
  transaction: Database['transaction'];
  inWriterThread?: Database['inWriterThread'];
  /** Closes the connection after all queued transactions. */
  close(): Promise<void>;
}

interface QueuedTransaction {
  run(statements: Statements): Promise<void>;
  /** Called after the commit. */
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Runs transactions one by one, on the only connection of the process that writes. Waiting transactions share
 * a commit, and so a flush to the disk, and are acknowledged after it. Merchants take turns.
 */
export class SqliteWriter implements SqliteWrites {
  readonly #file: DatabaseFile;
  readonly #database: DatabaseSync;
  readonly #statements: Statements;
  readonly #checkpoint: Checkpoint;
  #commits = 0;
  #checkpointing: Promise<void> | undefined;
  #group: Promise<void> | undefined;
  /** Resolves when transactions may begin; undefined if they may begin now. */
  #paused: Promise<void> | undefined;
  readonly #waiting = new RoundRobinQueues<QueuedTransaction>();
  #draining: Promise<void> | undefined;

  constructor(file: DatabaseFile, database: DatabaseSync, statements: Statements, checkpoint: Checkpoint) {
    this.#checkpoint = checkpoint;
    this.#file = file;
    this.#database = database;
    this.#statements = statements;
  }

  /** Runs `work` atomically, after the merchant's transactions before it. */
  transaction<T>(work: (connection: Connection) => Promise<T>, options?: TransactionOptions): Promise<T> {
    return this.runStatements((statements) => runOn(statements, work), options);
  }

  /** Like `transaction`. */
  runStatements<T>(
    work: (statements: Statements) => Promise<T>,
    { merchantId = 0 }: TransactionOptions = {},
  ): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    let result: T;
    this.#waiting.push(String(liveSideOf(merchantId)), {
      run: async (statements) => {
        result = await work(statements);
      },
      resolve: () => resolve(result),
      reject,
    });
    this.#draining ??= this.#drain();
    return promise;
  }

  async close(): Promise<void> {
    while (this.#draining !== undefined) await this.#draining;
    await this.#checkpointing;
    this.#database.close();
  }

  async #drain(): Promise<void> {
    while (this.#waiting.size > 0) {
      // Lets transactions that arrived during the last flush join this group.
      await nextTick();
      await this.#paused;
      this.#group = this.#commitGroup();
      await this.#group;
    }
    this.#draining = undefined;
  }

  async #commitGroup(): Promise<void> {
    const group: QueuedTransaction[] = [];
    let begun = false;
    try {
      await this.#begin();
      begun = true;
      const deadline = performance.now() + GROUP_MS;
      do {
        const queued = this.#waiting.take(() => true)?.item;
        if (queued === undefined) break;
        if (await this.#runQueued(queued)) group.push(queued);
      } while (performance.now() < deadline);
      // Again, because the file may have been moved since the group began.
      requireSameFile(this.#file);
      this.#database.exec('COMMIT');
    } catch (error) {
      // If BEGIN failed, all waiting transactions fail.
      for (const queued of begun ? group : this.#waiting.takeDue(() => true))
        queued.reject(translateSqliteError(error));
      this.#rollBack();
      return;
    }
    for (const queued of group) queued.resolve();
    this.#commits += 1;
    if (this.#commits % COMMITS_BETWEEN_CHECKS === 0) this.#checkpointIfLong();
  }

  #checkpointIfLong(): void {
    if (this.#checkpointing !== undefined || this.#pagesToWriteBack() < CHECKPOINT_PAGES) return;
    this.#checkpointing = this.#checkpoint((work) => this.#pauseFor(work))
      // The next check tries again. SQLite itself writes back a log that keeps growing.
      .catch(() => {})
      .finally(() => {
        this.#checkpointing = undefined;
      });
  }

  async #pauseFor(work: () => Promise<unknown>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#paused = promise;
    try {
      await this.#group;
      await work();
    } finally {
      this.#paused = undefined;
      resolve();
    }
  }

  #pagesToWriteBack(): number {
    try {
      const { log, checkpointed } = this.#database.prepare('PRAGMA wal_checkpoint(NOOP)').get() ?? {};
      return Number(log) - Number(checkpointed);
    } catch {
      // The next write reports the error.
      return 0;
    }
  }

  #rollBack(): void {
    try {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
    } catch {
      // The next BEGIN reports the error. No caller waits for this rollback.
    }
  }

  /** Returns false if only this transaction failed. @throws if the whole group is rolled back */
  async #runQueued(queued: QueuedTransaction): Promise<boolean> {
    try {
      this.#database.exec('SAVEPOINT queued');
      const statements = new TransactionStatements(this.#database, this.#statements);
      await queued.run(statements).finally(() => statements.end());
      this.#database.exec('RELEASE queued');
      return true;
    } catch (error) {
      queued.reject(translateSqliteError(error));
      // On a full disk or an I/O error SQLite has already rolled everything back.
      if (!this.#database.isTransaction) throw error;
      this.#database.exec('ROLLBACK TO queued; RELEASE queued');
      return false;
    }
  }

  /** Waits for the lock with timers, because SQLite's own wait would block this thread. */
  async #begin(): Promise<void> {
    const deadline = performance.now() + LOCK_TIMEOUT_MS;
    for (;;) {
      try {
        requireSameFile(this.#file);
        this.#database.exec('BEGIN IMMEDIATE');
        return;
      } catch (error) {
        if (resultCode(error) !== BUSY) throw error;
        if (performance.now() > deadline) {
          throw new DatabaseUnavailable('another process holds the write lock', { cause: error });
        }
        await pause(LOCK_RETRY_MS);
      }
    }
  }
}

/** @throws {DatabaseUnavailable} if the file was removed or replaced: writes would succeed and be lost */
export function requireSameFile({ file, inode }: DatabaseFile): void {
  if (inodeOf(file) === inode) return;
  throw new DatabaseUnavailable(`the database file ${file} was removed or replaced`);
}

function inodeOf(file: string): number | undefined {
  try {
    return statSync(file).ino;
  } catch {
    return undefined;
  }
}
