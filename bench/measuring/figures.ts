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

export interface Figure extends Measured {
  name: string;
  /** For the median; null for none. */
  bound: { atLeast: number } | { atMost: number } | null;
  /** Such as rates, sizes, the load generator's CPU share. */
  notes: string;
}

export function holds({ bound, median }: Figure): boolean {
  if (bound === null) return true;
  return 'atLeast' in bound ? median >= bound.atLeast : median <= bound.atMost;
}
