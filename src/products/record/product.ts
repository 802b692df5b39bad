/** The eight states of a product (specification, part 3). */
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

/**
 * Who decides what a field holds: the merchant, the marketplace operator, or the service, which derives it from
 * other fields and calls. The operator may state every field but `assigned` ones; a merchant may state its own.
 */
export type FieldOwner = 'merchant' | 'operator' | 'derived';

/** What one field holds and who owns it. Texts have a limit, in characters, for what is stated from now on. */
export type Field =
  | { readonly kind: 'text'; readonly owner: FieldOwner; readonly maxLength: number }
  | { readonly kind: Exclude<FieldKind, 'text'>; readonly owner: FieldOwner };

/**
 * The fields of a variation, in wire order. `assigned` ones come from the service alone; times are RFC 3339 text.
 */
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

/** The fields of a product record, in wire order (contract, “Product”). */
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
  primary_image: { kind: 'text', owner: 'merchant', maxLength: 2_000 },
  extra_images: { kind: 'text', owner: 'merchant', maxLength: 20_000 },
  ratings_average: { kind: 'rating', owner: 'operator' },
  ratings_count: { kind: 'count', owner: 'operator' },
  sales_count: { kind: 'count', owner: 'operator' },
  created_at: { kind: 'time', owner: 'operator' },
  updated_at: { kind: 'time', owner: 'operator' },
  disabled_at: { kind: 'time', owner: 'derived' },
  deleted_at: { kind: 'time', owner: 'derived' },
} as const satisfies Record<string, Field>;

/** In characters. */
export const LONGEST_IDENTIFIER = 100;
/** The highest count: they fit 32 bits with a sign. */
export const MOST_COUNTED = 2 ** 31 - 1;
/** The best rating; the worst is 0. */
export const HIGHEST_RATING = 5;

/**
 * What a field of each kind holds. Amounts are 0 or more, counts are whole numbers from 0, and sums are whole
 * numbers that a double holds exactly. Stored ratings may be above `HIGHEST_RATING`.
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

/** A variation as the product record shows it. */
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

/** The wire form of a product: its fields in order, absent values null. Stored as it is sent. */
export function renderProduct(product: Product): string {
  return JSON.stringify(product);
}

/** The product whose wire form this is; only for text that `renderProduct` made. */
export function parseProduct(record: string): Product {
  return JSON.parse(record) as Product;
}

/** Units on sale: the sum over the variations that are neither disabled nor deleted. */
export function availableQuantity(variations: readonly Variation[]): number {
  let sum = 0;
  for (const { quantity, disabled_at, deleted_at } of variations) {
    if (disabled_at === null && deleted_at === null) sum += quantity ?? 0;
  }
  return sum;
}
