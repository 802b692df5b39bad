import type { WriteContext } from '../../database/write-context.ts';
import type { ItemOutcome } from '../../files/run-import.ts';
import { readList } from '../../metadata/read-lists.ts';
import { codesOfCarriers } from '../carriers.ts';
import { eventData } from '../change/change-order.ts';
import { restock } from '../change/change-orders.ts';
import { hold, OVERSOLD } from '../change/set-order-state.ts';
import type { CustomerVault } from '../customer/customer-vault.ts';
import type { ListedValues } from '../listed-values.ts';
import type { Order } from '../record/order.ts';
import { isClosed, OrderBatch } from '../record/order-batch.ts';
import { type CustomerData, NO_CUSTOMER } from '../record/order-record.ts';
import { OrderStock } from '../record/order-stock.ts';
import {
  type CustomerRow,
  deleteNameWords,
  insertWord,
  putCustomer,
  type WordRow,
} from '../record/queries.ts';
import { applyDraft, type Pushed } from './apply-draft.ts';
import { customerFields, hasCustomer, type OrderDraft } from './order-draft.ts';

export interface PushServices {
  customers: CustomerVault;
  /** The highest stock that counts as low. */
  lowInventory: number;
}

interface StoredBatch {
  orders: OrderBatch;
  stock: OrderStock;
  /** Codes by names and codes in lower case. */
  carriers: ReadonlyMap<string, string>;
  /** The customers of stored and new orders. */
  customers: Map<number, CustomerData>;
}

/**
 * Writes orders that the operator states, in a transaction that has locked the merchant: `open` reads stored
 * orders and products, `apply` adds drafts in memory, and `write` writes orders, customers and stock.
 */
export class PushBatch {
  readonly #context: WriteContext & PushServices;
  readonly #orders: OrderBatch;
  readonly #stock: OrderStock;
  readonly #carriers: ReadonlyMap<string, string>;
  /** The customers of stored and new orders. */
  readonly #customers: Map<number, CustomerData>;
  readonly #changedCustomers = new Set<number>();
  readonly #seen = new Set<string>();
  readonly #restocked: { order: Order; units: number }[] = [];

  private constructor(context: WriteContext & PushServices, stored: StoredBatch) {
    this.#context = context;
    this.#orders = stored.orders;
    this.#stock = stored.stock;
    this.#carriers = stored.carriers;
    this.#customers = stored.customers;
  }

  static async open(context: WriteContext & PushServices, drafts: readonly OrderDraft[]): Promise<PushBatch> {
    const externalIds = drafts.map(({ external_id }) => external_id);
    const ids = drafts.flatMap(({ order_id }) => order_id ?? []);
    const sold = drafts.flatMap(({ product_identifier, variation_identifier = null }) =>
      product_identifier === undefined ? [] : [{ product_identifier, variation_identifier }],
    );
    const { connection, merchantId } = context;
    const [orders, stock, carriers] = await Promise.all([
      OrderBatch.open(context, { ids, externalIds }),
      OrderStock.open(context, sold),
      drafts.some(({ carrier }) => carrier != null) ? readList(connection, 'carriers') : { json: '{}' },
    ]);
    const known = drafts.flatMap((draft) =>
      hasCustomer(draft) ? (orders.orderOfExternalId(draft.external_id)?.order_id ?? []) : [],
    );
    const customers = await context.customers.reveal(connection, merchantId, [...new Set(known)]);
    // The list is checked when the operator sets it.
    const codes = codesOfCarriers(JSON.parse(carriers.json) as ListedValues['carriers']);
    return new PushBatch(context, { orders, stock, carriers: codes, customers });
  }

  /** The order as it is after the drafts so far. */
  order(externalId: string): Order | undefined {
    return this.#orders.orderOfExternalId(externalId);
  }

