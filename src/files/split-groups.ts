/** Of the stored records that the items of one transaction replace. */
const MAX_STORED_BYTES = 32 * 1024 * 1024;
const NO_SIZES: ReadonlyMap<string, number> = new Map();

/** What a part may have. */
interface PartLimits<Merchant> {
  /** Returns the sizes of a merchant’s stored records by name. Without it, all are small. */
  sizesOf?: ((merchant: Merchant, names: string[]) => Promise<ReadonlyMap<string, number>>) | undefined;
  /** Asked for each item. */
  maxItems?: (() => number) | undefined;
}

/**
 * Yields the items of a batch in parts, in order. The stored records of a part, which are in memory until the
 * transaction ends, have at most `MAX_STORED_BYTES`, or are one.
 */
export async function* splitGroups<Merchant, Located>(
  groups: ReadonlyMap<Merchant, Located[]>,
  nameOf: (item: Located) => string,
  { sizesOf = async () => NO_SIZES, maxItems = () => Number.POSITIVE_INFINITY }: PartLimits<Merchant> = {},
): AsyncGenerator<Map<Merchant, Located[]>> {
  let part = new Map<Merchant, Located[]>();
  let bytes = 0;
  let count = 0;
  for (const [merchant, items] of groups) {
    const sizes = await sizesOf(merchant, items.map(nameOf));
    for (const item of items) {
      const size = sizes.get(nameOf(item)) ?? 0;
      const isTooMuch = size > 0 && bytes > 0 && bytes + size > MAX_STORED_BYTES;
      if (isTooMuch || count >= maxItems()) {
        yield part;
        part = new Map();
        bytes = 0;
        count = 0;
      }
      bytes += size;
      count += 1;
      const list = part.get(merchant);
      if (list === undefined) part.set(merchant, [item]);
      else list.push(item);
    }
  }
  yield part;
}
