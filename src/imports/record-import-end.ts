import type { Connection } from '../database/database.ts';
import { firstThatFit, recordEvent } from '../events/record-event.ts';
import type { ImportSummary } from '../files/run-import.ts';
import type { ImportKey } from './import-files.ts';
import { findImport } from './queries.ts';

/** In characters, because events repeat these texts. */
const MAX_TEXT = 1_000;

/** Records the event of an import that has ended, in the transaction that ends it. */
export async function recordImportEnd(connection: Connection, key: ImportKey, now: number): Promise<void> {
  const row = await connection.first(findImport, key);
  if (row === undefined) return;
  const { id, name, state, failure, summary } = row;
  if (state !== 'done' && state !== 'failed' && state !== 'canceled') return;
  const counts = summary === null ? {} : (JSON.parse(summary) as Partial<ImportSummary>);
  const { created = 0, updated = 0, unchanged = 0, rejected = 0 } = counts;
  const data = {
    id,
    name: beginning(name),
    state,
    failure: failure === null ? null : beginning(failure),
    created,
    updated,
    unchanged,
    rejected,
  };
  const { merchantId } = key;
  await recordEvent(connection, { merchantId, type: 'import.finished', occurredAt: now, data });
}

function beginning(text: string): string {
  return firstThatFit([...text], MAX_TEXT).join('');
}
