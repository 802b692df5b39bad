import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTick, setTimeout as pause } from 'node:timers/promises';
import { type Connection, DatabaseUnavailable } from '../database.ts';
import { resultCode, SqliteConnection, translateError } from './connection.ts';

const BUSY = 5;
/** How long a transaction waits for another process to let go of the file. */
const LOCK_PATIENCE_MS = 5_000;
const LOCK_RETRY_MS = 10;
/** The log is written back to the database file when it has grown by this many pages, 32 MB. */
const CHECKPOINT_PAGES = 4_000;
/** How many commits go by between two looks at the log: a look costs 10 µs. */
const COMMITS_BETWEEN_LOOKS = 20;
/** No transaction joins a group later than this after it began. */
const GROUP_MS = 20;

/** Writes the log back without blocking the event loop. What it passes to `pauseFor` is done while nothing is written. */
export type Checkpoint = (pauseFor: (work: () => Promise<unknown>) => Promise<void>) => Promise<void>;

interface Unit {
  run(connection: Connection): Promise<void>;
  acknowledge(): void;
  fail(error: unknown): void;
}

/**
 * The one writing connection. Transactions run strictly one after the other; those that wait together
 * share one commit, and so one flush to the disk, and each is acknowledged only after it.
 */
export class SqliteWriter {
  readonly #file: string;
  readonly #inode: number;
  readonly #database: DatabaseSync;
  readonly #connection: SqliteConnection;
  readonly #checkpoint: Checkpoint;
  #commits = 0;
  #checkpointing: Promise<void> | undefined;
  /** Resolves when the transactions that are under way have ended. */
  #group: Promise<void> | undefined;
  /** Resolves when transactions may begin; undefined where they may. */
  #paused: Promise<void> | undefined;
  #waiting: Unit[] = [];
  #draining: Promise<void> | undefined;

  /** `database` has just been opened on `file`. */
  constructor(file: string, database: DatabaseSync, checkpoint: Checkpoint) {
    this.#checkpoint = checkpoint;
    this.#file = file;
    this.#inode = statSync(file).ino;
    this.#database = database;
    this.#connection = new SqliteConnection(database);
  }

  transaction<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    let result: T;
    this.#waiting.push({
      run: async (connection) => {
        result = await work(connection);
      },
      acknowledge: () => resolve(result),
      fail: reject,
    });
    this.#draining ??= this.#drain();
    return promise;
  }

  /** Resolves once nothing waits to be written. */
  async idle(): Promise<void> {
    while (this.#draining !== undefined) await this.#draining;
    await this.#checkpointing;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      // A turn of the event loop lets the requests that came in during the last flush join this group.
      await nextTick();
      await this.#paused;
      this.#group = this.#commitGroup();
      await this.#group;
    }
    this.#draining = undefined;
  }

  async #commitGroup(): Promise<void> {
    const group: Unit[] = [];
    let begun = false;
    try {
      await this.#begin();
      begun = true;
      const deadline = performance.now() + GROUP_MS;
      do {
        const unit = this.#waiting.shift();
        if (unit === undefined) break;
        if (await this.#runUnit(unit)) group.push(unit);
      } while (performance.now() < deadline);
      this.#database.exec('COMMIT');
    } catch (error) {
      // Where not even BEGIN went through, everything that waits shares the answer.
      for (const unit of begun ? group : this.#waiting.splice(0)) unit.fail(translateError(error));
      this.#rollBack();
      return;
    }
    for (const unit of group) unit.acknowledge();
    this.#commits += 1;
    if (this.#commits % COMMITS_BETWEEN_LOOKS === 0) this.#checkpointIfLong();
  }

  #checkpointIfLong(): void {
    if (this.#checkpointing !== undefined || this.#pagesToWriteBack() < CHECKPOINT_PAGES) return;
    this.#checkpointing = this.#checkpoint((work) => this.#pauseFor(work))
      // The next look comes to it again; a log that grows on and on is written back by SQLite itself.
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
      // The next write tells what is wrong with the file.
      return 0;
    }
  }

  #rollBack(): void {
    try {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
    } catch {
      // The next BEGIN tells whoever comes then; nobody waits for this one any more.
    }
  }

  /** False if the unit failed alone; throws if the whole group is lost with it. */
  async #runUnit(unit: Unit): Promise<boolean> {
    try {
      this.#database.exec('SAVEPOINT unit');
      await unit.run(this.#connection);
      this.#database.exec('RELEASE unit');
      return true;
    } catch (error) {
      unit.fail(translateError(error));
      // On a full disk or an I/O error SQLite has already rolled everything back.
      if (!this.#database.isTransaction) throw error;
      this.#database.exec('ROLLBACK TO unit; RELEASE unit');
      return false;
    }
  }

  /** A file that was removed or replaced still takes writes, and nobody ever sees them again. */
  #refuseLostFile(): void {
    if (this.#inodeNow() === this.#inode) return;
    throw new DatabaseUnavailable(`the database file ${this.#file} was removed or replaced`);
  }

  #inodeNow(): number | undefined {
    try {
      return statSync(this.#file).ino;
    } catch {
      return undefined;
    }
  }

  /** Waits for another process's lock without holding up this one, which SQLite's own wait would. */
  async #begin(): Promise<void> {
    const deadline = performance.now() + LOCK_PATIENCE_MS;
    for (;;) {
      try {
        this.#refuseLostFile();
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
