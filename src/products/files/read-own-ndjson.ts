import { type Parsed, rejection, withIdentifier } from '../../files/parsed.ts';
import { type JsonObject, readNdjson } from '../../files/read-ndjson.ts';
import type { ProductDraft } from '../record/product-draft.ts';
import { readProduct } from './read-product-ndjson.ts';

/** A field of a product that an undo leaves alone: see `undoLines`. */
export interface LeftField {
  field: string;
  value: string | number | null;
  reason: string;
}

/** What lines can have that only the service writes. */
interface OwnMembers {
  times?: ProductDraft['times'];
  variation_order?: ProductDraft['order'];
  left?: LeftField[];
}

/**
 * Reads lines that the service itself has written: like the lines of merchants, but they can state the times
 * of statuses and the order of variations. A line with `left` is rejected for these reasons.
 */
export function readOwnNdjson(chunks: AsyncIterable<Buffer>): AsyncGenerator<Parsed<ProductDraft>[]> {
  return readNdjson(chunks, readOwn);
}

function readOwn(object: JsonObject, line: number): Parsed<ProductDraft> {
  // Safe, because the service itself has written the file.
  const { times, variation_order: order, left, ...members } = object as JsonObject & OwnMembers;
  if (left !== undefined) {
    const reasons = left.map(({ field, value, reason }) => rejection(line, field, value, reason));
    return { line, rejections: withIdentifier(reasons, String(members.identifier)) };
  }
  const parsed = readProduct(members, line);
  if ('rejections' in parsed) return parsed;
  return { line, item: { ...parsed.item, ...(times && { times }), ...(order && { order }) } };
}