  /** Adds one order, or changes the one with the same external ID. */
  apply(draft: OrderDraft): ItemOutcome {
    const { external_id } = draft;
    const before = this.#orders.orderOfExternalId(external_id);
    const pushed = applyDraft(before, this.#withCode(draft), {
      product: this.#stock.product(draft.product_identifier ?? ''),
      now: this.#context.now,
      nextId: this.#orders.nextId(),
      isTaken: (id) => this.#orders.order(id) !== undefined,
    });
    if (Array.isArray(pushed)) return { kind: 'rejected', problems: pushed };
    const repeated = this.#seen.has(external_id);
    this.#seen.add(external_id);
    const order = pushed?.order ?? before;
    if (order === undefined) throw new Error(`the order ${external_id} is neither stored nor new`);
    const isNewCustomer = this.#applyCustomer(order, draft);
    if (pushed === null && !isNewCustomer) return { kind: 'unchanged', repeated };
    const { events, order: changed } = this.#reserve(pushed ?? { order, events: [] }, draft, before);
    const { restock: units = 0 } = pushed ?? {};
    if (units > 0) this.#restocked.push({ order: changed, units });
    // The history of an installation causes no events.
    const isHistory = before === undefined && isClosed(changed);
    this.#orders.put({ order: changed, events: isHistory ? [] : events });
    return { kind: before === undefined ? 'created' : 'updated', repeated };
  }

  /** Known carriers have their codes, as in a merchant's call, so that a repeated package is recognized. */
  #withCode(draft: OrderDraft): OrderDraft {
    const { carrier } = draft;
    const code = carrier == null ? undefined : this.#carriers.get(carrier.trim().toLowerCase());
    return code === undefined ? draft : { ...draft, carrier: code };
  }

  async write(): Promise<void> {
    await this.#orders.write();
    await this.#stock.write();
    // The drafts of existing orders do not name their products.
    await restock(this.#context, this.#restocked);
    const { connection, customers, merchantId } = this.#context;
    const changed = new Map<number, CustomerData>();
    for (const id of this.#changedCustomers) changed.set(id, this.#customers.get(id) ?? NO_CUSTOMER);
    const rows: CustomerRow[] = [];
    const newWords: WordRow[] = [];
    for (const { row, words } of await customers.encrypt(this.#context, changed)) {
      const { merchant_id, order_id } = row;
      for (const word of words) newWords.push({ merchant_id, word, order_id });
      const order = this.#orders.order(order_id);
      const closed_at = order !== undefined && isClosed(order) ? closedAt(order, this.#context.now) : null;
      rows.push({ ...row, closed_at });
    }
    connection.send(putCustomer, rows);
    const stored = rows.filter(({ order_id }) => !this.#orders.isNew(order_id));
    connection.send(
      deleteNameWords,
      stored.map(({ order_id: orderId }) => ({ merchantId, orderId })),
    );
    connection.send(insertWord, newWords);
  }

  /** Returns whether the customer's data has changed. Erased data stays erased. */
  #applyCustomer({ order_id, redacted_at }: Order, draft: OrderDraft): boolean {
    if (redacted_at !== null || !hasCustomer(draft)) return false;
    const before = this.#customers.get(order_id) ?? NO_CUSTOMER;
    const after = { ...before };
    for (const name of customerFields) {
      const stated = draft[name];
      if (stated !== undefined) after[name] = stated;
    }
    if (customerFields.every((name) => before[name] === after[name])) return false;
    this.#customers.set(order_id, after);
    this.#changedCustomers.add(order_id);
    return true;
  }

  /** Takes a new order's units from the stock, or holds the order if there are too few. */
  #reserve(pushed: Pushed, { stock }: OrderDraft, before: Order | undefined): Pushed {
    const { order, events } = pushed;
    if (before !== undefined || stock !== 'reserve' || isClosed(order)) return pushed;
    const { units, isTracked } = this.#stock.change(order, -order.product_quantity);
    if (!isTracked) return pushed;
    if (units !== 0) return { order: { ...order, reserved: -units }, events };
    const held = hold(order, OVERSOLD);
    const created = { type: 'order.created' as const, data: eventData(held.order) };
    return { order: held.order, events: [created, ...held.events] };
  }
}

/** When the customer's data of a closed order began to be no longer needed: not later than now. */
function closedAt({ status, canceled_at, refunded_at, packages }: Order, now: number): number {
  if (status === 'canceled') return canceled_at ?? now;
  if (status === 'refunded') return refunded_at ?? now;
  // Merchants state when packages were shipped.
  return Math.min(packages.reduce((last, { shipped_at }) => Math.max(last, shipped_at), 0) || now, now);
}
