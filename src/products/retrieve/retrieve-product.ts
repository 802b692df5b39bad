import type { Database } from '../../database/database.ts';
import { findRecord, findRecordByIdentifier } from '../record/queries.ts';
import { type RecordSources, readWithRecord } from '../record/read-record.ts';

/** Returns the rendered record; undefined if there is no such product. */
export async function retrieveProduct(
  sources: RecordSources & { database: Database },
  merchantId: number,
  product: { identifier: string } | { internalId: number },
): Promise<string | undefined> {
  const row = await readWithRecord(sources, merchantId, (reader, maxBytes) =>
    'identifier' in product
      ? reader.first(findRecordByIdentifier, { merchantId, ...product, maxBytes })
      : reader.first(findRecord, { merchantId, ...product, maxBytes }),
  );
  return row?.record;
}
