import { type Connection, type Database, DatabaseUnusable } from '../database/database.ts';
import { UNFINISHED_COPY } from '../database/migrations/migrate.ts';
import { listMerchantsById } from '../merchants/queries.ts';
import { holdMark, insertMark, takeMark } from './queries.ts';

/**
 * Marks a database as one that is being copied into, by this run alone from now on. Resolves to true
 * where it is empty, to false where it holds what an earlier run copied.
 * @throws {DatabaseUnusable} where it holds data of its own
 */
export async function beginCopy(target: Database, run: string): Promise<boolean> {
  return await target.transaction(async (connection) => {
    await connection.all(target.dialect.takeTurns);
    const tables = await connection.all(target.dialect.listTables);
    if (tables.some(({ name }) => name === UNFINISHED_COPY)) {
      await connection.run(takeMark, [run]);
      return false;
    }
    if ((await connection.first(listMerchantsById)) !== undefined) {
      throw new DatabaseUnusable('The database holds merchants already: a copy goes into an empty one.');
    }
    await connection.run({
      sql: `CREATE TABLE ${UNFINISHED_COPY} (run ${target.dialect.text} NOT NULL) ${target.dialect.ordinary}`,
    });
    await connection.run(insertMark, [run]);
    return true;
  });
}

/**
 * To be called first in each transaction of a run: nobody else writes until it ends.
 * @throws {DatabaseUnusable} where another run has taken over, or has finished
 */
export async function holdCopy(connection: Connection, run: string): Promise<void> {
  try {
    if ((await connection.run(holdMark, [run, run])) > 0) return;
  } catch (error) {
    // Every engine names the table that is missing.
    if (!(error instanceof Error && error.message.includes(UNFINISHED_COPY))) throw error;
  }
  throw new DatabaseUnusable('Another copy into this database has begun since: this one ends here.');
}

/** Makes the database one that can be served. @throws as `holdCopy` */
export async function finishCopy(target: Database, run: string): Promise<void> {
  await target.transaction(async (connection) => {
    await holdCopy(connection, run);
    await connection.run({ sql: `DROP TABLE ${UNFINISHED_COPY}` });
  });
}
