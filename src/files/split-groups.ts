/** Of the stored records that the items of one transaction replace. */
const MAX_STORED_BYTES = 32 * 1024 * 1024;
const NO_SIZES: ReadonlyMap<string, number> = new Map();

/**
 * Yields the items of a batch in parts, in order. The stored records of a part, which are in memory until the
 * transaction ends, have at most `MAX_STORED_BYTES`, or are one. `sizesOf` returns the sizes of a merchant’s
 * records by name; without it, all are small.
 */
export async function* splitGroups<Merchant, Located>(
  groups: ReadonlyMap<Merchant, Located[]>,
  nameOf: (item: Located) => string,
  sizesOf: (merchant: Merchant, names: string[]) => Promise<ReadonlyMap<string, number>> = async () =>
    NO_SIZES,
): AsyncGenerator<Map<Merchant, Located[]>> {
  let part = new Map<Merchant, Located[]>();
  let bytes = 0;
  for (const [merchant, items] of groups) {
    const sizes = await sizesOf(merchant, items.map(nameOf));
    for (const item of items) {
      const size = sizes.get(nameOf(item)) ?? 0;
      if (size > 0 && bytes > 0 && bytes + size > MAX_STORED_BYTES) {
        yield part;
        part = new Map();
        bytes = 0;
      }
      bytes += size;
      const list = part.get(merchant);
      if (list === undefined) part.set(merchant, [item]);
      else list.push(item);
    }
  }
  yield part;
}
