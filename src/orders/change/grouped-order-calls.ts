import { SERVICE } from '../../audit/record-audit.ts';
import type { Budgets } from '../../budgets/budgets.ts';
import { encodeError } from '../../database/encode-error.ts';
import { runVerb, type VerbServices, type WriteContext } from '../../database/write-context.ts';
import { DomainError, orDomainError } from '../../errors/domain-error.ts';
import { type CallResult, GroupedCalls } from '../../requests/grouped-calls.ts';
import { findStoredResponse, type KeyedRequest, storeCounted } from '../../requests/run-once.ts';
import { orderRecord } from '../record/order-record.ts';
import { changeOrders, type MadeCall } from './change-orders.ts';

/** A call that changes one order. Plain data. */
export interface GroupedOrderCall extends MadeCall {
  /** Null for a call without an `Idempotency-Key`. */
  keyed: KeyedRequest | null;
}

interface GroupNeeds {
  /** The highest stock that counts as low. */
  lowInventory: number;
  budgets: Budgets;
}

/** Creates the groups in which calls that change one order run: see `GroupedCalls`. */
export function groupOrderCalls(services: VerbServices & GroupNeeds): GroupedCalls<GroupedOrderCall> {
  const { lowInventory, budgets } = services;
  return new GroupedCalls((merchantId, calls) => {
    // Each call says by itself who makes it.
    const caller = { merchantId, who: SERVICE, lowInventory, budgets };
    return runVerb(services, caller, changeOrderGroup, calls, { locksMerchant: true });
  });
}

/**
 * Applies calls of one merchant in order. A response is the order's record without its customer's data, which
 * is never stored for repeated requests.
 * @throws {BudgetExceeded} if the responses to calls with an `Idempotency-Key` are too large to store
 * @throws {DomainError} `idempotency_key_in_progress`
 */
export async function changeOrderGroup(
  context: WriteContext & GroupNeeds,
  calls: readonly GroupedOrderCall[],
): Promise<CallResult[]> {
  const { connection, now } = context;
  // The response of an earlier request, or why its key cannot be used.
  const stored = await Promise.all(
    calls.map(({ keyed }) =>
      keyed === null ? undefined : orDomainError(() => findStoredResponse(connection, keyed, now)),
    ),
  );
  const changed = (
    await changeOrders(
      context,
      calls.filter((_, index) => stored[index] === undefined),
    )
  ).values();
  const toStore: { keyed: KeyedRequest; response: string }[] = [];
  const results = calls.map(({ keyed }, index): CallResult => {
    const earlier = stored[index];
    if (typeof earlier === 'string') return { json: earlier };
    const result = earlier ?? changed.next().value;
    if (result === undefined) throw new Error('a call has no result');
    if (result instanceof DomainError) return { error: encodeError(result) };
    const json = JSON.stringify(orderRecord(result.order, undefined));
    if (keyed !== null) toStore.push({ keyed, response: json });
    return { json };
  });
  await storeCounted(context, context.budgets, toStore);
  return results;
}
