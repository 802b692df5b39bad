import { productFields } from '../../src/products/record/product.ts';

const moneyFields = new Set(
  Object.entries(productFields).flatMap(([name, { kind }]) =>
    kind === 'amount' && name !== 'weight' ? [name] : [],
  ),
);

/** Whether a field of a product is an amount of the merchant's currency. */
export function isMoney(name: string): boolean {
  return moneyFields.has(name);
}

/** Returns the text of an amount in an input: with two decimals, or with all if it has more. */
export function amountText(value: number): string {
  const text = value.toFixed(2);
  return Number(text) === value ? text : String(value);
}

/** Returns the text of a field as people read it: an amount with its currency, other texts as they are. */
export function readableText(name: string, text: string, money: (value: number) => string): string {
  const value = Number(text);
  return isMoney(name) && text.trim() !== '' && Number.isFinite(value) ? money(value) : text;
}
