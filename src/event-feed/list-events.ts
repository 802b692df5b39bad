import type { Reader } from '../database/database.ts';
import { OPERATOR_ID } from '../database/sides.ts';
import { errors } from '../errors/errors.ts';
import { decodeCursor, encodeCursor } from '../sync/cursor.ts';
import { type FeedBounds, findBounds, listEventsAfter } from './queries.ts';
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

const scope = { merchantId: OPERATOR_ID, listing: 'events' };
/** Applies before the first event is numbered. */
const EMPTY: FeedBounds = { epoch: 0, last_number: 0, deleted_up_to: 0 };

/**
 * Lists up to `limit` events of all merchants in order, after a cursor, `OLDEST` or `NEXT`. A client that
 * continues with `next` misses none.
 * @throws {DomainError} `invalid_parameters` for text that is no cursor; `events_expired` if events after it
 *   were deleted, or if the database was restored since
 */
export async function listEvents(
  reader: Pick<Reader, 'first' | 'all'>,
  { after, limit }: { after: string; limit: number },
): Promise<EventList> {
  const bounds = (await reader.first(findBounds)) ?? EMPTY;
  const start = startOf(after, bounds);
  const rows = await reader.all(listEventsAfter, { after: start, limit: limit + 1 });
  const page = rows.slice(0, limit);
  // Numbers have no gaps, unless events were deleted since `bounds` was read.
  const first = page[0]?.number ?? start + 1;
  if (first !== start + 1 && after !== OLDEST) throw errors.events_expired();
  const last = page.at(-1)?.number ?? start;
  return {
    events: page.map(renderEvent),
    next: encodeCursor(scope, [bounds.epoch, last]),
    more: rows.length > limit,
  };
}

function startOf(after: string, { epoch, last_number, deleted_up_to }: FeedBounds): number {
  if (after === OLDEST) return deleted_up_to;
  if (after === NEXT) return last_number;
  const [from, number] = decodeCursor('after', after, scope, ['integer', 'integer']).map(Number);
  if (from === EMPTY.epoch && number === 0 && deleted_up_to === 0) return 0;
  if (from !== epoch || number === undefined || number < deleted_up_to || number > last_number)
    throw errors.events_expired();
  return number;
}
