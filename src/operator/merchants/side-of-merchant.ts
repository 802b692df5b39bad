import type { Reader } from '../../database/database.ts';
import { liveSideOf, type Mode, testSideOf } from '../../database/sides.ts';
import { findMerchantsByIds, MERCHANTS_AT_ONCE } from '../../merchants/queries.ts';
import { partsOf } from '../../shared/parts-of.ts';
import { merchantInQuery } from './merchant-parameters.ts';

/**
 * Returns the side that a list of all merchants shows, and the ID of that side of `merchant`, if it is sent.
 * @throws {DomainError} `invalid_parameters`
 */
export async function sideOf(
  reader: Pick<Reader, 'first'>,
  { merchant, test = false }: { merchant?: string | undefined; test?: boolean | undefined },
): Promise<{ side: Mode; merchantId: number | undefined }> {
  const side = test ? 'test' : 'live';
  if (merchant === undefined) return { side, merchantId: undefined };
  const { id } = await merchantInQuery(reader, 'merchant', merchant);
  return { side, merchantId: test ? testSideOf(id) : id };
}

/** A merchant, and the currency of its amounts. */
export interface Owner {
  merchant: { external_id: string; name: string };
  /** ISO 4217. */
  currency: string;
}

/** Returns the merchants of IDs of either side, by the merchant’s ID. */
export async function ownersOf(
  reader: Pick<Reader, 'all'>,
  ids: readonly number[],
): Promise<(side: number) => Owner | undefined> {
  const distinct = [...new Set(ids.map(liveSideOf))];
  const parts = [...partsOf(distinct, MERCHANTS_AT_ONCE)];
  const rows = (await Promise.all(parts.map((part) => reader.all(findMerchantsByIds, { ids: part })))).flat();
  const owners = new Map(
    rows.map(({ id, external_id, name, currency }) => [id, { merchant: { external_id, name }, currency }]),
  );
  return (side) => owners.get(liveSideOf(side));
}
