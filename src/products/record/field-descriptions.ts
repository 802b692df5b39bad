import type { Product, Variation } from './product.ts';

export const identifierRule =
  'Letters and digits of any script, spaces, periods, dashes, and underscores, without spaces at either end; not `.` or `..`.';

const amount = (what: string, example: number): string =>
  `${what}, in the merchant’s currency, such as ${example}.`;

export const variationDescriptions: Record<keyof Variation, string> = {
  identifier: `The unique ID. ${identifierRule}`,
  internal_id: 'Assigned by the service.',
  size: 'The size, such as `S`.',
  color: 'The color, such as `Sand`.',
  quantity: 'Units in stock.',
  created_at: 'The time of creation.',
  disabled_at: 'The time at which the variation was disabled; null if it is not disabled.',
  deleted_at: 'The time at which the variation was deleted; null if it is not deleted.',
};

export const productDescriptions: Record<keyof Product, string> = {
  identifier: `The unique ID within the merchant’s catalog. ${identifierRule} Sort key \`unique_id\`.`,
  internal_id: 'Assigned by the service. Breaks ties in sorting.',
  status: 'The product’s status, which follows from its stock, its moderation, and whether it is enabled.',
  category: 'Category levels, separated by ` | `.',
  title: 'The title that customers see, such as `Stoneware vase`.',
  description: 'The description that customers read.',
  condition: 'The condition, such as `New` or `Used - Good`.',
  brand: 'The brand, such as `Harbour Home`.',
  material: 'The material, such as `Stoneware`.',
  available_quantity:
    'Units in stock. With variations, the sum of the quantities of the variations that are neither disabled nor deleted.',
  variations: 'The variations, such as sizes and colors.',
  cost_basis: `${amount('What one unit costs the merchant', 14.5)} Sort key \`target_price\`.`,
  retail_price: amount('The regular retail price of one unit', 39.95),
  buy_now_price: amount('The price for buying one unit without bidding', 34.95),
  minimum_bid_amount: amount('The bid at which an auction of the product starts', 12),
  reserve_price: `${amount('The lowest price at which an auction sells the product', 19.5)} Sort key \`reserve_price\`.`,
  scheduling_fee_bid: `${amount('The bid for scheduling the product', 0.75)} Sort key \`sfb\`.`,
  max_daily_schedules:
    'The maximum number of schedules, which are auctions of the product, per day, such as 6.',
  campaign_name: 'The name of the campaign that advertises the product, such as `Spring sale`.',
  shipping_price: amount('The price of standard shipping', 4.9),
  shipping_origin: 'The place that the product ships from, such as `Rotterdam`.',
  expedited_shipping_price: amount('The price of expedited shipping', 12.9),
  days_to_fulfill: 'The number of days from the order until the product ships, such as 1.',
  days_to_deliver: 'The number of days that standard shipping takes, such as 3.',
  expedited_days_to_deliver: 'The number of days that expedited shipping takes, such as 1.',
  weight:
    'The weight, such as 1250, in the unit that the marketplace uses, such as grams. The service does not convert it.',
  fulfillment_partner: 'The company that ships the product, if it is not the merchant.',
  buy_one_get_one_price: amount('The price of the offer “buy one, get one”', 49.9),
  accessory_price: amount('The price of the accessory that is offered with the product', 5.5),
  accessory_description: 'The accessory that is offered with the product, such as `Felt pad`.',
  primary_image: 'The URL of the main image, such as `https://images.example.com/vase-7.jpg`.',
  extra_images: 'URLs of more images, separated by `|`.',
  ratings_average: 'The average of the ratings, from 0 to 5, such as 4.6. Sort key `ratings`.',
  ratings_count: 'The number of ratings.',
  sales_count: 'The number of sales. Sort key `sales`.',
  created_at: 'The time of creation.',
  updated_at: 'The time of the last edit. Sales do not change it.',
  disabled_at: 'The time at which the product was disabled; null if it is not disabled.',
  deleted_at: 'The time at which the product was deleted; null if it is not deleted.',
  catalog_only_at:
    'The time since which the product is sold only from the catalog, and never placed in auctions; null if it can be placed.',
};
