import type { Placement } from './placement.ts';
import type { PlacementBatch } from './placement-batch.ts';

/**
 * Returns a placement after its delivery, which is charged if it is reserved, or if every budget still
 * covers its price. Otherwise it costs nothing, and is late. The figures of a released placement must have
 * been read.
 */
export function deliver(batch: PlacementBatch, before: Placement, at: number): Placement {
  const after: Placement = { ...before, state: 'delivered', delivered_at: at };
  if (before.state === 'reserved' || batch.exceeded(before) === undefined) return after;
  return { ...after, price: 0, late: 1 };
}
