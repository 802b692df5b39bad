import type { Problem } from '../../errors/domain-error.ts';
import { MAX_COUNT, type Variation } from '../record/product.ts';
import type { VariationDraft } from '../record/product-draft.ts';
import { fixedProblems } from './read-draft.ts';

/** To a value, or by a number of units. */
export interface StockChange {
  quantity?: number | null | undefined;
  quantity_change?: number | undefined;
  /** The stock that the change is based on. */
  quantity_was?: number | undefined;
  /** Fixed when the variation is created; may be sent with their current values. */
  size?: string | null | undefined;
  color?: string | null | undefined;
}

/** Returns what is wrong with a change, regardless of the current stock. */
export function checkStockChange({ quantity, quantity_change: change }: StockChange): Problem[] {
  if (quantity != null && change !== undefined) {
    const reason = 'send exactly one of quantity and quantity_change';
    return [{ field: 'quantity_change', value: change, reason }];
  }
  if (quantity !== undefined || change !== undefined) return [];
  return [{ field: 'quantity', value: null, reason: 'missing, expected quantity or quantity_change' }];
}

/** Returns a variation's draft. A result below 0, or another quantity than `quantity_was`, is a problem. */
export function readStockChange(
  variation: Variation,
  { quantity, quantity_change: change, quantity_was: was, size, color }: StockChange,
): { draft: VariationDraft; problems: Problem[] } {
  const { identifier, deleted_at } = variation;
  const problems = fixedProblems(variation, { size, color });
  // As in `available_quantity`, a variation without a quantity has none in stock.
  const current = variation.quantity ?? 0;
  const changed = current + (change ?? 0);
  if (was !== undefined && was !== current) {
    const reason = `the current quantity is ${current}, not ${was}`;
    problems.push({ field: 'quantity_was', value: was, reason });
  }
  if (changed < 0 || changed > MAX_COUNT) {
    const reason = `the current quantity is ${current}: expected a result from 0 to ${MAX_COUNT}`;
    problems.push({ field: 'quantity_change', value: change, reason });
  }
  const units = change === undefined ? (quantity ?? null) : changed;
  return { draft: { identifier, quantity: units, deleted_at }, problems };
}

/** Returns a problem with the product's stock in the terms of a variation's. */
export function stockProblem({ quantity_change: change }: StockChange, problem: Problem): Problem {
  if (problem.field !== 'available_quantity') return problem;
  return { ...problem, field: change === undefined ? 'quantity' : 'quantity_change' };
}
