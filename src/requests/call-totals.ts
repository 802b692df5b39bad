import type { Database } from '../database/database.ts';
import { addToCallTotals, type CallTotalRow, deleteCallTotals } from './queries.ts';

export const TOTAL_MS = 10 * 60 * 1000;
const KEPT_MS = 15 * 24 * 60 * 60 * 1000;

/** Adds up the calls of all merchants. They are written later: a crash may lose the last ones. */
export class CallTotals {
  /** By the time at which they begin. */
  #unwritten = new Map<number, CallTotalRow>();

  count(now: number, { failed, requests = 1 }: { failed: number; requests?: number }): void {
    const since = now - (now % TOTAL_MS);
    const row = this.#unwritten.get(since) ?? { since, requests: 0, failed: 0 };
    row.requests += requests;
    row.failed += failed;
    this.#unwritten.set(since, row);
  }

  /** Writes what was counted. It is kept for the next time if that fails. @throws as a transaction */
  async write(database: Database): Promise<void> {
    // Every process writes in this order, which prevents deadlocks.
    const rows = [...this.#unwritten.values()].sort((one, other) => one.since - other.since);
    this.#unwritten = new Map();
    if (rows.length === 0) return;
    try {
      await database.transaction((connection) => connection.runEach(addToCallTotals, rows));
    } catch (error) {
      for (const { since, ...counts } of rows) this.count(since, counts);
      throw error;
    }
  }
}

export async function deleteOldCallTotals(database: Database, now: number): Promise<void> {
  await database.transaction((connection) => connection.run(deleteCallTotals, { before: now - KEPT_MS }));
}
