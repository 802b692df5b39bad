import type { WriteContext } from '../../database/write-context.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { idempotent } from '../../requests/run-once.ts';
import { type ChangedOrder, changeOrders, type OrderCall } from './change-orders.ts';

/** What one line of a batch did. In wire order. */
export interface OrderLineResult {
  /** From 1. */
  line: number;
  order_id: number | null;
  result: 'updated' | 'unchanged' | 'rejected';
  /** Why the line was rejected. */
  errors: { name: string; reason: string }[];
}

/** A result for each line, in order, and how many there are of each kind. */
export interface OrderBatchResult extends Record<OrderLineResult['result'], number> {
  results: OrderLineResult[];
}

interface BatchNeeds {
  /** The highest stock that counts as low. */
  lowInventory: number;
  /** False for calls with keys: see `MadeCall`. */
  isAudited: boolean;
}

/** A line that can be applied, or the result of a line that cannot. */
export type OrderLine = { line: number; call: OrderCall } | OrderLineResult;

/** Changes orders with the lines of one call, which are applied in order. */
export const changeOrdersOnce = idempotent(
  async (context: WriteContext & BatchNeeds, lines: readonly OrderLine[]) => {
    const { who, isAudited } = context;
    const calls = lines.flatMap((each) => ('call' in each ? { call: each.call, who, isAudited } : []));
    const changed = (await changeOrders(context, calls)).values();
    const batch: OrderBatchResult = { results: [], updated: 0, unchanged: 0, rejected: 0 };
    for (const each of lines) {
      const result = 'call' in each ? resultOf(each, changed.next().value) : each;
      batch.results.push(result);
      batch[result.result] += 1;
    }
    return { response: JSON.stringify(batch), isChange: batch.updated > 0 };
  },
);

function resultOf(
  { line, call: { order_id } }: { line: number; call: OrderCall },
  result: ChangedOrder | DomainError | undefined,
): OrderLineResult {
  if (result === undefined) throw new Error('a line of a batch has no result');
  if (!(result instanceof DomainError))
    return { line, order_id, result: result.isChange ? 'updated' : 'unchanged', errors: [] };
  const errors = result.problems.map(({ field: name, reason }) => ({ name, reason }));
  return rejectedLine(
    line,
    order_id,
    errors.length > 0 ? errors : [{ name: 'order_id', reason: result.message }],
  );
}

export function rejectedLine(
  line: number,
  order_id: number | null,
  errors: OrderLineResult['errors'],
): OrderLineResult {
  return { line, order_id, result: 'rejected', errors };
}
