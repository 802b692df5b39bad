import type { TransactionContext } from '../database/write-context.ts';
import { firstThatFit, recordEvent } from '../events/record-event.ts';
import type { ImportSummary } from '../files/run-import.ts';
import { findImport } from './queries.ts';

/** In characters, because events repeat these texts. */
const MAX_TEXT = 1_000;

/** Records the event of an import that has ended, in the transaction that ends it. */
export async function recordImportEnd(context: TransactionContext, importId: string): Promise<void> {
  const { connection, merchantId } = context;
  const row = await connection.first(findImport, { merchantId, id: importId });
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
  recordEvent(context, { type: 'import.finished', data });
}

function beginning(text: string): string {
  return firstThatFit([...text], MAX_TEXT).join('');
}
