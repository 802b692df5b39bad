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
 * What each field of a variation holds, in wire order. `assigned` ones come from the service alone;
 * times are RFC 3339 text.
 */
export const variationFields = {
  identifier: 'identifier',
  internal_id: 'assigned',
  size: 'text',
  color: 'text',
  quantity: 'count',
  created_at: 'time',
  disabled_at: 'time',
  deleted_at: 'time',
} as const;

/** What each field of a product record holds, in wire order (contract, “Product”). */
export const productFields = {
  identifier: 'identifier',
  internal_id: 'assigned',
  status: 'status',
  category: 'category',
  title: 'text',
  description: 'text',
  condition: 'text',
  brand: 'text',
  material: 'text',
  available_quantity: 'sum',
  variations: 'variations',
  cost_basis: 'amount',
  retail_price: 'amount',
  buy_now_price: 'amount',
  minimum_bid_amount: 'amount',
  reserve_price: 'amount',
  scheduling_fee_bid: 'amount',
  max_daily_schedules: 'count',
  campaign_name: 'text',
  shipping_price: 'amount',
  shipping_origin: 'text',
  expedited_shipping_price: 'amount',
  days_to_fulfill: 'count',
  days_to_deliver: 'count',
  expedited_days_to_deliver: 'count',
  weight: 'amount',
  fulfillment_partner: 'text',
  buy_one_get_one_price: 'amount',
  accessory_price: 'amount',
  accessory_description: 'text',
  primary_image: 'text',
  extra_images: 'text',
  ratings_average: 'amount',
  ratings_count: 'count',
  sales_count: 'count',
  created_at: 'time',
  updated_at: 'time',
  disabled_at: 'time',
  deleted_at: 'time',
} as const;

/** In characters. */
export const LONGEST_IDENTIFIER = 100;
/** The highest count: they fit 32 bits with a sign. */
export const MOST_COUNTED = 2 ** 31 - 1;

/** What a field of each kind holds; amounts are 0 or more, counts whole numbers from 0, sums of counts
 * those that a double holds. */
export interface FieldValues {
  identifier: string;
  assigned: number;
  status: ProductStatus;
  category: string | null;
  text: string | null;
  amount: number | null;
  count: number | null;
  sum: number | null;
  time: string | null;
  variations: Variation[];
}
export type FieldKind = keyof FieldValues;

type RecordOf<Fields extends Record<string, FieldKind>> = {
  -readonly [Name in keyof Fields]: FieldValues[Fields[Name]];
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

/** The state of a product that came in without one. `lowInventory` units or fewer are a low inventory. */
export function deriveStatus(
  product: Pick<Product, 'deleted_at' | 'disabled_at' | 'available_quantity'>,
  lowInventory: number,
): ProductStatus {
  if (product.deleted_at !== null) return 'deleted';
  if (product.disabled_at !== null) return 'disabled';
  const quantity = product.available_quantity ?? 0;
  if (quantity === 0) return 'sold_out';
  return quantity <= lowInventory ? 'low_inventory' : 'in_stock';
}
