import { type Measured, measured } from './figures.ts';
import type { LoadResult } from './load.ts';

/**
 * Runs measurements in turn, round after round: a machine's speed varies, so measurements whose ratio is
 * reported must be close in time.
 */
export async function inTurns<Name extends string, Result>(
  measurements: Record<Name, () => Promise<Result>>,
  rounds: number,
): Promise<Record<Name, Result[]>> {
  const entries = Object.entries<() => Promise<Result>>(measurements);
  const results = Object.fromEntries(entries.map(([name]) => [name, [] as Result[]]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, measure] of entries) results[name]?.push(await measure());
  }
  return results as Record<Name, Result[]>;
}

export function ratio(rates: readonly LoadResult[], others: readonly LoadResult[]): Measured {
  return measured(
    rates.map(
      ({ requestsPerSecond }, round) => requestsPerSecond / (others[round]?.requestsPerSecond ?? Number.NaN),
    ),
  );
}

export function describeRates(results: Record<string, readonly LoadResult[]>): string {
  const texts = Object.entries(results).map(([name, loads]) => {
    const rate = measured(loads.map(({ requestsPerSecond }) => requestsPerSecond)).median;
    const share = measured(loads.map(({ generatorShare }) => generatorShare)).median;
    return `${name} ${rate.toFixed(0)}/s (wrk ${share.toFixed(2)})`;
  });
  return texts.join(', ');
}
