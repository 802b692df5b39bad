import type { RecordFields } from '../../api-keys/record-fields.ts';
import type { Database } from '../../database/database.ts';
import { spliceRecord } from '../record/original-fields.ts';
import { findRecord, findRecordByIdentifier } from '../record/queries.ts';
import { type RecordSources, readWithRecord } from '../record/read-record.ts';

/** Returns the record with the given fields; undefined if there is no such product. */
export async function retrieveProduct(
  sources: RecordSources & { database: Database },
  merchantId: number,
  { fields, ...product }: ({ identifier: string } | { internalId: number }) & { fields: RecordFields },
): Promise<string | Buffer | undefined> {
  const row = await readWithRecord(sources, merchantId, (reader, maxBytes) =>
    'identifier' in product
      ? reader.first(findRecordByIdentifier[fields], { merchantId, ...product, maxBytes })
      : reader.first(findRecord[fields], { merchantId, ...product, maxBytes }),
  );
  return row === undefined || fields === 'standard' ? row?.record : spliceRecord(Buffer.from(row.record));
}
