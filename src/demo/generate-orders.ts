import { acknowledge, annotate } from '../orders/change/annotate.ts';
import type { ChangeOrder } from '../orders/change/change-order.ts';
import { fulfill } from '../orders/change/fulfill.ts';
import { cancel, refund, settleRefund } from '../orders/change/refund.ts';
import { setOrderState, setPackageState } from '../orders/change/set-order-state.ts';
import type { OrderDraft } from '../orders/push/order-draft.ts';
import type { Order, PackageState } from '../orders/record/order.ts';
import type { OrderChange } from '../orders/record/order-batch.ts';
import type { ProductDraft } from '../products/record/product-draft.ts';
import type { Random } from './random.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** The oldest order's age. */
const AGE_MS = 60 * DAY_MS;
/** Younger orders are mostly not shipped yet. */
const RECENT_MS = 3 * DAY_MS;
/** Customers of orders that were closed earlier are unknown, as if their data had been erased. */
const ERASED_MS = 40 * DAY_MS;
const FIRST_ID = 1001;

/** Something that happens to an order, at a time. */
export interface DemoStep {
  at: number;
  change: (order: Order, at: number) => OrderChange | null;
}

export interface DemoOrder {
  draft: OrderDraft;
  /** In the order of their times. */
  steps: DemoStep[];
}

interface Place {
  state: string | null;
  country: string;
  postal_code: string;
}

const places: readonly [Place, ...Place[]] = [
  { state: 'CA', country: 'USA', postal_code: '90000' },
  { state: 'NY', country: 'USA', postal_code: '10000' },
  { state: 'TX', country: 'USA', postal_code: '75000' },
  { state: 'ON', country: 'CAN', postal_code: 'K1A 0A0' },
  { state: null, country: 'NLD', postal_code: '1000 AA' },
  { state: null, country: 'DEU', postal_code: '10000' },
];
interface Carrier {
  carrier: string;
  /** How tracking numbers begin, and how many digits follow. */
  prefix: string;
  digits: number;
}

const carriers: readonly [Carrier, ...Carrier[]] = [
  { carrier: 'ups', prefix: '1Z999AA1', digits: 10 },
  { carrier: 'usps', prefix: '9400', digits: 18 },
  { carrier: 'fedex', prefix: '', digits: 12 },
  { carrier: 'dhl_express', prefix: '', digits: 10 },
];
const notes = ['Gift wrap', 'Fragile: use the large box', 'Customer asked for delivery after 5 PM'] as const;

/** Generates orders of the last 60 days, oldest first. No customer is a person. */
export function generateOrders(
  products: readonly ProductDraft[],
  count: number,
  random: Random,
  now: number,
): DemoOrder[] {
  const orders: DemoOrder[] = [];
  for (let number = 0; number < count; number += 1) {
    const product = products[random.whole(0, products.length - 1)];
    if (product === undefined) break;
    // The shop sells more and more.
    const age = AGE_MS * (1 - (number + random.next()) / count) ** 1.5;
    const created = Math.floor(now - Math.max(age, HOUR_MS / 4));
    orders.push(generateOrder(product, { id: FIRST_ID + number, created, now }, random));
  }
  return orders;
}

interface Times {
  id: number;
  created: number;
  now: number;
}

function generateOrder(product: ProductDraft, { id, created, now }: Times, random: Random): DemoOrder {
  const paid = Math.min(now, created + random.whole(1, 20) * 60_000);
  const due = paid + (product.fields.days_to_fulfill ?? 2) * DAY_MS;
  const fate = fateOf(now - created, random);
  const units = fate !== 'partly_shipped' && random.chance(0.8) ? 1 : random.whole(2, 4);
  const steps = stepsOf(fate, { paid, due, now, units }, random);
  const closed = steps.at(-1)?.at ?? now;
  const isErased = ['shipped', 'refunded', 'canceled'].includes(fate) && closed < now - ERASED_MS;
  if (isErased) steps.push({ at: closed + (ERASED_MS * 3) / 4, change: erase });
  const draft = {
    merchant: null,
    external_id: `MP-${String(id).padStart(6, '0')}`,
    order_id: id,
    product_identifier: product.identifier,
    variation_identifier: product.variations?.[0]?.identifier ?? null,
    product_quantity: units,
    created_at: created,
    paid_at: isWaiting(fate) ? null : paid,
    fulfillment_due_date: due,
    status: isWaiting(fate) ? fate : ('paid' as const),
    ...amountsOf(product.fields, units, random),
    ...customerOf(id, isErased, random),
  };
  return { draft, steps };
}

/** Statuses of orders that are not paid yet. */
const waiting = ['unpaid', 'processing_payment', 'pending_consolidation_decision'] as const;
type Waiting = (typeof waiting)[number];
/** What becomes of an order. */
type Fate = Waiting | 'paid' | 'held' | 'canceled' | 'partly_shipped' | 'shipped' | 'refunded';

function fateOf(age: number, random: Random): Fate {
  const roll = random.next();
  const choices: readonly (readonly [share: number, fate: Fate])[] =
    age < RECENT_MS
      ? [
          [0.06, 'unpaid'],
          [0.12, 'processing_payment'],
          [0.18, 'pending_consolidation_decision'],
          [0.23, 'held'],
          [0.26, 'canceled'],
          [0.5, 'shipped'],
          [0.6, 'partly_shipped'],
        ]
      : [
          [0.05, 'canceled'],
          [0.12, 'refunded'],
          [0.14, 'held'],
          [0.17, 'partly_shipped'],
          [0.96, 'shipped'],
        ];
  // Of those that are long since due, only recent ones are still to be shipped.
  const fate = choices.find(([share]) => roll < share)?.[1] ?? 'paid';
  return age > 10 * DAY_MS && ['paid', 'partly_shipped', 'held'].includes(fate) ? 'shipped' : fate;
}

