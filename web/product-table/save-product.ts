import type { Product } from '../../src/products/record/product.ts';
import { changesOf, clashesOf, type Edits } from '../product/edits.ts';
import { ProductChanged, readProduct } from '../products/product-version.ts';
import { saveWithRetry } from '../products/save-with-retry.ts';
import { forEach } from '../server/for-each.ts';
import { errorMessage } from '../server/server-error.ts';
import { fieldErrors } from '../ui/field-errors.ts';
import type { SaveResult } from './edited-products.ts';

/** Few at a time, so that the merchant’s other calls have their turn. */
const AT_ONCE = 4;

/** Saves the edits of products, and calls `onResult` as soon as each is done. */
export async function saveProducts(
  all: readonly { product: Product; edits: Edits }[],
  onResult: (before: Product, result: SaveResult) => void,
): Promise<void> {
  await forEach(all, AT_ONCE, async ({ product, edits }) => {
    onResult(product, await saveProduct(product, edits));
  });
}

/** Saves the edits of a product. Others’ changes of other inputs stay. */
async function saveProduct(before: Product, edits: Edits): Promise<SaveResult> {
  const clashesIn = (current: Product): string[] => clashesOf(edits, before, current);
  try {
    const version = await readProduct(String(before.internal_id));
    const { after } = await saveWithRetry(
      version,
      changesOf(edits),
      ({ product }) => clashesIn(product).length > 0,
    );
    return { kind: 'saved', product: after.product };
  } catch (error) {
    const current = error instanceof ProductChanged ? error.current.product : before;
    const names = clashesIn(current);
    if (names.length > 0) return { kind: 'overtaken', product: current, names };
    return { kind: 'rejected', errors: fieldErrors(error), message: errorMessage(error) };
  }
}
