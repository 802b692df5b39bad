import type { Problem } from '../../imports/parsed.ts';
import { type Product, productFields } from './product.ts';

/** Bytes of UTF-8 JSON that a record may have, its variations not counted. */
export const MAX_RECORD_BYTES = 262_144;
/** Variations that a product may have, those marked deleted included. */
export const MAX_VARIATIONS = 10_000;

/** JSON takes up to 6 bytes for a UTF-16 unit of text, and less than this for the rest of a record. */
const MAX_BYTES_A_UNIT = 6;
const MAX_OTHER_BYTES = 4_096;

/** The fields that can make a record large. */
const texts = (Object.keys(productFields) as (keyof Product)[]).filter((name) =>
  ['text', 'category'].includes(productFields[name].kind),
);

/** Why a change makes a product too large; undefined where it does not, or leaves a larger one no larger. */
export function checkRecordSize(before: Product | undefined, product: Product): Problem | undefined {
  const { length } = product.variations;
  if (length > MAX_VARIATIONS && length > (before?.variations.length ?? 0)) {
    const reason = `expected at most ${MAX_VARIATIONS} variations of a product, deleted ones included, found ${length}`;
    return { column: 'variations', value: product.identifier, reason };
  }
  if (!mayBeTooLarge(product)) return undefined;
  const bytes = bytesOf({ ...product, variations: [] });
  if (bytes <= MAX_RECORD_BYTES) return undefined;
  // Whatever else changes, such as a price or a time, is small.
  if (before !== undefined && bytesOfTexts(product) <= bytesOfTexts(before)) return undefined;
  const column = texts.reduce((one, name) => (bytesOf(product[name]) > bytesOf(product[one]) ? name : one));
  const reason = `the largest field of a record of ${bytes} bytes; expected at most ${MAX_RECORD_BYTES}, variations not counted`;
  return { column, value: product[column], reason };
}

/** False for nearly every product, without rendering it. */
function mayBeTooLarge(product: Product): boolean {
  let units = 0;
  for (const name of texts) {
    const value = product[name];
    if (typeof value === 'string') units += value.length;
  }
  return units * MAX_BYTES_A_UNIT > MAX_RECORD_BYTES - MAX_OTHER_BYTES;
}

function bytesOfTexts(product: Product): number {
  return bytesOf(texts.map((name) => product[name] ?? ''));
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
