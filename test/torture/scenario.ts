import type { Figure } from '../../bench/measuring/figures.ts';
import { measured } from '../../bench/measuring/figures.ts';
import type { Owner } from '../support/process.ts';

/** How much of a scenario is run. */
export interface Extent {
  /** All that the scenario promises; else a few seconds of it, as `npm test` has. */
  full: boolean;
  /** What chance begins with, so that a run can be had again. */
  seed: number;
  /** Instead of the scenario's own length. */
  minutes: number | undefined;
  /** As many, where a scenario counts requests. */
  requests: number | undefined;
  /** Only these cases, where a scenario has several. */
  only?: string[] | undefined;
  /** Only on these database engines, where a scenario runs on several. */
  engines?: string[] | undefined;
}

/** Something that the service has to stand. */
export interface Scenario {
  /** What it promises, in a line. */
  promise: string;
  /** Why this machine cannot run it, or null. */
  lacks?(): string | null;
  /** Resolves to what was measured. @throws where an answer was wrong */
  run(t: Owner, extent: Extent): Promise<Figure[]>;
}

/** A figure that was read once. */
export function figure(name: string, value: number, bound: Figure['bound'], notes = ''): Figure {
  return { name, ...measured([value]), bound, notes };
}

/** The value that this share of all is not above; NaN of nothing. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
}
