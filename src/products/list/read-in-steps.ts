import type { RecordFields } from '../../api-keys/record-fields.ts';
import type { Dialect, Reader } from '../../database/database.ts';
import { lookUp } from '../../database/look-up.ts';
import { missingMerchant } from '../../database/merchant-queries.ts';
import { TimeSlices } from '../../shared/time-slices.ts';
import { spliceRecord } from '../record/original-fields.ts';
import { countKey, type Listing, listingKey } from './listing.ts';
import type { PageWindow } from './page-reader.ts';
import type { PageStarts } from './page-starts.ts';
import type { Planner } from './plan-listing.ts';
import {
  filterValues,
  findPageHead,
  findRecordBytes,
  findSizes,
  identifyingColumn,
  listKeys,
  type PageRow,
  type SortKeyRow,
  startValues,
} from './queries.ts';
import { orderOf } from './revisions.ts';

const STEP_BYTES = 1024 * 1024;

export interface RecordSize {
  internalId: number;
  bytes: number;
}

interface PagePlan extends PageWindow {
  listing: Listing;
  planFor: Planner;
  starts: PageStarts;
}

/** The records of a page, which are still to be read. */
interface PageContents extends PageRow {
  records: RecordSize[];
  /** Undefined for an empty page. */
  last: SortKeyRow | undefined;
}

/** Finds the records of a page in a snapshot, and remembers where the page starts. */
export async function findPageContents(
  reader: Reader,
  dialect: Dialect,
  { listing, planFor, starts, position, after, perPage }: PagePlan,
): Promise<PageContents> {
  const { merchantId } = listing;
  const head = await reader.first(findPageHead, { merchantId, ...countKey(listing) });
  if (head === undefined) throw missingMerchant(merchantId);
  if (after === undefined && position >= head.total) return { ...head, records: [], last: undefined };
  const name = listingKey(listing);
  const order = orderOf(listing, head);
  starts.forgetBefore(name, order);
  const near = starts.nearest(name, position);
  const start = near?.order === order ? near : undefined;
  const offset = after === undefined ? position - (start?.position ?? 0) : 0;
  const from = after !== undefined ? 'after' : start === undefined ? 'first' : 'at';
  const rows = await reader.all(listKeys(listing, planFor(offset + perPage).plan, from, dialect), {
    ...filterValues(listing),
    ...startValues(after ?? start),
    limit: perPage,
    offset,
  });
  const [first] = rows;
  if (after === undefined && first?.key != null && first.internal_id !== null) {
    starts.remember(name, { order, position, key: first.key, internal_id: first.internal_id });
  }
  const { column, readFrom } = identifyingColumn(listing);
  const found = await lookUp(reader, findSizes(column), merchantId, rows.map(readFrom));
  const sizes = new Map(
    found.map(({ name, internal_id: internalId, bytes }) => [name, { internalId, bytes }]),
  );
  const records = rows.flatMap((row) => sizes.get(readFrom(row)) ?? []);
  return { ...head, records, last: rows.at(-1) };
}

/** Yields the bytes of the next items of a JSON array, step by step, in the given order. */
export async function* readRecords(
  reader: Reader,
  dialect: Dialect,
  {
    merchantId,
    records,
    fields,
  }: { merchantId: number; records: readonly RecordSize[]; fields: RecordFields },
): AsyncGenerator<Uint8Array[]> {
  const statement = findRecordBytes(dialect, fields);
  const slices = new TimeSlices();
  let isFirst = true;
  for (const step of inSteps(records)) {
    const ids = step.map(({ internalId }) => internalId);
    const found = new Map(
      (await lookUp(reader, statement, merchantId, ids)).map((row) => [row.internal_id, row.record]),
    );
    const parts: Uint8Array[] = [];
    for (const id of ids) {
      const record = found.get(id);
      if (record === undefined) throw new Error('A record of the page is missing.');
      if (!isFirst) parts.push(COMMA);
      if (fields === 'original' && slices.isOver) await slices.pause();
      parts.push(fields === 'original' ? spliceRecord(record) : record);
      isFirst = false;
    }
    yield parts;
  }
}

const COMMA = Buffer.from(',');

/** Groups records into steps of at most `STEP_BYTES`; a larger record is a step of its own. */
export function* inSteps(records: readonly RecordSize[]): Generator<RecordSize[]> {
  let step: RecordSize[] = [];
  let bytes = 0;
  for (const record of records) {
    if (step.length > 0 && bytes + record.bytes > STEP_BYTES) {
      yield step;
      [step, bytes] = [[], 0];
    }
    step.push(record);
    bytes += record.bytes;
  }
  if (step.length > 0) yield step;
}
