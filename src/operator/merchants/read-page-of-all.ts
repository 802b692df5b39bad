import type { Reader } from '../../database/database.ts';
import { boundsOfSearch, type NewestPlace, START_OF_NEWEST } from '../../database/lists-of-all.ts';
import { type Mode, OPERATOR_ID } from '../../database/sides.ts';
import { readPage } from '../../http/parameters/page.ts';
import type { MerchantPlace } from '../../shared/collect-by-merchant.ts';
import { type Owner, ownersOf } from './side-of-merchant.ts';

interface Listing {
  items: string;
  side: Mode;
  /** Other parameters that select what is listed. */
  selected: readonly (string | number | undefined)[];
  query: string | undefined;
  after: string | undefined;
}

interface Part<Found, Place> {
  results: Found[];
  next: Place | undefined;
}

interface Reads<Found> {
  newest(after: NewestPlace): Promise<Part<Found, NewestPlace>>;
  search(query: string, after: MerchantPlace): Promise<Part<Found, MerchantPlace>>;
}

/**
 * Reads a page of a list of all merchants, or of a search in it. What is of a merchant that is gone is left
 * out.
 * @throws {DomainError} `invalid_parameters` for a cursor of another list
 */
export async function readPageOfAll<Found extends { merchantId: number }, Listed>(
  reader: Pick<Reader, 'all'>,
  { items, side, selected, query, after }: Listing,
  { newest, search }: Reads<Found>,
  show: (owner: Owner, found: Found) => Listed,
): Promise<{ results: Listed[]; next: string | null }> {
  const list = { merchantId: OPERATOR_ID, items, selected: [side, query, ...selected], after };
  const { results, next } = await (query === undefined
    ? readPage(list, ['integer', 'integer', 'integer'], async (place) => {
        const start = place && { createdAt: place[0], merchantId: place[1], id: place[2] };
        const { next: last, ...part } = await newest(start ?? START_OF_NEWEST);
        return { ...part, next: last && ([last.createdAt, last.merchantId, last.id] as const) };
      })
    : readPage(list, ['integer', 'integer'], async (place) => {
        const start = place && { merchantId: place[0], id: place[1] };
        const { next: last, ...part } = await search(query, start ?? boundsOfSearch[side].start);
        return { ...part, next: last && ([last.merchantId, last.id] as const) };
      }));
  const ownerOf = await ownersOf(
    reader,
    results.map(({ merchantId }) => merchantId),
  );
  return {
    results: results.flatMap((found) => {
      const owner = ownerOf(found.merchantId);
      return owner === undefined ? [] : [show(owner, found)];
    }),
    next,
  };
}
