import { type Connection, type Database, DatabaseUnusable, statement } from '../database/database.ts';
import { UNFINISHED_COPY } from '../database/migrate.ts';
import { listMerchantsById } from '../merchants/queries.ts';
import { holdMark, insertMark, takeMark } from './queries.ts';

/**
 * Marks a database as the target of an unfinished copy that only this run may write. Resolves to true if the
 * database is empty, and to false if it contains the rows of an earlier run.
 * @throws {DatabaseUnusable} if it contains other data
 */
export async function beginCopy(target: Database, run: string): Promise<boolean> {
  return await target.transaction(async (connection) => {
    await connection.all(target.dialect.takeGlobalLock);
    const tables = await connection.all(target.dialect.listTables);
    if (tables.some(({ name }) => name === UNFINISHED_COPY)) {
      await connection.run(takeMark, { run });
      return false;
    }
    if ((await connection.first(listMerchantsById)) !== undefined) {
      throw new DatabaseUnusable('The database already has merchants. Copy into an empty database.');
    }
    const { text, ordinary } = target.dialect;
    await connection.run(
      statement<unknown, never>(`CREATE TABLE ${UNFINISHED_COPY} (run ${text} NOT NULL) ${ordinary}`),
    );
    await connection.run(insertMark, { run });
    return true;
  });
}

/**
 * Keeps other runs from writing until the transaction ends. Must be the first call in each transaction of a run.
 * @throws {DatabaseUnusable} if another run has taken over the copy or finished it
 */
export async function holdCopy(connection: Connection, run: string): Promise<void> {
  try {
    if ((await connection.run(holdMark, { run })) > 0) return;
  } catch (error) {
    // Both engines name the missing table in their message.
    if (!(error instanceof Error && error.message.includes(UNFINISHED_COPY))) throw error;
  }
  throw new DatabaseUnusable('Another copy into this database started later, so this one stopped.');
}

/** Removes the mark, so that the database can be served. @throws as `holdCopy` */
export async function finishCopy(target: Database, run: string): Promise<void> {
  await target.transaction(async (connection) => {
    await holdCopy(connection, run);
    await connection.run(statement<unknown, never>(`DROP TABLE ${UNFINISHED_COPY}`));
  });
}
