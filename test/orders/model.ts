import type { OrderRecord } from '../../src/orders/record/order-record.ts';

/** By the names of fees, in hundredths. */
type Fees = Record<string, number>;

interface ModelPackage {
  id: string;
  number: string;
  quantity: number;
  state: string;
}

interface ModelRefund {
  id: string;
  type: string;
  fees: Fees;
  state: string;
  /** The status to which a failure of a full refund returns. */
  before: string | null;
  restocked: number;
}

const STAGES = ['unpaid', 'pending_verification', 'paid'];
const OVER = ['refunded', 'canceled'];
const sum = (values: Iterable<number>): number => [...values].reduce((one, other) => one + other, 0);

/** What the service must do with one order, written without looking at how it does it. */
export class ModelOrder {
  status: string;
  held: { reason: string; before: string } | null = null;
  isAcknowledged = false;
  annotation: string | null = null;
  packages: ModelPackage[] = [];
  refunds: ModelRefund[] = [];
  readonly quantity: number;
  fees: Fees;
  reserved = 0;

  constructor(quantity: number, fees: Fees, status: string) {
    this.quantity = quantity;
    this.fees = fees;
    this.status = status;
  }

  get shipped(): number {
    return sum(this.packages.map(({ quantity }) => quantity));
  }

  get isWritable(): boolean {
    return this.status === 'paid' || this.status === 'shipped';
  }

  refunded(fee: string): number {
    return sum(this.refunds.map(({ state, fees }) => (state === 'failed' ? 0 : (fees[fee] ?? 0))));
  }

  get left(): Fees {
    const all = Object.entries(this.fees).map(([fee, paid]): [string, number] => [
      fee,
      paid - this.refunded(fee),
    ]);
    return Object.fromEntries(all.filter(([, amount]) => amount > 0));
  }

  fulfill(number: string, stated: number | undefined, id = `ups:${number}`): boolean {
    if (!this.isWritable) return false;
    const known = this.packages.find((each) => each.id === id);
    const left = this.quantity - this.shipped + (known?.quantity ?? 0);
    const quantity = stated ?? known?.quantity ?? left;
    if (left === 0 || quantity > left) return false;
    if (known?.number === number && known.quantity === quantity) return true;
    if (known !== undefined && known.state !== 'shipped') return false;
    if (known === undefined) this.packages.push({ id, number, quantity, state: 'shipped' });
    else Object.assign(known, { number, quantity });
    this.status = this.shipped === this.quantity ? 'shipped' : 'paid';
    return true;
  }

  unfulfill(id: string): boolean {
    const known = this.packages.find((each) => each.id === id);
    if (!this.isWritable || known?.state !== 'shipped') return false;
    this.packages = this.packages.filter((each) => each !== known);
    this.status = 'paid';
    return true;
  }

  /** Returns the units that go back to the stock; undefined if the refund is refused. */
  refund(sent: {
    type: string;
    fees: string[];
    id?: string;
    quantity?: number;
    restock: boolean;
  }): number | undefined {
    const { type, fees, quantity, restock } = sent;
    if (type === 'full' && this.refunds.some((each) => each.type === 'full' && each.state !== 'failed'))
      return 0;
    const same = type === 'partial' ? this.refunds.find(({ id }) => id === sent.id) : undefined;
    if (same !== undefined) {
      const isSame =
        same.type === type && Object.keys(same.fees).toSorted().join() === fees.toSorted().join();
      return isSame ? 0 : undefined;
    }
    const { left, quantity: units } = this;
    const names = type === 'full' ? Object.keys(left) : fees;
    const isTaken = this.refunds.some(({ id }) => id === sent.id);
    if (!this.isWritable || names.length === 0 || isTaken || names.some((name) => !(name in left)))
      return undefined;
    if (type === 'partial' && (quantity ?? 0) > units) return undefined;
    if (type === 'full' && fees.length > 0 && names.some((name) => !fees.includes(name))) return undefined;
    const share = (name: string): number =>
      Math.max(1, Math.round(((this.fees[name] ?? 0) * (quantity ?? units)) / units));
    const isAbove = (name: string): boolean =>
      share(name) - (left[name] ?? 0) > this.#countRefunds(name) && quantity !== undefined;
    if (type === 'partial' && names.some(isAbove)) return undefined;
    const chosen = names.map((name): [string, number] => [
      name,
      type === 'full' ? (left[name] ?? 0) : Math.min(left[name] ?? 0, share(name)),
    ]);
    const before = type === 'full' ? this.status : null;
    const restocked = this.#giveBack(restock ? (quantity ?? this.reserved) : 0);
    this.#add({ id: sent.id ?? this.#nextId(), type, fees: Object.fromEntries(chosen), before, restocked });
    if (type === 'full') this.status = 'refunded';
    return restocked;
  }

  cancel(restock: boolean): number | undefined {
    if (this.status === 'canceled') return 0;
    return this.isWritable && this.shipped === 0 ? this.close('canceled', restock) : undefined;
  }

