import { RenderedJson } from '../../shared/rendered-json.ts';
import { decodeChangesCursor, encodeChangesCursor } from '../../sync/changes-cursor.ts';
import { etagAt } from '../list/revisions.ts';
import { CHANGED_PRODUCTS, listChanges } from './list-changes.ts';

/**
 * Returns the response to `changed_since` for a merchant's products, and the catalog's revision.
 * @throws {DomainError} `invalid_parameters` for a cursor of another list, and as `listChanges`
 */
export async function renderChanges(
  sources: Parameters<typeof listChanges>[0],
  { merchantId, changedSince, perPage }: { merchantId: number; changedSince: string; perPage: number },
): Promise<{ body: RenderedJson; revision: number }> {
  const list = { merchantId, listing: CHANGED_PRODUCTS };
  const since = decodeChangesCursor(changedSince, list, 'integer');
  const { epoch, revision, records, end, more } = await listChanges(sources, { merchantId, since, perPage });
  const cursor = encodeChangesCursor(list, epoch, end);
  const bytes = Buffer.concat([
    Buffer.from('{"results":'),
    records,
    Buffer.from(`,${JSON.stringify({ cursor, more }).slice(1)}`),
  ]);
  return {
    body: new RenderedJson(bytes, etagAt(revision, `${merchantId} ${changedSince} ${perPage}`)),
    revision,
  };
}