function isWaiting(fate: Fate): fate is Waiting {
  return waiting.some((each) => each === fate);
}

interface Life {
  paid: number;
  due: number;
  now: number;
  units: number;
}

function stepsOf(fate: Fate, { paid, due, now, units }: Life, random: Random): DemoStep[] {
  if (isWaiting(fate)) return [];
  const soon = (from: number, hours: number): number =>
    Math.min(now, from + random.whole(HOUR_MS, hours * HOUR_MS));
  const acknowledged = soon(paid, 4);
  const noted = soon(acknowledged, 3);
  const note = step(noted, annotate, { annotation: random.pick(notes) });
  const steps = [step(acknowledged, acknowledge, {}), ...(random.chance(0.06) ? [note] : [])];
  if (fate === 'held')
    steps.push(step(soon(noted, 6), setOrderState, { state: 'held', reason: 'address check' }));
  if (fate === 'canceled') {
    const canceled = soon(noted, 30);
    steps.push(step(canceled, cancel, { reason: 'out_of_stock' }), settlement(soon(canceled, 24)));
  }
  if (fate === 'partly_shipped') steps.push(...shipment(soon(noted, 20), 1, now, random));
  if (fate !== 'shipped' && fate !== 'refunded') return steps;
  const inTime = soon(noted, (due - paid) / HOUR_MS);
  const shipped = Math.min(now, random.chance(0.94) ? inTime : due + DAY_MS);
  steps.push(...shipment(shipped, units, now, random));
  if (fate === 'refunded') {
    const requested = Math.min(now, shipped + random.whole(4, 9) * DAY_MS);
    const reason = random.pick(['buyer_requested_a_return', 'in_stock_items_damaged'] as const);
    steps.push(step(requested, refund, { type: 'full', reason }), settlement(soon(requested, 48)));
  } else if (units > 1 && random.chance(0.4)) {
    const requested = soon(shipped, 60);
    const input = {
      type: 'partial',
      reason: 'in_stock_items_damaged',
      fees: ['buyer_fee'],
      quantity: 1,
    } as const;
    steps.push(step(requested, refund, { ...input, refund_id: 'refund-1' }));
    if (random.chance(0.7)) steps.push(settlement(soon(requested, 48), random.chance(0.25)));
  }
  return steps.sort((one, other) => one.at - other.at);
}

function shipment(at: number, quantity: number, now: number, random: Random): DemoStep[] {
  const { carrier, prefix, digits } = random.pick(carriers);
  let tracking_number = prefix;
  for (let digit = 0; digit < digits; digit += 1) tracking_number += random.whole(0, 9);
  const package_id = `${carrier}:${tracking_number}`;
  const steps = [step(at, fulfill, { carrier, tracking_number, quantity, shipped_at: at })];
  const scans: readonly [hours: number, state: PackageState][] = random.chance(0.02)
    ? [[90, 'untrackable']]
    : [
        [6, 'accepted'],
        [20, 'in_transit'],
        [random.whole(40, 110), 'delivered'],
      ];
  for (const [hours, state] of scans) {
    const time = at + hours * HOUR_MS + random.whole(0, HOUR_MS);
    if (time <= now) steps.push(step(time, setPackageState, { package_id, state }));
  }
  return steps;
}

function step<Input>(at: number, change: ChangeOrder<Input>, input: Input): DemoStep {
  return { at, change: (order, time) => change(order, input, time) };
}

/** Says what became of the last refund. */
function settlement(at: number, hasFailed = false): DemoStep {
  const state = hasFailed ? 'failed' : 'settled';
  return {
    at,
    change: (order, time) => {
      const refund_id = order.refunds.at(-1)?.refund_id;
      if (refund_id === undefined) return null;
      return settleRefund(
        order,
        { refund_id, state, failure: hasFailed ? 'the card has expired' : null },
        time,
      );
    },
  };
}

function erase(order: Order, at: number): OrderChange {
  return { order: { ...order, redacted_at: at }, events: [] };
}

/** Returns what a customer who is no person pays for one unit of a product, and where it is sent. */
export function generatePurchase(prices: Prices, id: number, random: Random) {
  return { ...amountsOf(prices, 1, random), ...customerOf(id, false, random) };
}

/** In the currency's major unit. */
type Prices = Pick<ProductDraft['fields'], 'buy_now_price' | 'shipping_price'>;

/** In hundredths. */
function amountsOf(fields: Prices, units: number, random: Random) {
  const buyer_fee = Math.round((fields.buy_now_price ?? 20) * 100) * units;
  const shipping_fee = Math.round((fields.shipping_price ?? 0) * 100);
  const commission = Math.round(buyer_fee * 0.12);
  const accessory = { type_description: 'accessory', amount: 4_90, description: 'Gift box' };
  return {
    available_refunds: { buyer_fee, ...(shipping_fee > 0 && { shipping_fee }) },
    seller_fees: [{ type: 'commission', amount: commission }],
    disbursement_amount: buyer_fee + shipping_fee - commission,
    upsells: random.chance(0.08) ? [accessory] : [],
  };
}

function customerOf(id: number, isErased: boolean, random: Random) {
  const { state, country, postal_code } = random.pick(places);
  const number = random.whole(1, 9_999);
  const shown = { customer_id: `customer-${number}`, state, country };
  if (isErased) return shown;
  const named = { customer_name: `Customer ${number}`, address1: `${number} Example Street` };
  return { ...shown, ...named, city: 'Sampletown', postal_code, address2: id % 9 === 0 ? 'Unit 2' : null };
}
