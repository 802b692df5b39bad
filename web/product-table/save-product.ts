import type { Product } from '../../src/products/record/product.ts';
import { changesOf, clashesOf, type Edits } from '../product/edits.ts';
import { ProductChanged, readProduct, writeProduct } from '../products/product-version.ts';
import { errorMessage } from '../server/server-error.ts';
import { fieldErrors } from '../ui/field-errors.ts';
import type { SaveResult } from './edited-products.ts';

const MAX_ATTEMPTS = 3;
/** Few at a time, so that the merchant’s other calls have their turn. */
const AT_ONCE = 4;

/** Saves the edits of products, and calls `onResult` as soon as each is done. */
export async function saveProducts(
  all: readonly { product: Product; edits: Edits }[],
  onResult: (before: Product, result: SaveResult) => void,
): Promise<void> {
  const waiting = [...all];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      onResult(next.product, await saveProduct(next.product, next.edits));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** Saves the edits of a product. Others’ changes of other inputs stay. */
async function saveProduct(before: Product, edits: Edits): Promise<SaveResult> {
  try {
    let version = await readProduct(String(before.internal_id));
    for (let attempt = 1; ; attempt += 1) {
      const names = clashesOf(edits, before, version.product);
      if (names.length > 0) return { kind: 'overtaken', product: version.product, names };
      try {
        const { product } = await writeProduct(version, { changes: changesOf(edits) });
        return { kind: 'saved', product };
      } catch (error) {
        if (!(error instanceof ProductChanged) || attempt === MAX_ATTEMPTS) throw error;
        version = error.current;
      }
    }
  } catch (error) {
    return { kind: 'rejected', errors: fieldErrors(error), message: errorMessage(error) };
  }
}
