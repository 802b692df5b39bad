import { SERVICE } from '../audit/record-audit.ts';
import type { Database } from '../database/database.ts';
import { runVerb, type WriteContext } from '../database/write-context.ts';
import { interruption, REPORT_TIMEOUT_MS } from './import-state.ts';
import { failInterruptedImport, type ImportRow, listInterruptedImports } from './queries.ts';
import { recordImportEnd } from './record-import-end.ts';

/** Marks imports whose process is gone as failed, which `currentState` only shows, with their events. */
export async function endInterruptedImports(services: {
  database: Database;
  now: () => number;
}): Promise<void> {
  const aliveUpTo = services.now() - REPORT_TIMEOUT_MS;
  const imports = await services.database.all(listInterruptedImports, { aliveUpTo });
  for (const { merchant_id: merchantId, ...ended } of imports)
    await runVerb(services, { merchantId, who: SERVICE }, endImport, ended);
}

async function endImport(context: WriteContext, row: Pick<ImportRow, 'id' | 'is_bulk'>): Promise<void> {
  const { connection, merchantId, now } = context;
  const { id } = row;
  const failure = interruption('importing', row);
  const ended = { merchantId, id, now, aliveUpTo: now - REPORT_TIMEOUT_MS, failure };
  if ((await connection.run(failInterruptedImport, ended)) > 0) await recordImportEnd(context, id);
}
