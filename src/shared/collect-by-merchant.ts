/** A place in a list: after a record of a merchant, or after all of them if the ID is 0. */
export interface MerchantPlace {
  merchantId: number;
  id: number;
}

interface Sources<Found> {
  /** Returns the first merchants after one, in ascending order, that may have records. */
  candidates(after: number, limit: number): Promise<number[]>;
  /** Returns a merchant's records with IDs below `before`, highest first. */
  find(merchantId: number, before: number, limit: number): Promise<Found[]>;
}

/** A page looks into so many merchants, also if it is not full then. */
const MAX_MERCHANTS = 40;
const AT_ONCE = 4;

/**
 * Collects a page of records from one merchant after the other: by merchant, and within a merchant the
 * highest ID first. `next` is the place where the next page begins, undefined on the last one. If the records
 * are rare, a page can have fewer than `limit` although others follow.
 */
export async function collectByMerchant<Found extends MerchantPlace>(
  { candidates, find }: Sources<Found>,
  after: MerchantPlace,
  limit: number,
): Promise<{ found: Found[]; next: MerchantPlace | undefined }> {
  const listed = await candidates(after.merchantId, MAX_MERCHANTS);
  const merchants = after.id > 1 ? [after.merchantId, ...listed] : listed;
  const all: Found[] = [];
  for (let start = 0; start < merchants.length && all.length <= limit; start += AT_ONCE) {
    const parts = merchants.slice(start, start + AT_ONCE).map((merchantId) => {
      const before = merchantId === after.merchantId ? after.id : Number.MAX_SAFE_INTEGER;
      return find(merchantId, before, limit + 1);
    });
    all.push(...(await Promise.all(parts)).flat());
  }
  const found = all.slice(0, limit);
  const last = found.at(-1);
  if (all.length > limit && last !== undefined)
    return { found, next: { merchantId: last.merchantId, id: last.id } };
  const merchantId = listed.length < MAX_MERCHANTS ? undefined : listed.at(-1);
  return { found, next: merchantId === undefined ? undefined : { merchantId, id: 0 } };
}
