import {
  type CursorList,
  decodeCursor,
  encodeCursor,
  type PlaceOf,
  type ValueType,
} from '../../sync/cursor.ts';
import { orNull, type Schema } from '../schema.ts';
import { cursor, int32 } from './types.ts';

/** Of a list that is read page by page, if `limit` is not sent. */
export const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 200;

export function limitParameter(items: string) {
  return {
    type: int32(1, MAX_LIMIT),
    description: `The maximum number of ${items}.`,
    default: DEFAULT_LIMIT,
  } as const;
}

/** The parameters of a list that is read page by page. */
export function pageParameters(items: string) {
  return {
    after: { type: cursor, description: 'List what follows: the `next` of the page before.' },
    limit: limitParameter(items),
  } as const;
}

/** The `next` of a page. */
export const nextSchema: Schema = orNull({
  type: 'string',
  description: 'The value of `after` for the next page; null on the last one.',
});

interface Listing {
  /** Who reads the list. */
  merchantId: number;
  /** What is listed, and with which parameters: a cursor is only of the same list. */
  items: string;
  selected?: readonly (string | number | boolean | null | undefined)[];
  after: string | undefined;
}

/**
 * Reads a page of a list. `read` gets the place that the page follows, undefined for the first page, and
 * returns the place of the last item if there are more.
 * @throws {DomainError} `invalid_parameters` for a cursor of another list
 */
export async function readPage<
  const Types extends readonly ValueType[],
  Page extends { next: PlaceOf<Types> | undefined },
>(
  { merchantId, items, selected = [], after }: Listing,
  types: Types,
  read: (place: PlaceOf<Types> | undefined) => Promise<Page>,
): Promise<Omit<Page, 'next'> & { next: string | null }> {
  const list: CursorList = { merchantId, listing: `${items} ${JSON.stringify(selected)}` };
  const page = await read(after === undefined ? undefined : decodeCursor('after', after, list, types));
  return { ...page, next: page.next === undefined ? null : encodeCursor(list, page.next) };
}
