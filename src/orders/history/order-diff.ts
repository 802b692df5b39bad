import type { ValueChange } from '../../products/record/product-diff.ts';
import { formatTime } from '../../shared/timestamps.ts';
import { amountOf, feeOf, type Order, type Package, type Refund, type SellerFee } from '../record/order.ts';

type Value = string | number | null;
type Changes = Record<string, ValueChange>;

/**
 * What a change did to an order, as far as it is recorded. Values are as in the API. Packages and refunds are
 * named by their place in the order, from 1: after the change, or before it for a package that was removed.
 */
export interface OrderDiff {
  fields?: Changes;
  packages?: [place: number, fields: Changes][];
  refunds?: [place: number, fields: Changes][];
}

type Shown = (value: Value) => Value;
const asIs: Shown = (value) => value;
const asTime: Shown = (value) => (value === null ? null : formatTime(Number(value)));
const asAmount: Shown = (value) => (value === null ? null : Number(value) / 100);

/**
 * The recorded fields. A field that is added must not have data of the customer, nor what could name the
 * customer: addresses, notes, reasons, IDs that others choose, tracking numbers.
 */
const orderFields = {
  status: asIs,
  service_type: asIs,
  fulfillment_partner: asIs,
  disbursement_amount: asAmount,
  fulfillment_due_date: asTime,
  created_at: asTime,
  paid_at: asTime,
  acknowledged_at: asTime,
  refunded_at: asTime,
  canceled_at: asTime,
  redacted_at: asTime,
} as const satisfies { readonly [Name in keyof Order]?: Shown };
const packageFields = {
  carrier: asIs,
  quantity: asIs,
  shipped_at: asTime,
  state: asIs,
} as const satisfies { readonly [Name in keyof Package]?: Shown };
const refundFields = { type: asIs, amount: asAmount, state: asIs } as const;

/** The names of recorded fields; `fees` and `seller_fees` for amounts of any fee. */
export const recordedOrderFields: readonly string[] = [
  ...[orderFields, packageFields, refundFields].flatMap((of) => Object.keys(of)),
  ...['fees', 'seller_fees'],
];

/** Returns how two states of an order differ; undefined if nothing that is recorded does. */
export function diffOf(before: Order, after: Order): OrderDiff | undefined {
  const fields: Changes = {};
  addChanges(fields, orderFields, before, after);
  addFees(fields, 'fees', before.fees, after.fees);
  if (before.seller_fees !== after.seller_fees)
    addFees(fields, 'seller_fees', byType(before.seller_fees), byType(after.seller_fees));
  const packages = diffOfItems(packageFields, before.packages, after.packages, (each) => each.package_id);
  const refunds =
    before.refunds === after.refunds
      ? []
      : diffOfItems(refundFields, before.refunds.map(withAmount), after.refunds.map(withAmount), idOf);
  const diff: OrderDiff = {
    ...(Object.keys(fields).length > 0 && { fields }),
    ...(packages.length > 0 && { packages }),
    ...(refunds.length > 0 && { refunds }),
  };
  return Object.keys(diff).length === 0 ? undefined : diff;
}

/** Without an item, its fields have no values. */
function addChanges<Name extends string>(
  changes: Changes,
  fields: Readonly<Record<Name, Shown>>,
  before: Readonly<Record<NoInfer<Name>, Value>> | undefined,
  after: Readonly<Record<NoInfer<Name>, Value>> | undefined,
): void {
  for (const name of Object.keys(fields) as Name[]) {
    const from = before?.[name] ?? null;
    const to = after?.[name] ?? null;
    if (from !== to) changes[name] = [fields[name](from), fields[name](to)];
  }
}

function addFees(
  changes: Changes,
  field: string,
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
): void {
  if (before === after) return;
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [from, to] = [feeOf(before, name), feeOf(after, name)];
    if (from !== to) changes[`${field}.${name}`] = [from / 100, to / 100];
  }
}

function byType(fees: readonly SellerFee[]): Record<string, number> {
  const sums = new Map<string, number>();
  for (const { type, amount } of fees) sums.set(type, (sums.get(type) ?? 0) + amount);
  return Object.fromEntries(sums);
}

function withAmount(refund: Refund): Pick<Refund, 'refund_id' | 'type' | 'state'> & { amount: number } {
  return { ...refund, amount: amountOf(refund) };
}

function idOf({ refund_id }: Pick<Refund, 'refund_id'>): string {
  return refund_id;
}

function diffOfItems<Name extends string, Item extends Readonly<Record<Name, Value>>>(
  fields: Readonly<Record<Name, Shown>>,
  before: readonly Item[],
  after: readonly Item[],
  nameOf: (item: Item) => string,
): [place: number, fields: Changes][] {
  if (before === after) return [];
  const found: [number, Changes][] = [];
  const add = (place: number, from: Item | undefined, to: Item | undefined): void => {
    const changes: Changes = {};
    addChanges(changes, fields, from, to);
    if (Object.keys(changes).length > 0) found.push([place, changes]);
  };
  const former = new Map(before.map((item) => [nameOf(item), item]));
  const kept = new Set(after.map(nameOf));
  for (const [index, item] of before.entries()) if (!kept.has(nameOf(item))) add(index + 1, item, undefined);
  for (const [index, item] of after.entries()) add(index + 1, former.get(nameOf(item)), item);
  return found;
}
