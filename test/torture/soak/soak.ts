import type { Figure } from '../../../bench/measuring/figures.ts';
import { countOf, LoadGenerator } from '../load/offering.ts';
import { pagePaths } from '../load/pages.ts';
import { figure, quantile, type Scenario } from '../scenario.ts';
import { TorturedServer } from '../server.ts';
import { stock } from '../stock.ts';
import { importAgainAndAgain } from './imports.ts';

const PRODUCTS = 10_000;
const PER_PAGE = 50;
const CONNECTIONS = 64;
/** So much of the time caches fill up in and programs are compiled: growth counts from there on. */
const WARM_UP = 0.2;

/** One look at it. */
interface Look {
  /** Since the start, in hours. */
  at: number;
  /** MB, with garbage collected. */
  resident: number;
  heap: number;
  handles: number;
  /** Of the requests since the last look, in ms. */
  p99: number;
  refused: number;
}

/** Half of what it can serve, for long, with imports beside. */
export const soak: Scenario = {
  promise: 'an hour at half of its peak with imports running: no growth in memory, handles or p99',
  run: async (t, { full, minutes = 60 }) => {
    const { settings } = await stock(t, PRODUCTS);
    const server = await TorturedServer.start(t, settings);
    const generator = await LoadGenerator.start(t, {
      port: server.port,
      ca: server.ca,
      paths: pagePaths(PRODUCTS, PER_PAGE),
      connections: CONNECTIONS,
    });
    await generator.offer({ seconds: full ? 10 : 1 });
    let isOver = false;
    const imports = importAgainAndAgain(settings, () => isOver);
    const seconds = full ? 10 : 2;
    const peak = countOf(await generator.offer({ seconds }), 200) / seconds;
    const looks: Look[] = [];
    const begun = performance.now();
    const end = begun + (full ? minutes * 60_000 : 8_000);
    while (performance.now() < end) {
      const offered = await generator.offer({ rate: peak / 2, seconds: full ? 55 : 1 });
      const { resident, heap } = await server.memory(full ? undefined : 2);
      looks.push({
        at: (performance.now() - begun) / 3_600_000,
        resident,
        heap,
        handles: server.handles(),
        p99: offered.byStatus[200]?.p99 ?? Number.NaN,
        refused: offered.sent - countOf(offered, 200) + offered.missed + offered.broken,
      });
      if (full) process.stderr.write(`${JSON.stringify(looks.at(-1))}\n`);
    }
    isOver = true;
    const imported = await imports;
    server.check();
    await server.stop();
    return figures(
      looks,
      `peak with imports ${peak.toFixed(0)}/s, ${imported} imports of 1,000 changed products`,
      full,
    );
  },
};

function figures(looks: Look[], facts: string, full: boolean): Figure[] {
  const counted = looks.slice(Math.floor(looks.length * WARM_UP));
  const growth = (
    name: string,
    of: (look: Look) => number,
    unit: string,
    most: number,
    mostShort: number | null,
  ): Figure => {
    const atMost = full ? most : mostShort;
    const values = counted.map(of);
    const third = Math.ceil(values.length / 3);
    const [first, last] = [quantile(values.slice(0, third), 0.5), quantile(values.slice(-third), 0.5)];
    const perHour = slope(counted.map((look) => [look.at, of(look)]));
    const range = `${Math.min(...values).toFixed(1)}–${Math.max(...values).toFixed(1)}`;
    const notes = `${first.toFixed(1)} → ${last.toFixed(1)} ${unit}, ${range}; slope ${perHour.toFixed(1)} ${unit} an hour`;
    return figure(`${name}, last third ÷ first`, last / first, atMost === null ? null : { atMost }, notes);
  };
  const refused = looks.reduce((sum, look) => sum + look.refused, 0);
  return [
    figure(
      'minutes',
      (looks.at(-1)?.at ?? 0) * 60,
      null,
      `${facts}; ${looks.length} looks, the first fifth not counted`,
    ),
    growth('resident memory', ({ resident }) => resident, 'MB', 1.1, 1.6),
    growth('heap', ({ heap }) => heap, 'MB', 1.1, 1.6),
    growth('handles', ({ handles }) => handles, 'open', 1.05, 1.2),
    growth('p99', ({ p99 }) => p99, 'ms', 1.5, null),
    figure('requests not served', refused, full ? { atMost: 0 } : null),
  ];
}

/** Of the line that lies nearest to these points. */
function slope(points: readonly (readonly [number, number])[]): number {
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(points.map(([at]) => at)), mean(points.map(([, value]) => value))];
  const across = points.reduce((sum, [at]) => sum + (at - x) ** 2, 0);
  return points.reduce((sum, [at, value]) => sum + (at - x) * (value - y), 0) / across;
}
