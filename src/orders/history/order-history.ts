import { authorOf } from '../../audit/change-author.ts';
import type { Actor } from '../../database/actor.ts';
import type { TransactionContext } from '../../database/write-context.ts';
import type { Order } from '../record/order.ts';
import { diffOf } from './order-diff.ts';
import { insertOrderChange, type OrderChangeRow } from './queries.ts';

interface Recorded extends Pick<OrderChangeRow, 'order_id' | 'part' | 'changes'> {
  who: Actor;
}

/** Records what a transaction changes in orders, and for whom. `OrderDiff` keeps customers out of it. */
export class OrderHistory {
  readonly #recorded: Recorded[] = [];
  /** How many changes of each order are recorded. */
  readonly #parts = new Map<number, number>();

  /** Adds a change of an order. `before` is undefined if it creates the order. */
  add(who: Actor, before: Order | undefined, after: Order): void {
    const { order_id } = after;
    const diff = before === undefined ? '' : diffOf(before, after);
    if (diff === undefined) return;
    const part = this.#parts.get(order_id) ?? 0;
    this.#parts.set(order_id, part + 1);
    this.#recorded.push({ order_id, part, who, changes: diff === '' ? '' : JSON.stringify(diff) });
  }

  /** Writes the changes with the revision of the merchant's orders after them. */
  send({ connection, merchantId: merchant_id, now }: TransactionContext, revision: number): void {
    const rows = this.#recorded.map(({ who, ...of }) => {
      return { merchant_id, revision, ...of, ...authorOf(who, now) };
    });
    connection.send(insertOrderChange, rows);
  }
}
