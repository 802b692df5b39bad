import type { Reader } from '../database/database.ts';
import type { EventType } from '../events/event-types.ts';
import { cutPage } from '../sync/cut-page.ts';
import { listNewest, listNewestOf, listNewestOfType, listNewestOfTypeOf } from './queries.ts';
import { renderEvent } from './render-event.ts';

export interface NewestEvents {
  /** JSON. */
  events: string[];
  /** The sides of merchants, or the operator, whose events they are. */
  merchantIds: number[];
  /** The next page's `before`; undefined on the last page. */
  next: [number: number] | undefined;
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
  const { results, next } = cutPage(rows, limit, ({ number }): [number] => [number]);
  return {
    events: results.map(renderEvent),
    merchantIds: results.map(({ merchant_id: id }) => id),
    next,
  };
}