  /** Ends the order, whatever its status is. */
  close(status: string, restock: boolean): number {
    const { left } = this;
    const before = this.held?.before ?? this.status;
    const restocked = this.#giveBack(restock ? this.quantity - this.shipped : 0);
    if (Object.keys(left).length > 0)
      this.#add({ id: this.#nextId(), type: 'full', fees: left, before, restocked });
    this.held = null;
    this.status = status;
    return restocked;
  }

  hold(reason: string): boolean {
    if (['shipped', ...OVER].includes(this.status)) return false;
    this.held = { reason, before: this.held?.before ?? this.status };
    this.status = 'pending_verification';
    return true;
  }

  release(): void {
    if (this.held !== null) this.status = this.held.before;
    this.held = null;
  }

  /** Returns the units that the order takes from the stock again; undefined if the report is refused. */
  settle(id: string, state: string, stock: number): number | undefined {
    const refund = this.refunds.find((each) => each.id === id);
    if (refund === undefined || (refund.state !== 'requested' && refund.state !== state)) return undefined;
    const fails = refund.state === 'requested' && state === 'failed';
    refund.state = state;
    if (!fails || refund.before === null) return 0;
    this.status = refund.before;
    const units = this.status === 'shipped' ? 0 : refund.restocked;
    if (units > stock) this.hold('oversold');
    const taken = units > stock ? 0 : units;
    this.reserved += taken;
    return taken;
  }

  /** Returns the units that go back to the stock; undefined if the push is refused. */
  push({ status, fees = this.fees }: { status: string; fees?: Fees }): number | undefined {
    const isEnough = Object.keys({ ...this.fees, ...fees }).every(
      (name) => (fees[name] ?? 0) >= this.refunded(name),
    );
    if (!isEnough) return undefined;
    if (status === 'shipped' && this.held !== null) return undefined;
    this.fees = fees;
    if (OVER.includes(this.status) || status === this.status) return 0;
    if (OVER.includes(status)) {
      const refunds = this.refunds.length;
      const units = this.close(status, status === 'canceled');
      for (const added of this.refunds.slice(refunds)) added.state = 'settled';
      return units;
    }
    const forward = (from: string): string =>
      STAGES.includes(from) && STAGES.indexOf(status === 'shipped' ? 'paid' : status) > STAGES.indexOf(from)
        ? status.replace('shipped', 'paid')
        : from;
    if (this.held !== null) this.held.before = forward(this.held.before);
    else this.status = forward(this.status);
    if (status === 'shipped') this.fulfill('pushed', undefined);
    return 0;
  }

  /** What the record of the order must show. */
  view(): object {
    const settled = this.refunds.filter(({ state }) => state === 'settled');
    const amountOf = ({ fees }: ModelRefund): number => sum(Object.values(fees)) / 100;
    return {
      status: this.status,
      hold_reason: this.held?.reason ?? null,
      isAcknowledged: this.isAcknowledged,
      annotation: this.annotation,
      packages: this.packages.map(({ id, number, quantity, state }) => [id, number, quantity, state]),
      refunds: this.refunds.map((each) => [
        each.id,
        each.type,
        Object.keys(each.fees).toSorted(),
        amountOf(each),
        each.state,
      ]),
      available_refunds: Object.fromEntries(
        Object.entries(this.left).map(([fee, amount]) => [fee, amount / 100]),
      ),
      refund_amount: sum(settled.map(({ fees }) => sum(Object.values(fees)))) / 100,
      can_fulfill: this.status === 'paid' && this.shipped < this.quantity,
      can_cancel: this.status === 'paid' && this.shipped === 0,
      can_refund: this.isWritable && Object.keys(this.left).length > 0,
    };
  }

  /** By each of them, more may have been returned than its units cost: the amount was rounded. */
  #countRefunds(fee: string): number {
    return this.refunds.filter(({ state, fees }) => state !== 'failed' && fee in fees).length;
  }

  #add(refund: Omit<ModelRefund, 'state'>): void {
    this.refunds.push({ ...refund, state: 'requested' });
  }

  #nextId(): string {
    let number = this.refunds.length + 1;
    while (this.refunds.some(({ id }) => id === `refund-${number}`)) number += 1;
    return `refund-${number}`;
  }

  #giveBack(units: number): number {
    const returned = Math.min(units, this.reserved);
    this.reserved -= returned;
    return returned;
  }
}

export function viewOf(record: OrderRecord): object {
  return {
    status: record.status,
    hold_reason: record.hold_reason,
    isAcknowledged: record.acknowledged_at !== null,
    annotation: record.annotation,
    packages: record.packages.map((each) => [
      each.package_id,
      each.tracking_number,
      each.quantity,
      each.state,
    ]),
    refunds: record.refunds.map((each) => [
      each.refund_id,
      each.type,
      each.fees.toSorted(),
      each.amount,
      each.state,
    ]),
    available_refunds: record.available_refunds,
    refund_amount: record.refund_amount,
    can_fulfill: record.can_fulfill,
    can_cancel: record.can_cancel,
    can_refund: record.can_refund,
  };
}
