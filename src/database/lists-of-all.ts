import type { MerchantPlace } from '../shared/collect-by-merchant.ts';
import { TimeSlices } from '../shared/time-slices.ts';
import { cutPage } from '../sync/cut-page.ts';
import type { Reader } from './database.ts';
import { type Lookup, lookUp } from './look-up.ts';
import type { Mode } from './sides.ts';
import type { Statement } from './statement.ts';

/** Records with the same time are in the order of their merchants and IDs. */
export interface NewestPlace extends MerchantPlace {
  createdAt: number;
}

/** The condition of an index of the records of one side of all merchants. */
export const ofSide: Readonly<Record<Mode, string>> = { live: 'merchant_id > 0', test: 'merchant_id < 0' };

/** Before the first record of a list with the newest ones first. */
export const START_OF_NEWEST: NewestPlace = {
  createdAt: Number.MAX_SAFE_INTEGER,
  merchantId: Number.MAX_SAFE_INTEGER,
  id: Number.MAX_SAFE_INTEGER,
};

/** A search goes from one merchant of a side to the next, between these, which are no merchants. */
export const boundsOfSearch: Readonly<Record<Mode, { start: MerchantPlace; end: number }>> = {
  live: { start: { merchantId: 0, id: 0 }, end: Number.MAX_SAFE_INTEGER },
  test: { start: { merchantId: Number.MIN_SAFE_INTEGER, id: 0 }, end: 0 },
};

/** Makes a page of the newest of these, of which each list has one more than `limit` if there are more. */
export function newestOf(
  lists: readonly (readonly NewestPlace[])[],
  limit: number,
): { results: NewestPlace[]; next: NewestPlace | undefined } {
  const found = lists
    .flat()
    .sort(
      (one, other) =>
        other.createdAt - one.createdAt || other.merchantId - one.merchantId || other.id - one.id,
    );
  return cutPage(found, limit, (last) => last);
}

/** A record of a place, or null if it is larger than `MAX_BYTES_WITH_PAGE`. */
export interface RecordOfPlace {
  merchant_id: number;
  id: number;
  record: string | null;
}

/** Larger records are read one by one, so that the records of a page of 200 have at most 4 MB. */
const MAX_BYTES_WITH_PAGE = 20 * 1024;

/** Selects the record of a `RecordOfPlace`. */
export function recordWithPage(column: string): string {
  return `CASE WHEN octet_length(${column}) <= ${MAX_BYTES_WITH_PAGE} THEN ${column} END AS record`;
}

/** Reads the record of one place, of any size. */
export type FindRecord = Statement<MerchantPlace, { record: string }>;

interface RecordStatements<Row> {
  /** For `lookUp`. */
  listed: Statement<Lookup<number>, Row>;
  large: FindRecord;
}

/**
 * Reads the records of a page, in its order, and returns what `keep` keeps of each. A record that is gone is
 * left out.
 */
export async function readPlaces<Row extends RecordOfPlace, Kept>(
  database: Pick<Reader, 'all' | 'first'>,
  { listed, large }: RecordStatements<Row>,
  places: readonly MerchantPlace[],
  keep: (row: Row, record: string) => Kept,
): Promise<Kept[]> {
  const byMerchant = Map.groupBy(places, ({ merchantId }) => merchantId);
  const rows = await Promise.all(
    [...byMerchant].map(([merchantId, found]) =>
      lookUp(
        database,
        listed,
        merchantId,
        found.map(({ id }) => id),
      ),
    ),
  );
  const kept = new Map<string, Kept>();
  const slices = new TimeSlices();
  for (const row of rows.flat()) {
    const record = row.record ?? (await readLarge(database, large, row));
    if (record !== undefined) kept.set(`${row.merchant_id} ${row.id}`, keep(row, record));
    await slices.pause();
  }
  return places.flatMap(({ merchantId, id }) => kept.get(`${merchantId} ${id}`) ?? []);
}

/** Returns undefined if the record is gone. */
export async function readLarge(
  database: Pick<Reader, 'first'>,
  large: FindRecord,
  { merchant_id: merchantId, id }: RecordOfPlace,
): Promise<string | undefined> {
  return (await database.first(large, { merchantId, id }))?.record;
}
