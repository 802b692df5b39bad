import { type Figure, measured } from '../../../bench/measuring/figures.ts';
import { pinToCores } from '../pin-to-cores.ts';
import { figure, type Scenario } from '../scenario.ts';
import { StressedServer } from '../server.ts';
import { createTestData } from '../test-data.ts';
import { countOf, LoadGenerator, type LoadResult, type ResponseTimes } from './load-generator.ts';
import { pagePaths } from './pages.ts';

const PRODUCTS = 10_000;
/** Large pages, because one core cannot generate ten times the load of small ones. */
const PER_PAGE = 1_000;
const OVERLOAD_FACTOR = 10;
/** To show where rejections begin. */
const LOWER_FACTORS = [2, 5];
const PEAK_CONNECTIONS = [16, 32, 64];

export const load: Scenario = {
  promise:
    'at ten times its peak load, the service keeps its throughput, rejects the rest quickly, and recovers',
  run: async (t, { full, minutes = 5 }) => {
    const connections = full ? 2_000 : 400;
    const { settings } = await createTestData(t, PRODUCTS);
    const server = await StressedServer.start(t, settings);
    const paths = pagePaths(PRODUCTS, PER_PAGE);
    const generator = await LoadGenerator.start(t, {
      port: server.port,
      ca: server.ca,
      paths,
      connections,
    });
    const pinned = pinToCores(server.pid, generator.pid);
    const round = full ? 10 : 1;
    await generator.run({ seconds: full ? 10 : 2 });
    const before = await peakOf(generator, round);
    const lowerFactors: Figure[] = [];
    for (const factor of full ? LOWER_FACTORS : []) {
      const result = await generator.run({ rate: factor * before.rate, seconds: 30 });
      lowerFactors.push(lowerFactorFigure(factor, before, result));
    }
    const cpuBefore = server.cpuSeconds();
    const over = await generator.run({
      rate: OVERLOAD_FACTOR * before.rate,
      seconds: full ? minutes * 60 : 8,
    });
    const cpu = (server.cpuSeconds() - cpuBefore) / over.seconds;
    const normal = before.rate / (full ? 2 : 4);
    await generator.run({ rate: normal, seconds: 5 });
    const later = await generator.run({ rate: normal, seconds: full ? 10 : 2 });
    const after = await peakOf(generator, round);
    server.check();
    await server.stop();
    return figures({ before, after, over, later, cpu, pinned, full, lowerFactors, connections });
  },
};

interface Peak {
  rate: number;
  connections: number;
  generator: number;
}

/** The best throughput of clients that wait for each response, for several numbers of connections. */
async function peakOf(generator: LoadGenerator, seconds: number): Promise<Peak> {
  const peaks: Peak[] = [];
  for (const connections of PEAK_CONNECTIONS) {
    const result = await generator.run({ connections, seconds });
    peaks.push({ rate: countOf(result, 200) / seconds, connections, generator: result.cpu });
  }
  return peaks.reduce((best, peak) => (peak.rate > best.rate ? peak : best));
}

interface Measurements {
  before: Peak;
  after: Peak;
  over: LoadResult;
  later: LoadResult;
  /** Under overload, in cores. */
  cpu: number;
  pinned: boolean;
  full: boolean;
  lowerFactors: Figure[];
  connections: number;
}

function lowerFactorFigure(factor: number, { rate }: Peak, result: LoadResult): Figure {
  const [accepted, rejected] = [result.byStatus[200], result.byStatus[503]];
  const notes = [
    `offered ${(result.sent / result.seconds / rate).toFixed(1)} times the peak`,
    `accepted p99 ${accepted?.p99.toFixed(0)} ms`,
    `rejected p50 ${rejected?.p50.toFixed(0)} ms, p99 ${rejected?.p99.toFixed(0)} ms`,
  ];
  const share = countOf(result, 200) / result.seconds / rate;
  return figure(`accepted per second ÷ peak, at ${factor} times the peak`, share, null, notes.join('; '));
}

function figures({
  before,
  after,
  over,
  later,
  cpu,
  pinned,
  full,
  lowerFactors,
  connections,
}: Measurements): Figure[] {
  const accepted = over.byStatus[200];
  const rejected = over.byStatus[503];
  const peak = (before.rate + after.rate) / 2;
  const others = over.sent - countOf(over, 200) - countOf(over, 503) - countOf(over, 429);
  const describe = ({ p50, longest }: ResponseTimes): string =>
    `p50 ${p50.toFixed(1)} ms, longest ${longest.toFixed(0)} ms`;
  return [
    {
      name: `peak, pages of ${PER_PAGE} per second`,
      ...measured([before.rate, after.rate]),
      bound: null,
      notes: `before ${before.rate.toFixed(0)} (${before.connections} connections, generator ${before.generator.toFixed(2)} of a core), after ${after.rate.toFixed(0)}; ${pinned ? 'server and generator pinned to one core each' : 'not pinned to cores'}`,
    },
    ...lowerFactors,
    figure(
      'offered ÷ peak',
      over.sent / over.seconds / before.rate,
      full ? { atLeast: 0.95 * OVERLOAD_FACTOR } : null,
      `${(over.sent / over.seconds).toFixed(0)}/s for ${over.seconds} s over ${connections} connections; not sent because no connection was free: ${over.missed}; p99 of the sending delay ${over.late.toFixed(1)} ms; generator ${over.cpu.toFixed(2)} of a core, server ${cpu.toFixed(2)}`,
    ),
    figure(
      'accepted: p99 in ms',
      accepted?.p99 ?? Number.NaN,
      { atMost: full ? 1_000 : 5_000 },
      accepted && describe(accepted),
    ),
    figure(
      'rejected: p99 in ms',
      rejected?.p99 ?? Number.NaN,
      full ? { atMost: 50 } : null,
      rejected && `${rejected.count} of ${over.sent}; ${describe(rejected)}`,
    ),
    figure(
      'other responses, and lost connections',
      others + over.lost,
      { atMost: 0 },
      Object.keys(over.byStatus).join(', '),
    ),
    figure(
      'accepted per second ÷ peak',
      countOf(over, 200) / over.seconds / peak,
      { atLeast: full ? 0.9 : 0.3 },
      spread(over.acceptedPerSecond),
    ),
    figure(
      `accepted at ${full ? 'half' : 'a quarter'} of the peak, 5 s later`,
      countOf(later, 200) / later.sent,
      { atLeast: full ? 0.999 : 0.8 },
      later.byStatus[200] && `p99 ${later.byStatus[200].p99.toFixed(1)} ms`,
    ),
  ];
}

function spread(perSecond: number[]): string {
  const { median, low, high } = measured(perSecond);
  return `per second: median ${median}, ${low}–${high}`;
}
