import type { Dialect, Reader } from '../database/database.ts';
import { backlogStatement } from './queries.ts';

/** How far the feed is behind. */
export interface Backlog {
  /** The number of events that are not in the feed yet; at most 10,000 are counted. */
  waiting: number;
  /** The age of the oldest of these, in seconds of the database's clock. */
  oldestSeconds: number;
}

/** Measures how far the feed is behind. */
export async function measureBacklog(
  reader: Pick<Reader, 'first'>,
  dialect: Pick<Dialect, 'clock'>,
): Promise<Backlog> {
  const row = await reader.first(backlogStatement(dialect));
  if (row === undefined || row.oldest === null) return { waiting: 0, oldestSeconds: 0 };
  return { waiting: row.waiting, oldestSeconds: Math.max(0, row.now - row.oldest) / 1_000_000 };
}
