import type { Figure } from '../../bench/measuring/figures.ts';
import { measured } from '../../bench/measuring/figures.ts';
import type { Owner } from '../support/process.ts';

export interface Extent {
  /** A few seconds otherwise, as in `npm test`. */
  full: boolean;
  /** To reproduce a run. */
  seed: number;
  /** Undefined for the scenario's default. */
  minutes: number | undefined;
  /** Undefined for the scenario's default. */
  requests: number | undefined;
  only?: string[] | undefined;
  engines?: string[] | undefined;
}

export interface Scenario {
  /** The guarantee that it checks, in one line. */
  promise: string;
  /** Why this machine cannot run it, or null. */
  skipReason?(): string | null;
  /** Resolves to the measured figures. @throws if a response was wrong */
  run(t: Owner, extent: Extent): Promise<Figure[]>;
}

export function figure(name: string, value: number, bound: Figure['bound'], notes = ''): Figure {
  return { name, ...measured([value]), bound, notes };
}

/** Such as the median for `share` 0.5; NaN without values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
}
