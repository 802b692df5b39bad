import assert from 'node:assert/strict';
import type { ChangedOrderValue } from '../../src/orders/history/list-history.ts';
import type { OrderRecord } from '../../src/orders/record/order-record.ts';
import type { ListedChange } from '../../src/products/history/listed-changes.ts';

type Value = string | number | null;
type Fields = Record<string, Value>;

/** What the history must be able to restore of an order. Fees of nothing are left out. */
interface ModelState {
  fields: Fields;
  packages: Fields[];
  refunds: Fields[];
}

type Entry = Pick<ListedChange<ChangedOrderValue>, 'action' | 'changes'>;

const isFee = (field: string): boolean => /^(seller_)?fees\./.test(field);

/** `fees` are what the buyer paid, in hundredths. */
export function stateOf(order: OrderRecord, fees: Readonly<Record<string, number>>): ModelState {
  const paid = Object.entries(fees).map(([name, amount]): [string, number] => [`fees.${name}`, amount / 100]);
  const charged = order.seller_fees.map(({ type, amount }): [string, number] => [
    `seller_fees.${type}`,
    amount,
  ]);
  return {
    fields: {
      status: order.status,
      service_type: order.service_type,
      fulfillment_partner: order.fulfillment_partner,
      disbursement_amount: order.disbursement_amount,
      fulfillment_due_date: order.fulfillment_due_date,
      created_at: order.created_at,
      paid_at: order.paid_at,
      acknowledged_at: order.acknowledged_at,
      refunded_at: order.refunded_at,
      canceled_at: order.canceled_at,
      redacted_at: order.redacted_at,
      ...Object.fromEntries([...paid, ...charged].filter(([, amount]) => amount !== 0)),
    },
    packages: order.packages.map(({ carrier, quantity, shipped_at, state }) => {
      return { carrier, quantity, shipped_at, state };
    }),
    refunds: order.refunds.map(({ type, amount, state }) => ({ type, amount, state })),
  };
}

/** Remembers the states of orders, and undoes their history without looking at how it is made. */
export class ModelHistory {
  /** By order, and by the number of entries that its history had. */
  readonly #states = new Map<number, Map<number, ModelState>>();

  get orders(): number[] {
    return [...this.#states.keys()];
  }

  /** An order is now in a state, and its history has as many entries. */
  see(orderId: number, state: ModelState, entries: number): void {
    const states = this.#states.get(orderId) ?? new Map<number, ModelState>();
    this.#states.set(orderId, states);
    assert.ok(entries >= Math.max(1, ...states.keys()), `order ${orderId}: entries are missing`);
    const known = states.get(entries);
    if (known !== undefined) assert.deepEqual(state, known, `order ${orderId} changed without an entry`);
    states.set(entries, state);
  }

  /** Undoes the entries, which are sorted by time. Returns how many states were compared. */
  undo(orderId: number, entries: readonly Entry[]): number {
    const states = this.#states.get(orderId) ?? assert.fail(`no order ${orderId}`);
    let state = states.get(entries.length) ?? assert.fail(`order ${orderId}: ${entries.length} entries`);
    let compared = 0;
    for (const [index, { action, changes }] of [...entries.entries()].reverse()) {
      assert.equal(action, index === 0 ? 'created' : 'changed');
      assert.equal(changes.length === 0, index === 0);
      const seen = states.get(index + 1);
      if (seen !== undefined) {
        assert.deepEqual(state, seen, `order ${orderId} after entry ${index + 1}`);
        compared += 1;
      }
      state = withoutChanges(state, changes);
    }
    return compared;
  }
}

/** Returns the state before changes. */
function withoutChanges(
  { fields, packages, refunds }: ModelState,
  changes: readonly ChangedOrderValue[],
): ModelState {
  const former = { ...fields };
  for (const { field, package: place, refund, from, to } of changes) {
    if (place !== null || refund !== null) continue;
    assert.deepEqual(former[field] ?? (isFee(field) ? 0 : null), to, field);
    former[field] = from;
    if (isFee(field) && from === 0) delete former[field];
  }
  return {
    fields: former,
    packages: withoutItems(packages, changes, (change) => change.package),
    refunds: withoutItems(refunds, changes, (change) => change.refund),
  };
}

/** Returns packages or refunds before changes. `placeOf` returns null for a change of something else. */
function withoutItems(
  items: readonly Fields[],
  changes: readonly ChangedOrderValue[],
  placeOf: (change: ChangedOrderValue) => number | null,
): Fields[] {
  const former = items.map((item) => ({ ...item }));
  const added = new Set<number>();
  const removed = new Map<number, Fields>();
  for (const change of changes) {
    const { field, from, to } = change;
    const place = placeOf(change);
    if (place === null) continue;
    if (to === null) {
      removed.set(place, { ...removed.get(place), [field]: from });
      continue;
    }
    const item = former[place - 1] ?? assert.fail(`there is no item ${place}`);
    assert.deepEqual(item[field], to, field);
    item[field] = from;
    if (from === null) added.add(place);
  }
  const before = former.filter((_, index) => !added.has(index + 1));
  for (const [place, item] of [...removed].sort(([one], [other]) => one - other))
    before.splice(place - 1, 0, item);
  return before;
}
