import { availableParallelism } from 'node:os';
import type { Engine } from '../engines/engine.ts';
import { type Figure, type Measured, measured } from '../measuring/figures.ts';
import { type Load, load } from '../measuring/load.ts';
import { inTurns } from '../measuring/rounds.ts';
import { differentPages, retrievals } from '../measuring/wrk-scripts.ts';
import { databaseOf, generateDrafts } from '../service/build-database.ts';
import { type Server, serve, tokenOf } from '../service/servers.ts';

const ROUNDS = 9;
const seconds = 2;
const SIZES = [20_000, 100_000] as const;
const VARIATIONS = 5_000;

/** The result of one load, and the cores that it used: 1 is one full core, NaN is unknown. */
interface Run {
  rate: number;
  generator: number;
  workers: number;
  /** The cores of the database server; 0 if the engine runs in the workers. */
  server: number;
}

/** Measures the throughput of two workers compared to one. */
export async function workers(engine: Engine): Promise<Figure[]> {
  const settings = await databaseOf(engine, 'pages', SIZES);
  const [small, large] = [await tokenOf(settings, 'm1'), await tokenOf(settings, 'm2')];
  const identifiers = [...generateDrafts(VARIATIONS, 1)].map(({ identifier }) => `${identifier}-a`);
  await using one = await serve(settings, { WORKERS: '1' });
  await using two = await serve(settings, { WORKERS: '2' });
  const kinds: Record<string, Pick<Load, 'script'> & { path?: string }> = {
    'cached page': { path: `/products.json?access_token=${small}` },
    'different page each time': { script: differentPages(large, SIZES[1]) },
    'variations/retrieve': { script: retrievals(small, identifiers) },
  };
  const figures: Figure[] = [];
  for (const [name, { path = '', ...rest }] of Object.entries(kinds)) {
    const run = (server: Server): Promise<Run> =>
      measureRun(engine, server, { url: `${server.baseUrl}${path}`, seconds, ...rest });
    // Not recorded: warms up both servers until all workers serve.
    for (const server of [one, two]) await run(server);
    const results = await inTurns({ one: () => run(one), two: () => run(two) }, ROUNDS);
    figures.push(...compare(name, results));
  }
  return figures;
}

async function measureRun(engine: Engine, server: Server, options: Load): Promise<Run> {
  const before = [server.cpuSeconds(), engine.cpuSeconds()] as const;
  const { requestsPerSecond: rate, generatorShare: generator } = await load(options);
  const after = [server.cpuSeconds(), engine.cpuSeconds()] as const;
  return {
    rate,
    generator,
    workers: (after[0] - before[0]) / seconds,
    server: (after[1] - before[1]) / seconds,
  };
}

function compare(name: string, { one, two }: { one: Run[]; two: Run[] }): Figure[] {
  const ratio = (figure: (run: Run) => number): Measured =>
    measured(two.map((run, round) => figure(run) / figure(one[round] ?? run)));
  const median = (runs: Run[], figure: (run: Run) => number): number => measured(runs.map(figure)).median;
  const describe = (runs: Run[]): string => {
    const share = (figure: (run: Run) => number): string => median(runs, figure).toFixed(2);
    const rate = median(runs, ({ rate }) => rate).toFixed(0);
    const cores = `workers ${share(({ workers }) => workers)}, wrk ${share(({ generator }) => generator)}`;
    return `${rate}/s (cores: ${cores}, database server ${share(({ server }) => server)})`;
  };
  const all = availableParallelism();
  const coresPerRate = median(
    two,
    ({ generator, workers, server, rate }) => (generator + workers + server) / rate,
  );
  const maximum = all / coresPerRate / median(one, ({ rate }) => rate);
  return [
    {
      name: `${name}: two workers ÷ one`,
      ...ratio(({ rate }) => rate),
      bound: { atLeast: 1.6 },
      notes: `two: ${describe(two)}; one: ${describe(one)}; ratio if two workers used all ${all} cores at this cost per request: ${maximum.toFixed(2)}`,
    },
    {
      name: `${name}: requests per CPU second of the workers, two ÷ one`,
      ...ratio(({ rate, workers }) => rate / workers),
      bound: null,
      notes: '',
    },
  ];
}
