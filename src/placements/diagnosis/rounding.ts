/**
 * Amounts are kept in steps of 5 to 10 %, in any magnitude: 1, 2, …, 20, 22, …, 50, 55, …, 100, 110, …. Few
 * different ones have to be counted then.
 */
function stepAt(amount: number): number {
  const tenth = 10 ** (Math.floor(Math.log10(amount) + 1e-9) - 1);
  const leading = amount / tenth;
  if (leading < 20) return tenth;
  return leading < 50 ? 2 * tenth : 5 * tenth;
}

/** In minor units: no bid of another merchant can be told exactly. */
const LEAST_STEP_OF_BIDS = 5;

/** Returns the next step that is at least a bid in minor units: 5, 10, …, 100, 110, …. */
export function roundBidUp(bid: number): number {
  if (bid <= 0) return 0;
  const step = Math.max(LEAST_STEP_OF_BIDS, stepAt(bid));
  return Math.ceil(bid / step) * step;
}

/** Returns the next step that is at least a whole number. */
export function roundUp(amount: number): number {
  if (amount <= 10) return Math.max(0, Math.ceil(amount));
  const step = stepAt(amount);
  return Math.ceil(amount / step) * step;
}

/** Returns the step before, or at, a whole number. */
export function roundDown(amount: number): number {
  if (amount <= 10) return Math.max(0, Math.floor(amount));
  const step = stepAt(amount);
  return Math.floor(amount / step) * step;
}

/** Returns the step nearest to a whole number. */
export function roundToStep(amount: number): number {
  if (amount <= 10) return Math.max(0, Math.round(amount));
  const step = stepAt(amount);
  return Math.round(amount / step) * step;
}
