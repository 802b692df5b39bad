import type { Dialect, Reader } from '../../database/database.ts';
import { lookUp } from '../../database/look-up.ts';
import { countKey, type Listing } from './listing.ts';
import type { Start } from './page-starts.ts';
import {
  filterValues,
  findPageHead,
  findRecordBytes,
  findSizes,
  identifyingColumn,
  type KeyRow,
  listKeys,
  type PageRow,
  type Plan,
  startValues,
} from './queries.ts';

/** The number of bytes of records to read in one step. */
const STEP_BYTES = 1024 * 1024;

/** A product's record on a page. */
interface RecordSize {
  internalId: number;
  bytes: number;
}

/** A page, and how to find it. */
export interface PagePlan {
  listing: Listing;
  plan: Plan;
  /** A known start at or before the page. It is used only if the catalog still has its revision. */
  near: Start | undefined;
  /** The number of products before the page. */
  position: number;
  perPage: number;
}

/** The records of a page that are still to be read. */
export interface PageContents extends PageRow {
  /** Null for an empty page. */
  first: KeyRow | null;
  records: RecordSize[];
}

/** Finds the records of a page in a snapshot. */
export async function findPageContents(
  reader: Reader,
  dialect: Dialect,
  { listing, plan, near, position, perPage }: PagePlan,
): Promise<PageContents> {
  const { merchantId } = listing;
  const head = await reader.first(findPageHead, { merchantId, ...countKey(listing) });
  if (head === undefined) throw new Error('The caller’s merchant does not exist.');
  if (position >= head.total) return { ...head, first: null, records: [] };
  const from = near?.revision === head.revision ? near : undefined;
  const rows = await reader.all(listKeys(listing, plan, from !== undefined, dialect), {
    ...filterValues(listing),
    ...startValues(from),
    limit: perPage,
    offset: position - (from?.position ?? 0),
  });
  const { column, readFrom } = identifyingColumn(listing);
  const found = await lookUp(reader, findSizes(column), merchantId, rows.map(readFrom));
  const sizes = new Map(
    found.map(({ name, internal_id: internalId, bytes }) => [name, { internalId, bytes }]),
  );
  const records = rows.flatMap((row) => sizes.get(readFrom(row)) ?? []);
  return { ...head, first: rows[0] ?? null, records };
}

/** Reads records in the given order, in steps. Each step yields the bytes of the next items of a JSON array. */
export async function* readRecords(
  reader: Reader,
  dialect: Dialect,
  merchantId: number,
  records: readonly RecordSize[],
): AsyncGenerator<Uint8Array[]> {
  const statement = findRecordBytes(dialect);
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
      parts.push(record);
      isFirst = false;
    }
    yield parts;
  }
}

const COMMA = Buffer.from(',');

/** Groups records into steps of at most `STEP_BYTES`; a larger record is a step of its own. */
function* inSteps(records: readonly RecordSize[]): Generator<RecordSize[]> {
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
