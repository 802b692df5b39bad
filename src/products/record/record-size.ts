import type { Problem } from '../../errors/domain-error.ts';
import { type Product, productFields } from './product.ts';

/** The maximum size of a record as UTF-8 JSON, not counting its variations. */
export const MAX_RECORD_BYTES = 262_144;
/** The maximum number of variations of a product, including deleted ones. */
export const MAX_VARIATIONS = 10_000;

/** JSON needs up to 6 bytes for a UTF-16 unit of text, and up to `MAX_OTHER_BYTES` for the rest. */
const MAX_BYTES_PER_UNIT = 6;
const MAX_OTHER_BYTES = 4_096;

const texts = (Object.keys(productFields) as (keyof Product)[]).filter((name) =>
  ['text', 'category'].includes(productFields[name].kind),
);

/** Returns a problem if a product is too large. An already larger one must not grow. */
export function checkRecordSize(before: Product | undefined, product: Product): Problem | undefined {
  const { length } = product.variations;
  if (length > MAX_VARIATIONS && length > (before?.variations.length ?? 0)) {
    const reason = `expected at most ${MAX_VARIATIONS} variations, including deleted ones, found ${length}`;
    return { field: 'variations', value: product.identifier, reason };
  }
  if (!mayBeTooLarge(product)) return undefined;
  const bytes = bytesOf({ ...product, variations: [] });
  if (bytes <= MAX_RECORD_BYTES) return undefined;
  // All other fields, such as prices and times, are small.
  if (before !== undefined && bytesOfTexts(product) <= bytesOfTexts(before)) return undefined;
  const field = texts.reduce((one, name) => (bytesOf(product[name]) > bytesOf(product[one]) ? name : one));
  const expected = `expected a record of at most ${MAX_RECORD_BYTES} bytes without its variations`;
  const reason = `${expected}, found ${bytes}; this is its largest field`;
  return { field, value: product[field], reason };
}

/** Rules out nearly all products without rendering them. */
function mayBeTooLarge(product: Product): boolean {
  let units = 0;
  for (const name of texts) {
    const value = product[name];
    if (typeof value === 'string') units += value.length;
  }
  return units * MAX_BYTES_PER_UNIT > MAX_RECORD_BYTES - MAX_OTHER_BYTES;
}

function bytesOfTexts(product: Product): number {
  return bytesOf(texts.map((name) => product[name] ?? ''));
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
