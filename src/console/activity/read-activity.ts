import type { Reader } from '../../database/database.ts';
import { formatTime } from '../../shared/timestamps.ts';
import { decodeCursor, encodeCursor } from '../../sync/cursor.ts';
import type { ActivityEntry, ActivityList } from '../activity-api.ts';
import type {
  ActivityFilter,
  ActivitySource,
  HistorySource,
  SourceItem,
  SourcePart,
} from './activity-source.ts';
import { auditLog } from './audit-log.ts';
import { campaignCalls } from './campaign-calls.ts';
import { nameAuthors } from './name-authors.ts';
import { orderCalls } from './order-calls.ts';
import { productCalls } from './product-calls.ts';

/** What is shown together. A further history joins here and in `recordedTypes`. */
const histories: readonly HistorySource[] = [productCalls, campaignCalls];
const sources: readonly ActivitySource[] = [...histories, orderCalls, auditLog(histories)];

/** The place in a source before its newest entry. No entry has it. */
const START = '';

interface Page {
  /** A cursor; undefined for the newest entries. */
  before: string | undefined;
  limit: number;
}

/**
 * Lists what happened at a merchant, newest first. A page may be short, or empty, before the last one,
 * because it searches a limited number of entries.
 * @throws {DomainError} `invalid_parameters` for a cursor of another list
 */
export async function readActivity(
  database: Reader,
  { merchantId, filter }: { merchantId: number; filter: ActivityFilter },
  { before, limit }: Page,
): Promise<ActivityList> {
  const { type, field } = filter;
  const wanted = sources.filter(
    (source) =>
      (source.type === undefined || type === undefined || source.type === type) &&
      (source.hasFields || field === undefined),
  );
  const list = { merchantId, listing: `activity ${JSON.stringify(filter)}` };
  const types = wanted.map(() => 'text' as const);
  const places = before === undefined ? types.map(() => START) : decodeCursor('before', before, list, types);
  const parts = await Promise.all(
    wanted.map(async (source, index) => {
      const place = places[index];
      const from = place === START ? undefined : place;
      return await source.read(database, { merchantId, filter, before: from, limit: limit + 1 });
    }),
  );
  const taken = merge(parts, limit);
  const described = await Promise.all(
    parts.map(async (part, index) => await part.describe(taken.counts[index] ?? 0)),
  );
  const items = taken.order.flatMap((index) => described[index]?.shift() ?? []);
  const authors = await nameAuthors(database, merchantId, items);
  const entries = items.flatMap(({ id, at, subject }, index): ActivityEntry[] => {
    const author = authors[index];
    return author === undefined ? [] : [{ id, at: formatTime(at), ...author, ...subject }];
  });
  const next = parts.map((part, index) => placeAfter(part, taken.counts[index] ?? 0, places[index] ?? START));
  const isEnd = parts.every(
    ({ items: all, searchedTo }, index) =>
      taken.counts[index] === all.length && !isCut(all, searchedTo, limit),
  );
  return { entries, next: isEnd ? null : encodeCursor(list, next) };
}

/** Whether a source has older entries that it has not searched, for want of entries that match. */
function isCut(items: readonly SourceItem[], searchedTo: SourceItem | undefined, limit: number): boolean {
  return searchedTo !== undefined && items.length <= limit;
}

/** Returns from which parts the newest entries are, in order, and how many each part has of them. */
function merge(parts: readonly SourcePart[], limit: number): { order: number[]; counts: number[] } {
  const counts = parts.map(() => 0);
  const order: number[] = [];
  // What another source has not searched may be newer than older entries.
  const horizons = parts.map(({ items, searchedTo }) =>
    searchedTo !== undefined && isCut(items, searchedTo, limit) ? searchedTo.at : Number.MIN_SAFE_INTEGER,
  );
  const headOf = (index: number): SourceItem | undefined => {
    const head = parts[index]?.items[counts[index] ?? 0];
    const isKnown = horizons.every((horizon, other) => other === index || (head?.at ?? 0) >= horizon);
    return isKnown ? head : undefined;
  };
  while (order.length < limit) {
    let newest = -1;
    for (const index of parts.keys()) {
      const head = headOf(index);
      if (head !== undefined && head.at > (newest < 0 ? Number.MIN_SAFE_INTEGER : (headOf(newest)?.at ?? 0)))
        newest = index;
    }
    if (newest < 0) break;
    order.push(newest);
    counts[newest] = (counts[newest] ?? 0) + 1;
  }
  return { order, counts };
}

/** Returns the place in a source from which the next page reads. */
function placeAfter({ items, searchedTo }: SourcePart, count: number, start: string): string {
  if (count === items.length && searchedTo !== undefined) return searchedTo.place;
  return items[count - 1]?.place ?? start;
}
