import type { Database } from '../../src/database/database.ts';
import { intercept } from '../../src/database/intercept.ts';

/** Returns a wrapper for a service's database that counts its reads, and a function that returns the count. */
export function countReads(): { wrap: (database: Database) => Database; count: () => number } {
  let reads = 0;
  const counted = <T>(read: () => T): T => {
    reads += 1;
    return read();
  };
  const wrap = (database: Database): Database =>
    intercept(database, {
      all: (...query) => counted(() => database.all(...query)),
      first: (...query) => counted(() => database.first(...query)),
      firstWithItems: (...query) => counted(() => database.firstWithItems(...query)),
    });
  return { wrap, count: () => reads };
}
