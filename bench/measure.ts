/** The middle of several measurements and how far they lie apart. */
export interface Measured {
  median: number;
  low: number;
  high: number;
}

export function measured(values: readonly number[]): Measured {
  const sorted = [...values].sort((one, other) => one - other);
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
  return { median: at(0.5), low: at(0), high: at(1) };
}

/** One figure of the benchmark. */
export interface Figure extends Measured {
  name: string;
  /** What it is held against, or null where it is only told. */
  bound: { atLeast: number } | { atMost: number } | null;
  /** What else is needed to judge it: rates, the load generator's share, sizes. */
  notes: string;
}

export function holds({ bound, median }: Figure): boolean {
  if (bound === null) return true;
  return 'atLeast' in bound ? median >= bound.atLeast : median <= bound.atMost;
}
