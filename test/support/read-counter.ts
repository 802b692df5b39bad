import type { Database } from '../../src/database/database.ts';

/** Comes between a service and its database, and counts the reads that it asks for. */
export function countReads(): { wrap: (database: Database) => Database; count: () => number } {
  let reads = 0;
  const counted = ['all', 'first', 'firstWithItems'];
  const wrap = (database: Database): Database =>
    new Proxy(database, {
      get: (target, name) => {
        if (counted.includes(String(name))) reads += 1;
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  return { wrap, count: () => reads };
}
