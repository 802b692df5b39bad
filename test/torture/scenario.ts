import type { Figure } from '../../bench/measuring/figures.ts';
import { measured } from '../../bench/measuring/figures.ts';
import type { Owner } from '../support/process.ts';

/** How much of a scenario to run. */
export interface Extent {
  /** Runs the full scenario; otherwise a few seconds of it, as in `npm test`. */
  full: boolean;
  /** The random seed, to reproduce a run. */
  seed: number;
  /** The duration; undefined for the scenario's default. */
  minutes: number | undefined;
  /** The number of requests; undefined for the scenario's default. */
  requests: number | undefined;
  /** Runs only these cases. */
  only?: string[] | undefined;
  /** Runs only on these database engines. */
  engines?: string[] | undefined;
}

/** A stress test of the service. */
export interface Scenario {
  /** The guarantee that it checks, in one line. */
  promise: string;
  /** Returns why this machine cannot run it, or null. */
  skipReason?(): string | null;
  /** Runs it; resolves to the measured figures. @throws if a response was wrong */
  run(t: Owner, extent: Extent): Promise<Figure[]>;
}

/** Returns a figure with a single reading. */
export function figure(name: string, value: number, bound: Figure['bound'], notes = ''): Figure {
  return { name, ...measured([value]), bound, notes };
}

/** Returns the quantile of the values, such as the median for `share` 0.5; NaN without values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
}
