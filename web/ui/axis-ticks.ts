/** The ticks of an axis from 0, and the number of intervals between them. */
export interface AxisTicks {
  ticks: number[];
  intervals: 4 | 5;
}

/**
 * Returns ticks from 0 to at least `max`, in four or five steps of 1, 2 or 5 times a power of ten. Steps are
 * at least `minStep`, which must have this form too.
 */
export function axisTicks(max: number, minStep = 0): AxisTicks {
  const power = max > 0 ? 10 ** Math.floor(Math.log10(max / 5)) : 1;
  for (const factor of [1, 2, 5, 10]) {
    const step = Math.max(minStep, factor * power);
    for (const intervals of [4, 5] as const) {
      if (step * intervals >= max) return { ticks: multiples(step, intervals), intervals };
    }
  }
  throw new RangeError(`no ticks up to ${max}`);
}

/** Returns 0, step, 2 * step, … without the rounding errors of decimal fractions. */
export function multiples(step: number, intervals: number): number[] {
  return Array.from({ length: intervals + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}
