import type { RecordFields } from '../../api-keys/record-fields.ts';
import { RenderedJson } from '../../shared/rendered-json.ts';
import { decodeChangesCursor, encodeChangesCursor } from '../../sync/changes-cursor.ts';
import { etagAt } from '../list/revisions.ts';
import { CHANGED_PRODUCTS, listChanges } from './list-changes.ts';

interface ChangesRequest {
  merchantId: number;
  changedSince: string;
  perPage: number;
  fields: RecordFields;
}

/**
 * Returns the response to `changed_since` for a merchant's products, and the catalog's revision.
 * @throws {DomainError} `invalid_parameters` for a cursor of another list, and as `listChanges`
 */
export async function renderChanges(
  sources: Parameters<typeof listChanges>[0],
  { merchantId, changedSince, perPage, fields }: ChangesRequest,
): Promise<{ body: RenderedJson; revision: number }> {
  const list = { merchantId, listing: CHANGED_PRODUCTS };
  const since = decodeChangesCursor(changedSince, list, 'integer');
  const { epoch, revision, records, end, more } = await listChanges(sources, {
    merchantId,
    since,
    perPage,
    fields,
  });
  const cursor = encodeChangesCursor(list, epoch, end);
  const bytes = Buffer.concat([
    Buffer.from('{"results":'),
    records,
    Buffer.from(`,${JSON.stringify({ cursor, more }).slice(1)}`),
  ]);
  return {
    body: new RenderedJson(bytes, etagAt(revision, `${merchantId} ${changedSince} ${perPage} ${fields}`)),
    revision,
  };
}
