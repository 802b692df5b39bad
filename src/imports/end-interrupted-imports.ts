import { SERVICE } from '../audit/record-audit.ts';
import type { Database } from '../database/database.ts';
import { runVerb, type WriteContext } from '../database/write-context.ts';
import { interrupted, REPORT_TIMEOUT_MS } from './import-state.ts';
import { failInterruptedImport, listInterruptedImports } from './queries.ts';
import { recordImportEnd } from './record-import-end.ts';

/** Marks imports whose process is gone as failed, which `currentState` only shows, with their events. */
export async function endInterruptedImports(services: {
  database: Database;
  now: () => number;
}): Promise<void> {
  const aliveUpTo = services.now() - REPORT_TIMEOUT_MS;
  const imports = await services.database.all(listInterruptedImports, { aliveUpTo });
  for (const { merchant_id: merchantId, id } of imports)
    await runVerb(services, { merchantId, who: SERVICE }, endImport, { id });
}

async function endImport(context: WriteContext, { id }: { id: string }): Promise<void> {
  const { connection, merchantId, now } = context;
  const ended = { merchantId, id, now, aliveUpTo: now - REPORT_TIMEOUT_MS, failure: interrupted.importing };
  if ((await connection.run(failInterruptedImport, ended)) > 0) await recordImportEnd(context, id);
}
