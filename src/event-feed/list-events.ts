import type { Reader } from '../database/database.ts';
import { OPERATOR_ID } from '../database/sides.ts';
import { errors } from '../errors/errors.ts';
import { type EventType, operatorEventTypes } from '../events/event-types.ts';
import { type CursorList, decodeCursor, encodeCursor } from '../sync/cursor.ts';
import { type FeedBounds, findBounds, listEventsAfter, listMerchantEventsAfter } from './queries.ts';
import { renderEvent } from './render-event.ts';

interface EventList {
  /** JSON. */
  events: string[];
  next: string;
  /** Whether there are events after these. */
  more: boolean;
}

/** `after`: from the oldest event that is kept. */
export const OLDEST = 'start';
/** `after`: from the next event. */
export const NEXT = 'now';
/** The events of a page have at most 4 MB together. */
export const MAX_EVENTS = 200;

/** Applies before the first event is numbered. */
const EMPTY: FeedBounds = { epoch: 0, last_number: 0, deleted_up_to: 0 };

/**
 * Lists up to `limit` events in order, after a cursor, `OLDEST` or `NEXT`: of one side of a merchant, without
 * the `hidden` types, or with `OPERATOR_ID` all events. A client that continues with `next` misses none. The
 * cursor of a merchant without events goes on too, so that it does not expire.
 * @throws {DomainError} `invalid_parameters` for text that is no cursor; `events_expired` if events after it
 *   were deleted, or if the database was restored since
 */
export async function listEvents(
  reader: Pick<Reader, 'first' | 'all'>,
  merchantId: number,
  { after, limit, hidden = [] }: { after: string; limit: number; hidden?: readonly EventType[] },
): Promise<EventList> {
  const list = { merchantId, listing: 'events' };
  const bounds = (await reader.first(findBounds)) ?? EMPTY;
  const start = startOf(list, after, bounds);
  const rows =
    merchantId === OPERATOR_ID
      ? await reader.all(listEventsAfter, { after: start, limit: limit + 1 })
      : await reader.all(listMerchantEventsAfter, {
          ...{ merchantId, after: start, limit: limit + 1 },
          hidden: [...operatorEventTypes, ...hidden],
        });
  const page = rows.slice(0, limit);
  const more = rows.length > limit;
  const { deleted_up_to: deletedUpTo } = (await reader.first(findBounds)) ?? EMPTY;
  if (deletedUpTo > start && after !== OLDEST) throw errors.events_expired();
  const last = page.at(-1)?.number ?? start;
  // All events up to the bound were there to be read.
  const end = more ? last : Math.max(last, bounds.last_number);
  return { events: page.map(renderEvent), next: encodeCursor(list, [bounds.epoch, end]), more };
}

function startOf(list: CursorList, after: string, { epoch, last_number, deleted_up_to }: FeedBounds): number {
  if (after === OLDEST) return deleted_up_to;
  if (after === NEXT) return last_number;
  const [from, number] = decodeCursor('after', after, list, ['integer', 'integer']).map(Number);
  if (from === EMPTY.epoch && number === 0 && deleted_up_to === 0) return 0;
  if (from !== epoch || number === undefined || number < deleted_up_to || number > last_number)
    throw errors.events_expired();
  return number;
}
