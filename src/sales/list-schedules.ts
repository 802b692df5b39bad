import type { Database, Reader } from '../database/database.ts';
import { findCatalogState, missingMerchant } from '../database/merchant-queries.ts';
import type { OffLoopReads } from '../database/off-loop-reads.ts';
import { findTimeZone } from '../merchants/queries.ts';
import { findProductId } from '../products/record/queries.ts';
import { decodeChangesCursor, encodeChangesCursor, requireSameHistory } from '../sync/changes-cursor.ts';
import { decodeCursor, encodeCursor } from '../sync/cursor.ts';
import { type Days, periodOfDays } from './periods.ts';
import {
  listSchedulesChangedAfter,
  listSchedulesOfMonth,
  listSchedulesOfProduct,
  type ScheduleLine,
} from './queries.ts';
import { type ScheduleRecord, scheduleRecord } from './schedule-record.ts';

/** In wire order. */
export interface ScheduleList {
  results: ScheduleRecord[];
  cursor: string;
  /** Whether the list has schedules after these at present. */
  more: boolean;
}

interface ScheduleSources {
  database: Database;
  offLoop: OffLoopReads;
}

/** The name of the listing of changes in cursors. */
export const CHANGED_SCHEDULES = 'changed schedules';

/** Reading more schedules than this takes too long for the event loop. */
const MAX_ON_LOOP = 250;

interface ListRequest {
  merchantId: number;
  perPage: number;
}

/**
 * Lists schedules in the order of their last changes (contract for writing, “Staying in sync”). A client that
 * always continues at the cursor sees every schedule in its newest state: revisions become visible in
 * ascending order, because transactions lock the merchant to raise its revision.
 * @throws {DomainError} `invalid_parameters` for a cursor of another list, `cursor_expired` after a restore
 */
export async function schedulesChangedSince(
  sources: ScheduleSources,
  request: ListRequest,
  changedSince: string,
): Promise<ScheduleList> {
  const { merchantId, perPage } = request;
  const list = { merchantId, listing: CHANGED_SCHEDULES };
  const cursor = decodeChangesCursor(changedSince, list, 'text');
  const head = await sources.database.first(findCatalogState, { merchantId });
  if (head === undefined) throw missingMerchant(merchantId);
  requireSameHistory(cursor, head);
  const { revision, key } = cursor ?? { revision: 0, key: '' };
  const from = { merchantId, revision, scheduleId: String(key), limit: perPage + 1 };
  const lines = await read(sources, request, (reader) => reader.all(listSchedulesChangedAfter, from));
  return listOf(lines, perPage, (last) =>
    encodeChangesCursor(list, head.epoch, {
      revision: last?.revision ?? revision,
      key: last?.schedule_id ?? key,
    }),
  );
}

/** A list in the order of `scheduled_at`. `after` is its cursor; undefined for the beginning. */
type ListByTime = ListRequest & { after: string | undefined };

/**
 * Lists the schedules that the monthly sales of a month are calculated from, in the order of their times.
 * @throws {DomainError} `invalid_parameters` for a cursor of another list
 */
export function schedulesOfMonth(
  sources: ScheduleSources,
  request: ListByTime,
  month: string,
): Promise<ScheduleList> {
  return listByTime(sources, request, `schedules of month ${month}`, (reader, position) =>
    reader.all(listSchedulesOfMonth, { merchantId: request.merchantId, month, ...position }),
  );
}

/**
 * Lists the schedules of a product in the order of their times, on some days in the merchant's time zone;
 * undefined if there is no such product.
 * @throws {DomainError} `invalid_parameters` for a cursor of another list
 */
export async function schedulesOfProduct(
  sources: ScheduleSources,
  request: ListByTime,
  { identifier, ...days }: Days & { identifier: string },
): Promise<ScheduleList | undefined> {
  const { merchantId } = request;
  const [product, merchant] = await Promise.all([
    sources.database.first(findProductId, { merchantId, identifier }),
    sources.database.first(findTimeZone, { merchantId }),
  ]);
  if (merchant === undefined) throw missingMerchant(merchantId);
  if (product === undefined) return undefined;
  const of = { merchantId, productId: product.internal_id };
  const { from, until } = periodOfDays(merchant.time_zone, days);
  const listing = `schedules of product ${of.productId} ${days.from ?? ''} ${days.to ?? ''}`;
  return await listByTime(
    sources,
    request,
    listing,
    (reader, position) => reader.all(listSchedulesOfProduct, { ...of, until, ...position }),
    from,
  );
}

async function listByTime(
  sources: ScheduleSources,
  request: ListByTime,
  listing: string,
  readAfter: (
    reader: Reader,
    position: { time: number; scheduleId: string; limit: number },
  ) => Promise<ScheduleLine[]>,
  from = Number.MIN_SAFE_INTEGER,
): Promise<ScheduleList> {
  const { merchantId, perPage, after } = request;
  const list = { merchantId, listing };
  const [time, id] =
    after === undefined ? [from, ''] : decodeCursor('after', after, list, ['integer', 'text']);
  const position = { time: Number(time), scheduleId: String(id), limit: perPage + 1 };
  const lines = await read(sources, request, (reader) => readAfter(reader, position));
  return listOf(lines, perPage, (last) =>
    encodeCursor(list, [last?.scheduled_at ?? position.time, last?.schedule_id ?? position.scheduleId]),
  );
}

/** Runs a read of at most `perPage` rows. @throws {QueueFull} as `OffLoopReads.snapshot` */
function read<T>(
  { database, offLoop }: ScheduleSources,
  { merchantId, perPage }: ListRequest,
  work: (reader: Reader) => Promise<T>,
): Promise<T> {
  return perPage <= MAX_ON_LOOP ? work(database) : offLoop.snapshot(merchantId, work);
}

/** Lists the first `perPage` lines. `cursorAfter` returns the cursor after the last one, if any. */
function listOf(
  lines: readonly ScheduleLine[],
  perPage: number,
  cursorAfter: (last: ScheduleLine | undefined) => string,
): ScheduleList {
  const listed = lines.slice(0, perPage);
  return {
    results: listed.map(scheduleRecord),
    cursor: cursorAfter(listed.at(-1)),
    more: lines.length > perPage,
  };
}
