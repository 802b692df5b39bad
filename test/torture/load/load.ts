import { type Figure, measured } from '../../../bench/measuring/figures.ts';
import { pin } from '../pin.ts';
import { figure, type Scenario } from '../scenario.ts';
import { TorturedServer } from '../server.ts';
import { stock } from '../stock.ts';
import { type Bunch, countOf, LoadGenerator, type Offered } from './offering.ts';
import { pagePaths } from './pages.ts';

const PRODUCTS = 10_000;
/** Large pages: ten times as many small ones as the service can serve are more than one core can ask for. */
const PER_PAGE = 1_000;
const TIMES = 10;
/** Told beside it: where it begins. */
const FEWER_TIMES = [2, 5];
const AT_ONCE = [16, 32, 64];

/** Far more than it can serve, whatever becomes of it, and then no more than usual. */
export const load: Scenario = {
  promise:
    'at ten times its peak it serves as many as before in time, turns the rest away at once, and recovers',
  run: async (t, { full, minutes = 5 }) => {
    const connections = full ? 2_000 : 400;
    const { settings } = await stock(t, PRODUCTS);
    const server = await TorturedServer.start(t, settings);
    const paths = pagePaths(PRODUCTS, PER_PAGE);
    const generator = await LoadGenerator.start(t, {
      port: server.port,
      ca: server.ca,
      paths,
      connections,
    });
    const pinned = pin(server.pid, generator.pid);
    const round = full ? 10 : 1;
    await generator.offer({ seconds: full ? 10 : 2 });
    const before = await peakOf(generator, round);
    const less = [];
    for (const times of full ? FEWER_TIMES : []) {
      less.push(describe(times, before, await generator.offer({ rate: times * before.rate, seconds: 30 })));
    }
    const cpuBefore = server.cpuSeconds();
    const over = await generator.offer({ rate: TIMES * before.rate, seconds: full ? minutes * 60 : 8 });
    const cpu = (server.cpuSeconds() - cpuBefore) / over.seconds;
    const usual = before.rate / (full ? 2 : 4);
    await generator.offer({ rate: usual, seconds: 5 });
    const later = await generator.offer({ rate: usual, seconds: full ? 10 : 2 });
    const after = await peakOf(generator, round);
    server.check();
    await server.stop();
    return figures({ before, after, over, later, cpu, pinned, full, less, connections });
  },
};

interface Peak {
  /** Answers a second that are pages. */
  rate: number;
  connections: number;
  generator: number;
}

/** As fast as it serves those who wait for their answer before they ask again: the best of several crowds. */
async function peakOf(generator: LoadGenerator, seconds: number): Promise<Peak> {
  const peaks: Peak[] = [];
  for (const connections of AT_ONCE) {
    const offered = await generator.offer({ connections, seconds });
    peaks.push({ rate: countOf(offered, 200) / seconds, connections, generator: offered.cpu });
  }
  return peaks.reduce((best, peak) => (peak.rate > best.rate ? peak : best));
}

interface Measurements {
  before: Peak;
  after: Peak;
  over: Offered;
  later: Offered;
  /** Cores that the server took meanwhile. */
  cpu: number;
  pinned: boolean;
  full: boolean;
  less: Figure[];
  connections: number;
}

/** What became of less than all that. */
function describe(times: number, { rate }: Peak, offered: Offered): Figure {
  const [accepted, refused] = [offered.byStatus[200], offered.byStatus[503]];
  const notes = [
    `offered ${(offered.sent / offered.seconds / rate).toFixed(1)} of the peak`,
    `accepted p99 ${accepted?.p99.toFixed(0)} ms`,
    `turned away p50 ${refused?.p50.toFixed(0)} ms, p99 ${refused?.p99.toFixed(0)} ms`,
  ];
  const share = countOf(offered, 200) / offered.seconds / rate;
  return figure(`accepted a second ÷ peak, at ${times} times the peak`, share, null, notes.join('; '));
}

function figures({
  before,
  after,
  over,
  later,
  cpu,
  pinned,
  full,
  less,
  connections,
}: Measurements): Figure[] {
  const accepted = over.byStatus[200];
  const refused = over.byStatus[503];
  const peak = (before.rate + after.rate) / 2;
  const others = over.sent - countOf(over, 200) - countOf(over, 503) - countOf(over, 429);
  const times = ({ p50, longest }: Bunch): string =>
    `p50 ${p50.toFixed(1)} ms, longest ${longest.toFixed(0)} ms`;
  return [
    {
      name: `peak, pages of ${PER_PAGE} a second`,
      ...measured([before.rate, after.rate]),
      bound: null,
      notes: `before ${before.rate.toFixed(0)} (${before.connections} connections, generator ${before.generator.toFixed(2)} of a core), after ${after.rate.toFixed(0)}; ${pinned ? 'server and generator on a core each' : 'not kept apart'}`,
    },
    ...less,
    figure(
      'offered ÷ peak',
      over.sent / over.seconds / before.rate,
      full ? { atLeast: 0.95 * TIMES } : null,
      `${(over.sent / over.seconds).toFixed(0)}/s for ${over.seconds} s over ${connections} connections; not sent for want of a free one: ${over.missed}; p99 of sending late ${over.late.toFixed(1)} ms; generator ${over.cpu.toFixed(2)} of a core, server ${cpu.toFixed(2)}`,
    ),
    figure(
      'accepted: p99 in ms',
      accepted?.p99 ?? Number.NaN,
      { atMost: full ? 1_000 : 5_000 },
      accepted && times(accepted),
    ),
    figure(
      'turned away: p99 in ms',
      refused?.p99 ?? Number.NaN,
      full ? { atMost: 50 } : null,
      refused && `${refused.count} of ${over.sent}; ${times(refused)}`,
    ),
    figure(
      'other answers, and connections lost',
      others + over.broken,
      { atMost: 0 },
      Object.keys(over.byStatus).join(', '),
    ),
    figure(
      'accepted a second ÷ peak',
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
  return `by second: median ${median}, ${low}–${high}`;
}
