import type { Database } from '../../src/database/database.ts';
import { intercept } from '../../src/database/intercept.ts';

/** Comes between a service and its database, and counts the reads that it asks for. */
export function countReads(): { wrap: (database: Database) => Database; count: () => number } {
  let reads = 0;
  const counted = <T>(read: () => T): T => {
    reads += 1;
    return read();
  };
  const wrap = (database: Database): Database =>
    intercept(database, {
      all: (...asked) => counted(() => database.all(...asked)),
      first: (...asked) => counted(() => database.first(...asked)),
      firstWithItems: (...asked) => counted(() => database.firstWithItems(...asked)),
    });
  return { wrap, count: () => reads };
}
