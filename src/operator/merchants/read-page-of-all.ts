import type { Reader } from '../../database/database.ts';
import { OPERATOR_ID } from '../../database/sides.ts';
import { decodeCursor, encodeCursor, type ValueType } from '../../sync/cursor.ts';
import { type Owner, ownersOf } from './side-of-merchant.ts';

/** After every place. */
export const LAST = Number.MAX_SAFE_INTEGER;

interface Listing {
  /** What is listed, and with which parameters: a cursor is only of the same list. */
  items: string;
  selected: readonly (string | number | null)[];
  /** What is found is in another order than what is listed. */
  isSearch: boolean;
  after: string | undefined;
}

/**
 * Reads a page of a list of all merchants. `read` gets the place that the page follows, which is empty for
 * the first one. What is of a merchant that is gone is left out.
 * @throws {DomainError} `invalid_parameters` for a cursor of another list
 */
export async function readPageOfAll<Found extends { merchantId: number }, Listed>(
  reader: Pick<Reader, 'all'>,
  { items, selected, isSearch, after }: Listing,
  read: (place: readonly number[]) => Promise<{ results: Found[]; next: number[] | undefined }>,
  show: (owner: Owner, found: Found) => Listed,
): Promise<{ results: Listed[]; next: string | null }> {
  const list = { merchantId: OPERATOR_ID, listing: `${items} ${JSON.stringify(selected)}` };
  const types: readonly ValueType[] = isSearch ? ['integer', 'integer'] : ['integer', 'integer', 'integer'];
  const { results, next } = await read(
    after === undefined ? [] : decodeCursor('after', after, list, types).map(Number),
  );
  const ownerOf = await ownersOf(
    reader,
    results.map(({ merchantId }) => merchantId),
  );
  return {
    results: results.flatMap((found) => {
      const owner = ownerOf(found.merchantId);
      return owner === undefined ? [] : [show(owner, found)];
    }),
    next: next === undefined ? null : encodeCursor(list, next),
  };
}
