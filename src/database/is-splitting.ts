import type { Database } from './database.ts';

/**
 * Whether a cluster isolates a merchant: updates would stop it (docs/how-to/distribute-postgresql.md), so
 * writes that can wait should.
 */
export async function isSplitting(database: Database): Promise<boolean> {
  const found = await database.first(database.dialect.countShardSplits);
  return found !== undefined && found.splits > 0;
}
