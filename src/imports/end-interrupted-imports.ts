import type { Connection, Database } from '../database/database.ts';
import type { ImportKey } from './import-files.ts';
import { interrupted, REPORT_TIMEOUT_MS } from './import-state.ts';
import { failInterruptedImport, listInterruptedImports } from './queries.ts';
import { recordImportEnd } from './record-import-end.ts';

/** Marks imports whose process is gone as failed, which `currentState` only shows, with their events. */
export async function endInterruptedImports(database: Database, now: number): Promise<void> {
  const aliveUpTo = now - REPORT_TIMEOUT_MS;
  for (const { merchant_id: merchantId, id } of await database.all(listInterruptedImports, { aliveUpTo })) {
    const end = (connection: Connection): Promise<void> =>
      endImport(connection, { merchantId, id }, { aliveUpTo, now });
    await database.transaction(end, { merchantId });
  }
}

async function endImport(
  connection: Connection,
  key: ImportKey,
  times: { aliveUpTo: number; now: number },
): Promise<void> {
  const failure = interrupted.importing;
  const failed = await connection.run(failInterruptedImport, { ...key, ...times, failure });
  if (failed > 0) await recordImportEnd(connection, key, times.now);
}
