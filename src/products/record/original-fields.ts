import { isDeepStrictEqual } from 'node:util';
import type { RecordFields } from '../../api-keys/record-fields.ts';
import type { Problem } from '../../errors/domain-error.ts';
import type { ModerationReason } from '../../events/event-types.ts';
import { TimeSlices } from '../../shared/time-slices.ts';
import { formatTime } from '../../shared/timestamps.ts';
import { readReasons } from './catalog-events.ts';
import { isWebUrl } from './check-record.ts';
import { readOnlyReasons } from './limit-merchant-draft.ts';
import type { CatalogEntry } from './merge-product.ts';
import { type Product, renderProduct } from './product.ts';
import type { Moderation } from './product-status.ts';

/** The same URL for each size, because one image is stored. */
export type ImageSizes = Record<(typeof imageSizes)[number], string>;

export interface Upsell {
  type_description: 'buy_one_get_one' | 'accessory';
  amount: number;
  description: string | null;
}

/**
 * The fields that clients of other versions of the API read, in wire order, after the fields of `Product`.
 * They follow from the product and its moderation, and are not stored.
 */
export interface OriginalFields {
  starting_bid: number | null;
  success_fee_bid: number | null;
  success_fee_bid_enabled: boolean;
  slug: null;
  all_images: ImageSizes[];
  upsells: Upsell[];
  admin_banned_at: string | null;
  admin_hold_at: string | null;
  admin_reason: string | null;
}

export const imageSizes = ['square', 'thumbnail', 'medium', 'large', 'original'] as const;

export const originalNames = [
  'starting_bid',
  'success_fee_bid',
  'success_fee_bid_enabled',
  'slug',
  'all_images',
  'upsells',
  'admin_banned_at',
  'admin_hold_at',
  'admin_reason',
] as const satisfies (keyof OriginalFields)[];

/** All of these follow `variations` in a record. */
type Source = Pick<
  Product,
  | 'minimum_bid_amount'
  | 'scheduling_fee_bid'
  | 'buy_one_get_one_price'
  | 'accessory_price'
  | 'accessory_description'
  | 'primary_image'
  | 'extra_images'
>;

interface ModerationSource {
  moderation_reasons: readonly ModerationReason[];
  moderation: Moderation;
  moderated_at: number | null;
}

/**
 * With these fields, a record has at most this many times its stored bytes, and some thousands for the text
 * of reasons: a URL of 8 bytes and its separator become 106 bytes.
 */
export const MAX_GROWTH = 12;

/** Returns a product's record as it is stored, or with the original's fields. */
export function renderRecord({ product, basis }: CatalogEntry, fields: RecordFields): string {
  const record = renderProduct(product);
  if (fields === 'standard') return record;
  const reasons = readReasons(basis.moderation_reasons);
  return record.slice(0, -1) + renderFields(product, { ...basis, moderation_reasons: reasons });
}

/**
 * Returns a problem for each sent field whose value no record has, neither before a write nor after it: a
 * record can be sent back with changes, or copied. Null counts as not sent.
 */
export function originalProblems(
  sent: Readonly<Record<string, unknown>>,
  before: CatalogEntry | undefined,
  after: CatalogEntry,
): Problem[] {
  const shown = [after, before].flatMap((entry) => (entry === undefined ? [] : [fieldsOf(entry)]));
  return originalNames.flatMap((field) => {
    const value = sent[field] ?? null;
    const isShown = value === null || shown.some((fields) => isDeepStrictEqual(fields[field], value));
    return isShown ? [] : [{ field, value, reason: readOnlyReasons.derived }];
  });
}

/** Adds the original's fields to one item of `shownRecord`. */
export function spliceRecord(item: Uint8Array): Buffer {
  const { head, added } = spliceAt(Buffer.from(item.buffer, item.byteOffset, item.length), 0);
  return Buffer.concat([head, added]);
}

/**
 * Adds the original's fields to each item of a JSON array of items of `shownRecord`, in time slices. Returns
 * undefined if the result would exceed `maxBytes`.
 */
export async function spliceRecords(items: Buffer, maxBytes: number): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  const slices = new TimeSlices();
  let bytes = 0;
  // Each item is followed by a comma or by the bracket at the end.
  for (let start = 1; start < items.length - 1; ) {
    if (slices.isOver) await slices.pause();
    const { head, added, end } = spliceAt(items, start);
    parts.push(items.subarray(start - 1, start), head, added);
    bytes += 1 + head.length + added.length;
    if (bytes > maxBytes) return undefined;
    start = end + 1;
  }
  return parts.length === 0 ? items : Buffer.concat([...parts, items.subarray(-1)]);
}

// JSON escapes quotes inside strings, so these bytes occur only between members.
const AFTER_VARIATIONS = Buffer.from('],"cost_basis":');
const MODERATION = Buffer.from(',{"moderation_reasons":');
const AFTER_REASONS = Buffer.from('],"moderation":');
const END = '}'.charCodeAt(0);

/** Reads only the end of the record: descriptions and variations, which may be long, are copied. */
function spliceAt(items: Buffer, start: number): { head: Buffer; added: Buffer; end: number } {
  const source = items.indexOf(AFTER_VARIATIONS, start) + 2;
  const moderation = items.indexOf(MODERATION, source);
  const end = items.indexOf(END, items.indexOf(AFTER_REASONS, moderation)) + 1;
  const added = renderFields(
    JSON.parse(`{${items.toString('utf8', source, moderation)}`) as Source,
    JSON.parse(items.toString('utf8', moderation + 1, end)) as ModerationSource,
  );
  return { head: items.subarray(start, moderation - 1), added: Buffer.from(added), end };
}

function renderFields(product: Source, moderation: ModerationSource): string {
  return `,${JSON.stringify(originalFields(product, moderation)).slice(1)}`;
}

function fieldsOf({ product, basis }: CatalogEntry): OriginalFields {
  return originalFields(product, { ...basis, moderation_reasons: readReasons(basis.moderation_reasons) });
}

function originalFields(product: Source, moderation: ModerationSource): OriginalFields {
  const { moderation: state, moderated_at: at, moderation_reasons: reasons } = moderation;
  const since = (one: Moderation): string | null => (state === one && at !== null ? formatTime(at) : null);
  return {
    starting_bid: product.minimum_bid_amount,
    success_fee_bid: product.scheduling_fee_bid,
    success_fee_bid_enabled: product.scheduling_fee_bid !== null,
    slug: null,
    all_images: imagesOf(product),
    upsells: upsellsOf(product),
    admin_banned_at: since('banned'),
    admin_hold_at: since('problematic'),
    admin_reason: reasons.length === 0 ? null : reasons.map(({ message }) => message).join(' '),
  };
}

/** The main image first. */
function imagesOf({ primary_image, extra_images }: Source): ImageSizes[] {
  return [primary_image ?? '', ...(extra_images ?? '').split('|')]
    .map((url) => url.trim())
    .filter(isWebUrl)
    .map((url) => ({ square: url, thumbnail: url, medium: url, large: url, original: url }));
}

function upsellsOf({ buy_one_get_one_price, accessory_price, accessory_description }: Source): Upsell[] {
  const upsells: Upsell[] = [];
  if (buy_one_get_one_price !== null)
    upsells.push({ type_description: 'buy_one_get_one', amount: buy_one_get_one_price, description: null });
  if (accessory_price !== null)
    upsells.push({
      type_description: 'accessory',
      amount: accessory_price,
      description: accessory_description,
    });
  return upsells;
}
