import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { messageOf } from '../../shared/error-message.ts';
import { TimeSlices } from '../../shared/time-slices.ts';
import {
  type ArgumentsOf,
  type Connection,
  DatabaseUnavailable,
  type Statement,
  type Value,
  valuesOf,
} from '../database.ts';

// The operating system caches the file too: reading a page from there costs 2 µs.
const READ_CACHE_KB = 16 * 1024;
export const STARTUP_BUSY_MS = 5_000;

export function openReading(file: string): DatabaseSync {
  const reading = new DatabaseSync(file, { timeout: STARTUP_BUSY_MS });
  reading.exec(`PRAGMA cache_size = -${READ_CACHE_KB}; PRAGMA query_only = 1;`);
  return reading;
}

// SQLite's primary result codes of temporary errors: busy, locked, read-only, I/O error, full, can't open.
const TEMPORARY = new Set([5, 6, 8, 10, 13, 14]);

/** Turns temporary errors into `DatabaseUnavailable`, and returns others as they are. */
export function translateSqliteError(error: unknown): unknown {
  const code = resultCode(error);
  if (code === undefined || !TEMPORARY.has(code)) return error;
  return new DatabaseUnavailable(messageOf(error), { cause: error });
}

export const BUSY = 5;

export function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number')
    return undefined;
  return error.errcode & 0xff;
}

export class SqliteConnection implements Connection {
  readonly #database: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  async all<Parameters, Row>(
    statement: Statement<Parameters, Row>,
    ...[parameters]: ArgumentsOf<NoInfer<Parameters>>
  ): Promise<Row[]> {
    const values = valuesOf(statement, parameters);
    return attempt(() => this.#prepare(statement.sql).all(...values) as Row[]);
  }

  async first<Parameters, Row>(
    statement: Statement<Parameters, Row>,
    ...[parameters]: ArgumentsOf<NoInfer<Parameters>>
  ): Promise<Row | undefined> {
    return this.firstOf(statement.sql, valuesOf(statement, parameters));
  }

  protected firstOf<Row>(sql: string, values: Value[]): Row | undefined {
    return attempt(() => this.#prepare(sql).get(...values) as Row | undefined);
  }

  async run<Parameters>(
    statement: Statement<Parameters>,
    ...[parameters]: ArgumentsOf<NoInfer<Parameters>>
  ): Promise<number> {
    const values = valuesOf(statement, parameters);
    return attempt(() => Number(this.#prepare(statement.sql).run(...values).changes));
  }

  async runEach<Parameters>(
    statement: Statement<Parameters>,
    parameterSets: readonly NoInfer<Parameters>[],
  ): Promise<void> {
    const prepared = attempt(() => this.#prepare(statement.sql));
    const slices = new TimeSlices();
    for (const parameters of parameterSets) {
      attempt(() => prepared.run(...valuesOf(statement, parameters)));
      if (slices.isOver) await slices.pause();
    }
  }

  #prepare(sql: string): StatementSync {
    let prepared = this.#prepared.get(sql);
    if (prepared === undefined) {
      prepared = this.#database.prepare(sql);
      this.#prepared.set(sql, prepared);
    }
    return prepared;
  }
}

function attempt<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw translateSqliteError(error);
  }
}
