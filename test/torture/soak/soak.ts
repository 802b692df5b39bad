import type { Figure } from '../../../bench/measuring/figures.ts';
import { countOf, LoadGenerator } from '../load/load-generator.ts';
import { pagePaths } from '../load/pages.ts';
import { figure, quantile, type Scenario } from '../scenario.ts';
import { StressedServer } from '../server.ts';
import { createTestData } from '../test-data.ts';
import { importRepeatedly } from './imports.ts';

const PRODUCTS = 10_000;
const PER_PAGE = 50;
const CONNECTIONS = 64;
/** The share of samples to discard: caches fill up and code is compiled at the start. */
const WARM_UP = 0.2;

interface Sample {
  at: number;
  /** In MB, after garbage collection. */
  resident: number;
  heap: number;
  handles: number;
  /** Since the last sample, in ms. */
  p99: number;
  failed: number;
}

export const soak: Scenario = {
  promise: 'memory, handles and p99 do not grow in an hour at half of the peak load with imports',
  run: async (t, { full, minutes = 60 }) => {
    const { settings } = await createTestData(t, PRODUCTS);
    const server = await StressedServer.start(t, settings);
    const generator = await LoadGenerator.start(t, {
      port: server.port,
      ca: server.ca,
      paths: pagePaths(PRODUCTS, PER_PAGE),
      connections: CONNECTIONS,
    });
    await generator.run({ seconds: full ? 10 : 1 });
    let isOver = false;
    const imports = importRepeatedly(settings, () => isOver);
    const seconds = full ? 10 : 2;
    const peak = countOf(await generator.run({ seconds }), 200) / seconds;
    const samples: Sample[] = [];
    const begun = performance.now();
    const end = begun + (full ? minutes * 60_000 : 8_000);
    while (performance.now() < end) {
      const result = await generator.run({ rate: peak / 2, seconds: full ? 55 : 1 });
      const { resident, heap } = await server.memory(full ? undefined : 2);
      samples.push({
        at: (performance.now() - begun) / 3_600_000,
        resident,
        heap,
        handles: server.handles(),
        p99: result.byStatus[200]?.p99 ?? Number.NaN,
        failed: result.sent - countOf(result, 200) + result.missed + result.lost,
      });
      if (full) process.stderr.write(`${JSON.stringify(samples.at(-1))}\n`);
    }
    isOver = true;
    const imported = await imports;
    server.check();
    await server.stop();
    return figures(
      samples,
      `peak with imports ${peak.toFixed(0)}/s, ${imported} imports of 1,000 changed products`,
      full,
    );
  },
};

function figures(samples: Sample[], facts: string, full: boolean): Figure[] {
  const counted = samples.slice(Math.floor(samples.length * WARM_UP));
  const growth = (
    name: string,
    of: (sample: Sample) => number,
    unit: string,
    limit: number,
    shortLimit: number | null,
  ): Figure => {
    const atMost = full ? limit : shortLimit;
    const values = counted.map(of);
    const third = Math.ceil(values.length / 3);
    const [first, last] = [quantile(values.slice(0, third), 0.5), quantile(values.slice(-third), 0.5)];
    const perHour = slope(counted.map((sample) => [sample.at, of(sample)]));
    const range = `${Math.min(...values).toFixed(1)}–${Math.max(...values).toFixed(1)}`;
    const notes = `${first.toFixed(1)} → ${last.toFixed(1)} ${unit}, ${range}; slope ${perHour.toFixed(1)} ${unit} per hour`;
    return figure(`${name}, last third ÷ first`, last / first, atMost === null ? null : { atMost }, notes);
  };
  const failed = samples.reduce((sum, sample) => sum + sample.failed, 0);
  return [
    figure(
      'minutes',
      (samples.at(-1)?.at ?? 0) * 60,
      null,
      `${facts}; ${samples.length} samples, the first fifth discarded`,
    ),
    growth('resident memory', ({ resident }) => resident, 'MB', 1.1, 1.6),
    growth('heap', ({ heap }) => heap, 'MB', 1.1, 1.6),
    growth('handles', ({ handles }) => handles, 'open', 1.05, 1.2),
    growth('p99', ({ p99 }) => p99, 'ms', 1.5, null),
    figure('failed requests', failed, full ? { atMost: 0 } : null),
  ];
}

function slope(points: readonly (readonly [number, number])[]): number {
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(points.map(([at]) => at)), mean(points.map(([, value]) => value))];
  const across = points.reduce((sum, [at]) => sum + (at - x) ** 2, 0);
  return points.reduce((sum, [at, value]) => sum + (at - x) * (value - y), 0) / across;
}
