import type { RecordFields } from '../../api-keys/record-fields.ts';
import type { Database, Reader } from '../../database/database.ts';
import { findCatalogState, missingMerchant } from '../../database/merchant-queries.ts';
import type { OffLoopReads } from '../../database/off-loop-reads.ts';
import { type ChangePosition, type ChangesCursor, requireSameHistory } from '../../sync/changes-cursor.ts';
import { MAX_JOINED_BYTES, MAX_RECORDS_ON_LOOP, powerOfTwoFrom } from '../list/queries.ts';
import { readRecords } from '../list/read-in-steps.ts';
import { MAX_GROWTH, spliceRecords } from '../record/original-fields.ts';
import { listChangeSizes, readChanges } from './queries.ts';

/** The name of the listing of changes in cursors. */
export const CHANGED_PRODUCTS = 'changed products';

/** Greater than every id: a position after all products of a revision. */
export const AFTER_ALL_IDS = Number.MAX_SAFE_INTEGER;

/** Products in the order of their last change. */
interface ChangesPage {
  epoch: number;
  revision: number;
  /** A JSON array of product records. */
  records: Buffer;
  end: ChangePosition<number>;
  more: boolean;
}

interface ChangesRequest {
  merchantId: number;
  since: ChangesCursor | undefined;
  perPage: number;
  fields: RecordFields;
}

/** Only a page's first record may be larger. */
const MAX_PAGE_BYTES = 8 * 1024 * 1024;

/**
 * Lists products in the order of their last change (contract for writing, “Staying in sync”). Revisions are
 * in the order of commits, so a client that continues at `end` misses no change: a product that changes again
 * moves to the end. Very large records shorten the page.
 * @throws {DomainError} `cursor_expired`
 * @throws {QueueFull} if too many of this merchant's expensive reads are waiting
 */
export async function listChanges(
  sources: { database: Database; offLoop: OffLoopReads },
  request: ChangesRequest,
): Promise<ChangesPage> {
  const { database, offLoop } = sources;
  const { merchantId, since, perPage, fields } = request;
  const roundedSize = powerOfTwoFrom(perPage);
  const maxRecordBytes = Math.floor(MAX_JOINED_BYTES / roundedSize);
  const statement = readChanges({ roundedSize, maxRecordBytes, fields }, database.dialect);
  const window = { merchantId, ...positionOf(since), limit: perPage };
  const read =
    perPage <= MAX_RECORDS_ON_LOOP
      ? await database.firstWithItems(statement, window)
      : await offLoop.firstWithItems(merchantId, statement, window);
  if (read === undefined) throw missingMerchant(merchantId);
  const { row, items, leftOut } = read;
  requireSameHistory(since, row);
  if (leftOut > 0) return await listLargeChanges(sources, request);
  const { epoch, revision, end_revision, end_id, more } = row;
  // A partly filled page ends after all products of the revision.
  const end =
    end_revision === null || end_id === null
      ? { revision, key: AFTER_ALL_IDS }
      : { revision: end_revision, key: end_id };
  const stored = Buffer.from(items.buffer, items.byteOffset, items.length);
  const records = fields === 'original' ? await spliceRecords(stored, MAX_PAGE_BYTES) : stored;
  if (records === undefined) return await listLargeChanges(sources, request);
  return { epoch, revision, records, end, more: more === 1 };
}

/** Reads a page with large records off the event loop, in steps. */
async function listLargeChanges(
  { database: { dialect }, offLoop }: { database: Database; offLoop: OffLoopReads },
  { merchantId, since, perPage, fields }: ChangesRequest,
): Promise<ChangesPage> {
  return await offLoop.snapshot(merchantId, async (reader: Reader) => {
    const head = await reader.first(findCatalogState, { merchantId });
    if (head === undefined) throw missingMerchant(merchantId);
    requireSameHistory(since, head);
    const window = { merchantId, ...positionOf(since), limit: perPage + 1 };
    const changes = await reader.all(listChangeSizes, window);
    let bytes = 0;
    const tooLarge = changes.findIndex((change, index) => {
      bytes += fields === 'original' ? change.bytes * MAX_GROWTH : change.bytes;
      return index > 0 && bytes > MAX_PAGE_BYTES;
    });
    const page = changes.slice(0, tooLarge < 0 ? perPage : Math.min(tooLarge, perPage));
    const parts: Uint8Array[] = [OPENING];
    const sizes = page.map((change) => ({ internalId: change.internal_id, bytes: change.bytes }));
    for await (const step of readRecords(reader, dialect, { merchantId, records: sizes, fields }))
      parts.push(...step);
    const last = page.at(-1);
    const more = changes.length > page.length;
    const end =
      more && last !== undefined
        ? { revision: last.revision, key: last.internal_id }
        : { revision: head.revision, key: AFTER_ALL_IDS };
    return { ...head, records: Buffer.concat([...parts, CLOSING]), end, more };
  });
}

const OPENING = Buffer.from('[');
const CLOSING = Buffer.from(']');

function positionOf(since: ChangesCursor | undefined): { afterRevision: number; afterId: number } {
  return { afterRevision: since?.revision ?? -1, afterId: Number(since?.key ?? 0) };
}
