import type { Product } from '../../src/products/record/product.ts';
import { variationOf } from '../products/fields.ts';
import { amountText, isMoney } from '../products/money-fields.ts';

/** The text of each input that was changed, by its name. */
export type Edits = Readonly<Record<string, string>>;

/** A variation to be added. Blank fields have no value. */
export interface NewVariation {
  identifier: string;
  size: string;
  color: string;
  quantity: string;
}

/** Returns the text that an input shows for a product. */
export function textOf(product: Product, name: string): string {
  const variation = variationOf(name);
  if (variation !== undefined) {
    const quantity = product.variations.find(({ identifier }) => identifier === variation)?.quantity;
    return String(quantity ?? '');
  }
  const value = product[name as keyof Product] ?? '';
  if (typeof value === 'number' && isMoney(name)) return amountText(value);
  return name === 'extra_images' ? String(value).split('|').join('\n') : String(value);
}

/** Returns the edits with one more. A text that the product already has is no edit. */
export function withEdit(edits: Edits, product: Product, name: string, text: string): Edits {
  const { [name]: _, ...others } = edits;
  return isSameText(name, text, textOf(product, name)) ? others : { ...others, [name]: text };
}

/** Returns the parameters that write the edits and add variations. A blank text clears its field. */
export function changesOf(edits: Edits, added: readonly NewVariation[] = []): Record<string, unknown> {
  const changes: Record<string, unknown> = {};
  const variations: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(edits)) {
    const identifier = variationOf(name);
    if (identifier === undefined) changes[name] = parameterOf(name, text);
    else variations[identifier] = { identifier, quantity: parameterOf(name, text) };
  }
  for (const variation of added) {
    const stated = Object.entries(variation).filter(([, text]) => text.trim() !== '');
    variations[variation.identifier] = Object.fromEntries(stated);
  }
  return Object.keys(variations).length === 0 ? changes : { ...changes, variations };
}

function parameterOf(name: string, text: string): string | null {
  if (text.trim() === '') return null;
  if (name !== 'extra_images') return text;
  const urls = text.split('\n').map((line) => line.trim());
  return urls.filter((url) => url !== '').join('|');
}

/** Returns the edits that restore what a product had in the edited inputs. */
export function inverseOf(edits: Edits, before: Product): Edits {
  return Object.fromEntries(Object.keys(edits).map((name) => [name, textOf(before, name)]));
}

/** Returns the names of the edited inputs for which someone else has saved another text. */
export function clashesOf(edits: Edits, before: Product, current: Product): string[] {
  return Object.entries(edits).flatMap(([name, text]) => {
    const now = textOf(current, name);
    return now !== textOf(before, name) && !isSameText(name, now, text) ? [name] : [];
  });
}

/** Whether two texts of a field have the same value: an amount may have zeros at its end. */
function isSameText(name: string, one: string, other: string): boolean {
  return one === other || (isMoney(name) && one !== '' && other !== '' && Number(one) === Number(other));
}
