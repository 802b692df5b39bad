import type { Product } from '../../src/products/record/product.ts';
import { type Edits, textOf, withEdit } from '../product/edits.ts';

/** A new text for an input of a product. */
export interface CellChange {
  id: number;
  name: string;
  text: string;
}

/** What is known of one product in the table. */
export interface EditedProduct {
  /** The version that the edits are compared with. */
  product: Product;
  edits: Edits;
  /** What the last save said about inputs. */
  errors: Readonly<Record<string, string>>;
  /** Inputs that someone else has changed since the user saw them. */
  overtaken: readonly string[];
  /** Why the last save was rejected although no input is at fault. */
  failure: string | undefined;
  isSaved: boolean;
}

/** The products of the table by internal id. */
export type EditedProducts = ReadonlyMap<number, EditedProduct>;

/** How saving a product’s edits ended. */
export type SaveResult =
  | { kind: 'saved'; product: Product }
  /** Someone else has saved other texts in these inputs, and nothing was written. */
  | { kind: 'overtaken'; product: Product; names: string[] }
  /** The reasons by input. `message` is the reason if no input is at fault. */
  | { kind: 'rejected'; errors: Record<string, string>; message: string };

/** Returns a product without edits. */
export function unedited(product: Product): EditedProduct {
  return { product, edits: {}, errors: {}, overtaken: [], failure: undefined, isSaved: false };
}

/** Returns the text that an input of a product shows. */
export function shownText(products: EditedProducts, id: number, name: string): string {
  const each = products.get(id);
  return each === undefined ? '' : (each.edits[name] ?? textOf(each.product, name));
}

/** Returns the products with new texts in some inputs. */
export function withChanges(before: EditedProducts, changes: readonly CellChange[]): EditedProducts {
  const products = new Map(before);
  for (const { id, name, text } of changes) {
    const each = products.get(id);
    if (each === undefined) continue;
    const { [name]: _, ...errors } = each.errors;
    products.set(id, {
      ...each,
      edits: withEdit(each.edits, each.product, name, text),
      errors,
      overtaken: each.overtaken.filter((other) => other !== name),
      failure: undefined,
      isSaved: false,
    });
  }
  return products;
}

/** Returns the products after one of them was saved, or could not be. */
export function withResult(before: EditedProducts, id: number, result: SaveResult): EditedProducts {
  const each = before.get(id);
  if (each === undefined) return before;
  const clean = { ...unedited(each.product), edits: each.edits };
  const { kind } = result;
  if (kind === 'saved')
    return new Map(before).set(id, { ...clean, product: result.product, edits: {}, isSaved: true });
  if (kind === 'overtaken')
    return new Map(before).set(id, { ...clean, product: result.product, overtaken: result.names });
  const failure = Object.keys(result.errors).length === 0 ? result.message : undefined;
  return new Map(before).set(id, { ...clean, errors: result.errors, failure });
}
