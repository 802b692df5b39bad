/** The eight statuses of a product (specification, part 3). */
export const productStatuses = [
  'in_stock',
  'enabled',
  'disabled',
  'deleted',
  'sold_out',
  'problematic',
  'low_inventory',
  'banned',
] as const;
export type ProductStatus = (typeof productStatuses)[number];

/** The conditions that a merchant may state. Products keep others. */
export const conditions = [
  'New',
  'New with Tags',
  'New with Defects',
  'Used',
  'Used - Excellent',
  'Used - Good',
  'Used - Fair',
  'Refurbished',
  'Refurbished - Manufacturer',
  'Refurbished - Seller',
] as const;

/**
 * The owner of a field; the service derives the fields of `derived` from other fields and from requests. The
 * operator may set every field except `assigned` ones. A merchant may set its own fields, and `status` and
 * `available_quantity` by the rules of `limitMerchantDraft`.
 */
type FieldOwner = 'merchant' | 'operator' | 'derived';

/**
 * The limit of texts, in characters, applies to new values only. `urls` is set for texts that are one URL, or
 * URLs separated by `|`.
 */
export type Field =
  | {
      readonly kind: 'text';
      readonly owner: FieldOwner;
      readonly maxLength: number;
      readonly urls?: 'one' | 'many';
    }
  | { readonly kind: Exclude<FieldKind, 'text'>; readonly owner: FieldOwner };

/** In wire order. Only the service sets `assigned` fields. Times are RFC 3339 text. */
export const variationFields = {
  identifier: { kind: 'identifier', owner: 'merchant' },
  internal_id: { kind: 'assigned', owner: 'derived' },
  size: { kind: 'text', owner: 'merchant', maxLength: 255 },
  color: { kind: 'text', owner: 'merchant', maxLength: 255 },
  quantity: { kind: 'count', owner: 'merchant' },
  created_at: { kind: 'time', owner: 'operator' },
  disabled_at: { kind: 'time', owner: 'merchant' },
  deleted_at: { kind: 'time', owner: 'merchant' },
} as const satisfies Record<string, Field>;

/** In wire order: the contract's fields (“Product”), then `catalog_only_at`. */
export const productFields = {
  identifier: { kind: 'identifier', owner: 'merchant' },
  internal_id: { kind: 'assigned', owner: 'derived' },
  status: { kind: 'status', owner: 'derived' },
  category: { kind: 'category', owner: 'merchant' },
  title: { kind: 'text', owner: 'merchant', maxLength: 1_000 },
  description: { kind: 'text', owner: 'merchant', maxLength: 100_000 },
  condition: { kind: 'text', owner: 'merchant', maxLength: 255 },
  brand: { kind: 'text', owner: 'merchant', maxLength: 255 },
  material: { kind: 'text', owner: 'merchant', maxLength: 255 },
  available_quantity: { kind: 'sum', owner: 'derived' },
  variations: { kind: 'variations', owner: 'merchant' },
  cost_basis: { kind: 'amount', owner: 'merchant' },
  retail_price: { kind: 'amount', owner: 'merchant' },
  buy_now_price: { kind: 'amount', owner: 'merchant' },
  minimum_bid_amount: { kind: 'amount', owner: 'merchant' },
  reserve_price: { kind: 'amount', owner: 'merchant' },
  scheduling_fee_bid: { kind: 'amount', owner: 'merchant' },
  max_daily_schedules: { kind: 'count', owner: 'merchant' },
  campaign_name: { kind: 'text', owner: 'merchant', maxLength: 255 },
  shipping_price: { kind: 'amount', owner: 'merchant' },
  shipping_origin: { kind: 'text', owner: 'merchant', maxLength: 255 },
  expedited_shipping_price: { kind: 'amount', owner: 'merchant' },
  days_to_fulfill: { kind: 'count', owner: 'merchant' },
  days_to_deliver: { kind: 'count', owner: 'merchant' },
  expedited_days_to_deliver: { kind: 'count', owner: 'merchant' },
  weight: { kind: 'amount', owner: 'merchant' },
  fulfillment_partner: { kind: 'text', owner: 'merchant', maxLength: 255 },
  buy_one_get_one_price: { kind: 'amount', owner: 'merchant' },
  accessory_price: { kind: 'amount', owner: 'merchant' },
  accessory_description: { kind: 'text', owner: 'merchant', maxLength: 10_000 },
  primary_image: { kind: 'text', owner: 'merchant', maxLength: 2_000, urls: 'one' },
  extra_images: { kind: 'text', owner: 'merchant', maxLength: 20_000, urls: 'many' },
  ratings_average: { kind: 'rating', owner: 'operator' },
  ratings_count: { kind: 'count', owner: 'operator' },
  sales_count: { kind: 'count', owner: 'operator' },
  created_at: { kind: 'time', owner: 'operator' },
  updated_at: { kind: 'time', owner: 'operator' },
  disabled_at: { kind: 'time', owner: 'derived' },
  deleted_at: { kind: 'time', owner: 'derived' },
  catalog_only_at: { kind: 'time', owner: 'derived' },
} as const satisfies Record<string, Field>;

/** In characters. */
export const MAX_IDENTIFIER = 100;
/** The maximum of a count, a signed 32-bit integer. */
export const MAX_COUNT = 2 ** 31 - 1;
/** The best rating; the worst is 0. */
export const MAX_RATING = 5;

/**
 * Amounts are 0 or more, counts are integers from 0, and sums are integers that a double represents exactly.
 * Stored ratings may be above `MAX_RATING`.
 */
export interface FieldValues {
  identifier: string;
  assigned: number;
  status: ProductStatus;
  category: string | null;
  text: string | null;
  amount: number | null;
  rating: number | null;
  count: number | null;
  sum: number | null;
  time: string | null;
  variations: Variation[];
}
export type FieldKind = keyof FieldValues;

type RecordOf<Fields extends Record<string, Field>> = {
  -readonly [Name in keyof Fields]: FieldValues[Fields[Name]['kind']];
};

export interface Variation {
  identifier: string;
  internal_id: number;
  size: string | null;
  color: string | null;
  quantity: number | null;
  created_at: string | null;
  disabled_at: string | null;
  deleted_at: string | null;
}

/** A product as the API shows it. */
export type Product = RecordOf<typeof productFields>;

/** Returns the wire form, in which records are stored: fields in order, missing values null. */
export function renderProduct(product: Product): string {
  return JSON.stringify(product);
}

/** Only for text from `renderProduct`. */
export function parseProduct(record: string): Product {
  return JSON.parse(record) as Product;
}

/** Returns the units for sale: the sum over variations that are neither disabled nor deleted. */
export function availableQuantity(variations: readonly Variation[]): number {
  let sum = 0;
  for (const { quantity, disabled_at, deleted_at } of variations) {
    if (disabled_at === null && deleted_at === null) sum += quantity ?? 0;
  }
  return sum;
}
