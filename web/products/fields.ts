import type { Product } from '../../src/products/record/product.ts';

/** How a field is edited. `lines` is a list of URLs, one per line. */
export type FieldKind =
  | 'text'
  | 'long'
  | 'lines'
  | 'amount'
  | 'whole'
  | 'condition'
  | 'category'
  | 'campaign';

/** A list of the marketplace whose values are suggested where other values are possible too. */
export type SuggestedList = 'categories' | 'brands' | 'materials' | 'sizes' | 'colors' | 'countries';

/** A field of a product that the merchant owns. */
export interface ProductField {
  name: keyof Product;
  label: string;
  kind: FieldKind;
  /** Shown even if it is empty; others are behind a button until then. */
  main?: true;
  /** Takes the width of the form. */
  wide?: true;
  hint?: string;
  /** The list of the marketplace whose values are suggested. */
  list?: SuggestedList;
}

export interface FieldGroup {
  title: string;
  fields: readonly ProductField[];
}

export const details: FieldGroup = {
  title: 'Details',
  fields: [
    { name: 'title', label: 'Title', kind: 'text', main: true, wide: true },
    { name: 'description', label: 'Description', kind: 'long', main: true, wide: true },
    {
      name: 'category',
      label: 'Category',
      kind: 'category',
      main: true,
      wide: true,
      hint: 'Use | between levels, like Home | Garden.',
    },
    { name: 'condition', label: 'Condition', kind: 'condition', main: true },
    { name: 'brand', label: 'Brand', kind: 'text', main: true, list: 'brands' },
    { name: 'material', label: 'Material', kind: 'text', list: 'materials' },
  ],
};

export const images: FieldGroup = {
  title: 'Images',
  fields: [
    { name: 'primary_image', label: 'Main image', kind: 'text', main: true, wide: true, hint: 'Image URL' },
    {
      name: 'extra_images',
      label: 'More images',
      kind: 'lines',
      main: true,
      wide: true,
      hint: 'One URL per line',
    },
  ],
};

export const prices: FieldGroup = {
  title: 'Prices',
  fields: [
    { name: 'buy_now_price', label: 'Buy-now price', kind: 'amount', main: true },
    { name: 'retail_price', label: 'Retail price', kind: 'amount', main: true },
    { name: 'cost_basis', label: 'Cost basis', kind: 'amount', main: true },
    { name: 'minimum_bid_amount', label: 'Minimum bid', kind: 'amount', main: true },
    { name: 'reserve_price', label: 'Reserve price', kind: 'amount', main: true },
    { name: 'buy_one_get_one_price', label: 'BOGO price', kind: 'amount', hint: 'Buy one, get one' },
    { name: 'accessory_price', label: 'Accessory price', kind: 'amount' },
    { name: 'accessory_description', label: 'Accessory description', kind: 'long', wide: true },
  ],
};

export const auctions: FieldGroup = {
  title: 'Auctions',
  fields: [
    { name: 'scheduling_fee_bid', label: 'Scheduling fee bid', kind: 'amount', main: true },
    { name: 'max_daily_schedules', label: 'Max schedules per day', kind: 'whole', main: true },
    { name: 'campaign_name', label: 'Campaign', kind: 'campaign', main: true },
  ],
};

export const shipping: FieldGroup = {
  title: 'Shipping',
  fields: [
    { name: 'shipping_price', label: 'Shipping price', kind: 'amount', main: true },
    { name: 'days_to_fulfill', label: 'Handling days', kind: 'whole', main: true },
    { name: 'days_to_deliver', label: 'Delivery days', kind: 'whole', main: true },
    { name: 'expedited_shipping_price', label: 'Expedited shipping price', kind: 'amount' },
    { name: 'expedited_days_to_deliver', label: 'Expedited delivery days', kind: 'whole' },
    { name: 'shipping_origin', label: 'Ships from', kind: 'text', list: 'countries' },
    { name: 'weight', label: 'Weight', kind: 'amount' },
    { name: 'fulfillment_partner', label: 'Fulfillment partner', kind: 'text' },
  ],
};

/** The stock of a product without variations. */
export const stockField: ProductField = {
  name: 'available_quantity',
  label: 'Units in stock',
  kind: 'whole',
  main: true,
};

const groups = [details, images, prices, auctions, shipping];
const labels = new Map<string, string>(
  [...groups.flatMap(({ fields }) => fields), stockField].map(({ name, label }) => [name, label]),
);

/** Returns the label of a field, or of the quantity of a variation. */
export function labelOf(name: string): string {
  const variation = variationOf(name);
  return variation === undefined ? (labels.get(name) ?? name) : `Stock of ${variation}`;
}

/** Whether the form has an input for a parameter of the server’s messages. */
export function hasInput(name: string): boolean {
  return labels.has(name) || name.startsWith('variations[');
}

/** Returns the name of the input for the quantity of a variation: the server’s name for the parameter. */
export function quantityName(variation: string): string {
  return `variations[${variation}][quantity]`;
}

/** Returns the variation whose quantity an input of this name changes. */
export function variationOf(name: string): string | undefined {
  return /^variations\[(.*)\]\[quantity\]$/s.exec(name)?.[1];
}
