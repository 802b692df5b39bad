import { randomUUID } from 'node:crypto';
import type { Connection, Database, Dialect, Reader } from '../database/database.ts';
import { newEpoch } from '../database/epoch.ts';
import { createFeed, type LeaseStatements, leaseStatements, releaseLease } from './queries.ts';

/** How long a dead process keeps others from numbering events. */
const DURATION_MS = 10_000;
const RENEW_MS = 5_000;

export async function isLeaseHeld(
  reader: Pick<Reader, 'first'>,
  dialect: Pick<Dialect, 'clock'>,
): Promise<boolean> {
  const state = await reader.first(leaseStatements(dialect).findState, { holder: randomUUID() });
  return state?.available === 0;
}

export class LeaseLost extends Error {
  override name = 'LeaseLost';
}

/**
 * The right to number events, which one process has at a time. It expires by the database's clock unless
 * extended. A former holder numbers nothing, because each transaction begins with `hold`.
 */
export class Lease {
  readonly #database: Database;
  readonly #statements: LeaseStatements;
  readonly #lease: { holder: string; duration: number };
  #renewedAt: number | undefined;

  constructor(database: Database, durationMs = DURATION_MS) {
    this.#database = database;
    this.#statements = leaseStatements(database.dialect);
    this.#lease = { holder: randomUUID(), duration: durationMs * 1000 };
  }

  /** Whether this process had the lease when it last used it. */
  get isHeld(): boolean {
    return this.#renewedAt !== undefined;
  }

  /** Takes or extends the lease, and writes only if necessary. Resolves to whether this process has it. */
  async take(): Promise<boolean> {
    const { holder } = this.#lease;
    if (this.#renewedAt !== undefined && performance.now() - this.#renewedAt < RENEW_MS) return true;
    const state = await this.#database.first(this.#statements.findState, { holder });
    if (state?.available === 0) {
      this.#renewedAt = undefined;
      return false;
    }
    const startedAt = performance.now();
    const taken = await this.#database.transaction(async (connection) => {
      if (state === undefined) await connection.run(createFeed, { epoch: newEpoch() });
      return await connection.run(this.#statements.take, this.#lease);
    });
    this.#renewedAt = taken > 0 ? startedAt : undefined;
    return taken > 0;
  }

  /** Extends the lease until the transaction ends, and resolves to the newest number. @throws {LeaseLost} */
  async hold(connection: Connection): Promise<number> {
    const startedAt = performance.now();
    const [, row] = await Promise.all([
      connection.all(this.#database.dialect.endIfAbandoned),
      connection.first(this.#statements.hold, this.#lease),
    ]);
    this.#renewedAt = row === undefined ? undefined : startedAt;
    if (row === undefined) throw new LeaseLost('another process numbers events now');
    return row.last_number;
  }

  async release(): Promise<void> {
    if (this.#renewedAt === undefined) return;
    this.#renewedAt = undefined;
    const { holder } = this.#lease;
    await this.#database.transaction((connection) => connection.run(releaseLease, { holder }));
  }
}
