import { OPERATOR } from '../../src/audit/record-audit.ts';
import { parseConfig } from '../../src/config.ts';
import type { Database } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { measureBacklog } from '../../src/event-feed/backlog.ts';
import { findMerchant } from '../../src/merchants/find-merchant.ts';
import { itemMerchants } from '../../src/merchants/item-merchants.ts';
import { importOrders } from '../../src/orders/push/import-orders.ts';
import type { OrderDraft } from '../../src/orders/push/order-draft.ts';
import type { OrderStatus } from '../../src/orders/record/order.ts';
import type { ProductDraft } from '../../src/products/record/product-draft.ts';
import { vaultOf } from '../../test/support/orders.ts';
import { until } from '../../test/support/until.ts';
import type { Settings } from '../engines/engine.ts';
import { parsedBatches } from './build-database.ts';

const FIRST_TIME = Date.UTC(2025, 0, 1);
const SPACING_MS = 40_000;
/** Later than any run, so that no order is overdue. */
const FIRST_DUE = Date.UTC(2040, 0, 1);
const NUMBERING_MS = 1_800_000;
const mixture: readonly OrderStatus[] = [
  ...(['paid', 'shipped', 'shipped', 'paid', 'refunded'] as const),
  ...(['shipped', 'paid', 'shipped', 'canceled', 'shipped'] as const),
];

interface OrderPlan {
  /** Sold in turn. */
  products: readonly Pick<ProductDraft, 'identifier'>[];
  /** What the external IDs begin with, before a number from 1. */
  prefix?: string;
  /** The time before the first order, in milliseconds since 1970. Default: the year 2025 begins. */
  before?: number;
  /** By number. Default: `mixedStatus`. */
  statusOf?: (number: number) => OrderStatus;
}

/** Orders with a customer and two fees each, about 1.5 KB as a record. Their IDs are their numbers. */
export function* generateOrderDrafts(
  count: number,
  { products, prefix = 'O-', before = FIRST_TIME, statusOf = mixedStatus }: OrderPlan,
): Generator<OrderDraft> {
  for (let number = 1; number <= count; number += 1) {
    const created_at = before + number * SPACING_MS;
    const status = statusOf(number);
    const buyer_fee = 1_000 + (number % 9_000);
    yield {
      merchant: null,
      external_id: `${prefix}${number}`,
      product_identifier: products[number % products.length]?.identifier ?? '',
      product_quantity: 1 + (number % 2),
      status,
      created_at,
      // Neither order of times is the order of the IDs.
      paid_at: created_at + ((number * 7_919) % 100) * SPACING_MS,
      fulfillment_due_date: FIRST_DUE + ((number * 104_729) % 1_000_003) * SPACING_MS,
      available_refunds: { buyer_fee, shipping_fee: 490 },
      disbursement_amount: buyer_fee,
      seller_fees: [{ type: 'commission', amount: Math.round(buyer_fee / 10) }],
      customer_id: `customer-${number % 1_000}`,
      customer_name: `Customer ${number % 1_000}`,
      address1: `${number % 300} Example Street`,
      city: 'Sampletown',
      postal_code: '90000',
      state: 'CA',
      country: 'USA',
      ...(status === 'shipped' && { carrier: 'ups', tracking_number: `1Z${number}` }),
    };
  }
}

/** A draft as a line of a stream, without the line's end. */
export function orderLine({ merchant: _, ...draft }: OrderDraft): string {
  const time = (at: number | null | undefined): string | undefined =>
    at == null ? undefined : new Date(at).toISOString();
  return JSON.stringify({
    ...draft,
    created_at: time(draft.created_at),
    paid_at: time(draft.paid_at),
    fulfillment_due_date: time(draft.fulfillment_due_date),
    available_refunds: Object.fromEntries(
      Object.entries(draft.available_refunds ?? {}).map(([fee, amount]) => [fee, amount / 100]),
    ),
    disbursement_amount: (draft.disbursement_amount ?? 0) / 100,
    seller_fees: (draft.seller_fees ?? []).map((fee) => ({ ...fee, amount: fee.amount / 100 })),
  });
}

/** Of ten orders, three are to be shipped, five are shipped, and one each is refunded or canceled. */
export function mixedStatus(number: number): OrderStatus {
  return mixture[number % mixture.length] ?? 'paid';
}

/** Imports orders of a merchant. @throws {Error} if one is rejected */
export async function fillOrders(
  { settings, database }: { settings: Record<string, string>; database: Database },
  merchantName: string,
  drafts: Iterable<OrderDraft>,
): Promise<void> {
  const config = parseConfig(settings);
  const merchant = await findMerchant({ database }, merchantName);
  if (merchant === undefined) throw new Error(`no merchant ${merchantName}`);
  const store = { config, database, now: Date.now };
  const { lowInventory } = config;
  const services = { ...store, who: OPERATOR, customers: vaultOf(store), lowInventory };
  const summary = await importOrders(services, parsedBatches(drafts), {
    merchants: itemMerchants(database, merchant),
    dryRun: false,
    onRejected: () => {},
    onRepeated: () => {},
  });
  if (summary.rejected > 0) throw new Error(`imported ${JSON.stringify(summary)}`);
}

/** Resolves once the service has numbered the events of all orders: it would do so during a measurement. */
export async function untilNumbered(settings: Settings): Promise<void> {
  const database = await openDatabase(parseConfig(settings), Date.now());
  try {
    const isEmpty = async (): Promise<boolean> =>
      (await measureBacklog(database, database.dialect)).waiting === 0;
    await until(isEmpty, { timeoutMs: NUMBERING_MS, intervalMs: 500 });
  } finally {
    await database.close();
  }
}
