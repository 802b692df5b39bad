import { ProductChanged, type ProductVersion, showProduct, writeProduct } from './product-version.ts';

const MAX_ATTEMPTS = 3;

/** What a save has written, and the version that it replaced. */
interface Saved {
  before: ProductVersion;
  after: ProductVersion;
}

/**
 * Writes changes of a product. If someone else has saved another version meanwhile, shows and changes that
 * version, unless it `contradicts` the changes.
 * @throws {ProductChanged} with the current version if it contradicts the changes, or after three attempts
 */
export async function saveWithRetry(
  version: ProductVersion,
  changes: Record<string, unknown>,
  contradicts: (current: ProductVersion) => boolean,
): Promise<Saved> {
  let before = version;
  for (let attempt = 1; ; attempt += 1) {
    if (contradicts(before)) throw new ProductChanged('Someone else changed this product.', before);
    try {
      return { before, after: await writeProduct(before, { changes }) };
    } catch (error) {
      if (!(error instanceof ProductChanged)) throw error;
      before = error.current;
      showProduct(before);
      if (attempt === MAX_ATTEMPTS) throw error;
    }
  }
}
