import type { Product } from '../../src/products/record/product.ts';
import { amountText } from './money-fields.ts';

/** A value of a product that the list can change: as text, and as a change of the product. */
export interface InlineValue {
  label: string;
  /** Whether it is an amount of the merchant's currency. */
  isMoney?: true;
  textOf(product: Product): string;
  /** Returns the product with a new value, to be shown until the server has saved it. */
  withText(product: Product, text: string): Product;
  /** Returns the parameters that write a text. A blank text clears the value. */
  changes(text: string): Record<string, unknown>;
}

export const priceValue: InlineValue = {
  label: 'Price',
  isMoney: true,
  textOf: ({ buy_now_price: price }) => (price === null ? '' : amountText(price)),
  withText: (product, text) => ({ ...product, buy_now_price: numberOf(text) }),
  changes: (text) => ({ buy_now_price: parameterOf(text) }),
};

const ownStock: InlineValue = {
  label: 'Stock',
  textOf: ({ status, available_quantity: units }) => (status === 'enabled' ? '' : String(units ?? '')),
  withText: (product, text) => ({ ...product, available_quantity: numberOf(text) }),
  changes: (text) => ({ available_quantity: parameterOf(text) }),
};

/** Returns the stock of a product as one value; undefined if it is the sum of several variations. */
export function stockValue({ variations }: Product): InlineValue | undefined {
  if (variations.length === 0) return ownStock;
  const [variation, ...others] = variations.filter(({ deleted_at: deleted }) => deleted === null);
  if (variation === undefined || others.length > 0 || variation.disabled_at !== null) return undefined;
  const { identifier } = variation;
  return {
    label: 'Stock',
    textOf: (product) =>
      String(product.variations.find((each) => each.identifier === identifier)?.quantity ?? ''),
    withText: (product, text) => ({
      ...product,
      available_quantity: numberOf(text),
      variations: product.variations.map((each) =>
        each.identifier === identifier ? { ...each, quantity: numberOf(text) } : each,
      ),
    }),
    changes: (text) => ({ variations: { [identifier]: { identifier, quantity: parameterOf(text) } } }),
  };
}

function parameterOf(text: string): string | null {
  return text.trim() === '' ? null : text.trim();
}

/** Returns the number in a text; null if it is blank or not a number. */
export function numberOf(text: string): number | null {
  const number = Number(text);
  return text.trim() === '' || !Number.isFinite(number) ? null : number;
}
