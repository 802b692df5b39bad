import type { Database, Reader } from '../database/database.ts';
import { findCatalogState, missingMerchant } from '../database/merchant-queries.ts';
import type { OffLoopReads } from '../database/off-loop-reads.ts';
import { decodeChangesCursor, encodeChangesCursor, requireSameHistory } from '../sync/changes-cursor.ts';
import { decodeCursor, encodeCursor } from '../sync/cursor.ts';
import {
  findScheduledProduct,
  listSchedulesChangedAfter,
  listSchedulesOfMonth,
  listSchedulesOfProduct,
  type ScheduleLine,
} from './queries.ts';
import { type ScheduleRecord, scheduleRecord } from './schedule-record.ts';

/** A part of a list of schedules, in wire order. */
export interface ScheduleList {
  results: ScheduleRecord[];
  /** Where the list continues. */
  cursor: string;
  /** Whether the list has schedules after these at present. */
  more: boolean;
}

/** Where schedules are read from. */
export interface ScheduleSources {
  database: Database;
  offLoop: OffLoopReads;
}

/** Reading more schedules than this takes too long for the event loop. */
const MAX_ON_LOOP = 250;

/** A merchant's request for at most `perPage` schedules. */
interface ListRequest {
  merchantId: number;
  perPage: number;
}

/**
 * Lists schedules in the order of their last changes (contract for writing, “Staying in sync”). A client that continues at
 * the cursor each time sees every schedule in its newest state, however many transactions write schedules meanwhile:
 * they raise the merchant's revision while they lock the merchant, so revisions become visible in ascending order.
 * @throws {DomainError} `invalid_parameters` for a cursor of another list, `cursor_expired` for one from before a restore
 */
export async function schedulesChangedSince(
  sources: ScheduleSources,
  request: ListRequest,
  changedSince: string,
): Promise<ScheduleList> {
  const { merchantId, perPage } = request;
  const scope = { merchantId, listing: 'changed schedules' };
  const cursor = decodeChangesCursor(changedSince, scope, 'text');
  const head = await sources.database.first(findCatalogState, { merchantId });
  if (head === undefined) throw missingMerchant(merchantId);
  requireSameHistory(cursor, head);
  const { revision, key } = cursor ?? { revision: 0, key: '' };
  const from = { merchantId, revision, scheduleId: String(key), limit: perPage + 1 };
  const lines = await read(sources, request, (reader) => reader.all(listSchedulesChangedAfter, from));
  return listOf(lines, perPage, (last) =>
    encodeChangesCursor(scope, head.epoch, {
      revision: last?.revision ?? revision,
      key: last?.schedule_id ?? key,
    }),
  );
}

/** A list in the order of `scheduled_at`, and the cursor to continue at; undefined for the beginning. */
type ListByTime = ListRequest & { after: string | undefined };

/**
 * Lists the schedules of a calendar month in the merchant's time zone, in the order of their times: exactly those that
 * the monthly sales are calculated from.
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
 * Lists the schedules of a product in the order of their times; undefined if there is no such product.
 * @throws {DomainError} `invalid_parameters` for a cursor of another list
 */
export async function schedulesOfProduct(
  sources: ScheduleSources,
  request: ListByTime,
  identifier: string,
): Promise<ScheduleList | undefined> {
  const { merchantId } = request;
  const product = await sources.database.first(findScheduledProduct, { merchantId, identifier });
  if (product === undefined) return undefined;
  const productId = product.internal_id;
  return await listByTime(sources, request, `schedules of product ${productId}`, (reader, position) =>
    reader.all(listSchedulesOfProduct, { merchantId, productId, ...position }),
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
): Promise<ScheduleList> {
  const { merchantId, perPage, after } = request;
  const scope = { merchantId, listing };
  const [time, id] =
    after === undefined
      ? [Number.MIN_SAFE_INTEGER, '']
      : decodeCursor('after', after, scope, ['integer', 'text']);
  const position = { time: Number(time), scheduleId: String(id), limit: perPage + 1 };
  const lines = await read(sources, request, (reader) => readAfter(reader, position));
  return listOf(lines, perPage, (last) =>
    encodeCursor(scope, [last?.scheduled_at ?? position.time, last?.schedule_id ?? position.scheduleId]),
  );
}

/** Runs a read that returns as many rows as the request asks for. @throws {QueueFull} as `OffLoopReads.snapshot` */
function read<T>(
  { database, offLoop }: ScheduleSources,
  { merchantId, perPage }: ListRequest,
  work: (reader: Reader) => Promise<T>,
): Promise<T> {
  return perPage <= MAX_ON_LOOP ? work(database) : offLoop.snapshot(merchantId, work);
}

/** Returns a list with the first `perPage` of these lines. `cursorAfter` returns the cursor after the last one, if any. */
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
