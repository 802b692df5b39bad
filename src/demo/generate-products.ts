import { productStatuses } from '../products/record/product.ts';
import type { ProductDraft, VariationDraft } from '../products/record/product-draft.ts';
import { formatTime } from '../shared/timestamps.ts';
import { brands, colors, conditions, type Department, qualities, sentences } from './assortment.ts';
import type { Random } from './random.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** In milliseconds since 1970. No other time of the product exceeds `latest`. */
interface Times {
  created: number;
  latest: number;
}

/** Equal arguments and random numbers give the same product. Its status may contradict its stock. */
export function generateProduct(
  number: number,
  { created, latest }: Times,
  departments: readonly [Department, ...Department[]],
  random: Random,
): ProductDraft {
  const department = random.pick(departments);
  const material = random.pick(department.materials);
  const title = `${random.pick(qualities)} ${material} ${random.pick(department.nouns)}`;
  const identifier = `${title.replaceAll(' ', '-').toLowerCase()}-${String(number).padStart(5, '0')}`;
  const [low, high] = department.prices;
  const retail = random.whole(low, high) + 0.95;
  const price = (share: number): number => Math.round(retail * share * 100) / 100;
  // Most statuses are derived from the stock.
  const status = random.chance(0.06) ? random.pick(productStatuses) : null;
  const image = (name: string): string => `https://images.example.com/${number}-${name}.jpg`;
  return {
    merchant: null,
    identifier,
    variations: generateVariations(identifier, department, { created, latest }, random),
    fields: {
      status,
      category: random.chance(0.03) ? null : department.category,
      title,
      description: [...Array(2)].map(() => random.pick(sentences)).join(' '),
      condition: random.pick(conditions),
      brand: random.chance(0.1) ? null : random.pick(brands),
      material,
      cost_basis: price(0.45),
      retail_price: retail,
      buy_now_price: price(0.9),
      minimum_bid_amount: price(0.3),
      reserve_price: random.chance(0.3) ? null : price(0.55),
      scheduling_fee_bid: random.chance(0.4) ? null : random.whole(1, 40) / 20,
      max_daily_schedules: random.whole(1, 20),
      campaign_name: random.chance(0.8) ? null : number % 3 === 0 ? 'Clearance' : 'Spring sale',
      shipping_price: random.pick([0, 3.9, 4.9, 6.9]),
      shipping_origin: random.pick(['Rotterdam', 'Leipzig', 'Lyon']),
      expedited_shipping_price: random.chance(0.5) ? null : 12.9,
      days_to_fulfill: random.whole(1, 4),
      days_to_deliver: random.whole(2, 8),
      expedited_days_to_deliver: random.chance(0.5) ? null : random.whole(1, 2),
      weight: random.whole(50, 4000),
      fulfillment_partner: random.chance(0.7) ? null : 'Warehouse North',
      primary_image: image('front'),
      extra_images: random.chance(0.5) ? null : `${image('back')}|${image('detail')}`,
      created_at: formatTime(created),
      updated_at: formatTime(notAfter(latest, created + random.whole(0, 60) * DAY_MS) ?? created),
    },
  };
}

function generateVariations(
  product: string,
  { sizes }: Department,
  { created, latest }: Times,
  random: Random,
): VariationDraft[] {
  const color = random.pick(colors);
  const disabledAt = notAfter(latest, created + 30 * DAY_MS);
  const soldOut = random.chance(0.12);
  const scarce = random.chance(0.12);
  return sizes.slice(0, random.whole(1, sizes.length)).map((size, index) => ({
    identifier: `${product}-${index + 1}`,
    size: sizes.length === 1 ? null : size,
    color,
    quantity: soldOut ? 0 : scarce ? random.whole(0, 1) : random.whole(0, 40),
    created_at: formatTime(created),
    disabled_at: random.chance(0.03) && disabledAt !== null ? formatTime(disabledAt) : null,
    deleted_at: null,
  }));
}

function notAfter(latest: number, time: number): number | null {
  return time <= latest ? time : null;
}

/** Makes stock and times agree with the status, which is derived if it depends on the stock. */
export function withConsistentStatus(product: ProductDraft): ProductDraft {
  const { fields, variations = [] } = product;
  const { status, updated_at: time = null } = fields;
  switch (status) {
    case 'in_stock':
    case 'low_inventory':
    case 'sold_out':
      return { ...product, fields: { ...fields, status: null } };
    case 'enabled':
      return { ...product, fields: { ...fields, status: null }, variations: [] };
    case 'disabled':
      return { ...product, fields: { ...fields, status: null, disabled_at: time } };
    case 'deleted':
      return {
        ...product,
        fields: { ...fields, status: null, deleted_at: time },
        variations: variations.map((variation) => ({ ...variation, deleted_at: time })),
      };
    default:
      return product;
  }
}
