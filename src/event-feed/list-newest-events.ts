import type { Reader } from '../database/database.ts';
import type { EventType } from '../events/event-types.ts';
import { listNewest, listNewestOf, listNewestOfType, listNewestOfTypeOf } from './queries.ts';
import { renderEvent } from './render-event.ts';

export interface NewestEvents {
  /** JSON. */
  events: string[];
  /** The next page's `before`; null on the last page. */
  next: number | null;
}

/**
 * Lists the newest events of all merchants, or of one side of a merchant and of one type, from the event
 * before `before` on. For people who look for something: `listEvents` misses no event.
 */
export async function listNewestEvents(
  reader: Pick<Reader, 'all'>,
  {
    merchantId,
    type,
    before = Number.MAX_SAFE_INTEGER,
    limit,
  }: {
    merchantId?: number | undefined;
    type?: EventType | undefined;
    before?: number | undefined;
    limit: number;
  },
): Promise<NewestEvents> {
  const page = { before, limit: limit + 1 };
  const rows =
    merchantId === undefined
      ? type === undefined
        ? await reader.all(listNewest, page)
        : await reader.all(listNewestOfType, { ...page, type })
      : type === undefined
        ? await reader.all(listNewestOf, { ...page, merchantId })
        : await reader.all(listNewestOfTypeOf, { ...page, merchantId, type });
  const listed = rows.slice(0, limit);
  return {
    events: listed.map(renderEvent),
    next: rows.length > limit ? (listed.at(-1)?.number ?? null) : null,
  };
}
