import type { Engine } from '../engines/engine.ts';
import { type Figure, type Measured, measured } from '../measuring/figures.ts';
import { measureCost, type RequestCost } from '../measuring/request-cost.ts';
import { inTurns } from '../measuring/rounds.ts';
import { differentPages, firstPages, retrievals } from '../measuring/wrk-scripts.ts';
import { databaseOf, generateDrafts } from '../service/build-database.ts';
import { type Server, serve, tokenOf } from '../service/servers.ts';

const ROUNDS = 5;
const seconds = 2;
const SIZES = [20_000, 100_000] as const;
const VARIATIONS = 5_000;
/** One per connection: on PostgreSQL, one busy process would share more token lookups of a single key. */
const KEYS = 32;
const MAX_RATIO = { atMost: 1.15 };

/** The limit is for the CPU time with two workers, relative to one. */
interface Kind {
  script: string;
  bound: Figure['bound'];
}

/**
 * Measures CPU time per request with two workers compared to one. Throughput would not show whether workers
 * scale: the load generator shares the machine.
 */
export async function workers(engine: Engine): Promise<Figure[]> {
  const settings = await databaseOf(engine, 'pages', SIZES);
  const large = await tokenOf(settings, 'm2');
  const keys: string[] = [];
  for (let number = 0; number < KEYS; number += 1) keys.push(await tokenOf(settings, 'm1'));
  const [small = ''] = keys;
  const identifiers = [...generateDrafts(VARIATIONS, 1)].map(({ identifier }) => `${identifier}-a`);
  await using one = await serve(settings, { WORKERS: '1' });
  await using two = await serve(settings, { WORKERS: '2' });
  const kinds: Record<string, Kind> = {
    'known page': { script: firstPages(keys), bound: MAX_RATIO },
    'known page, one key': { script: firstPages([small]), bound: MAX_RATIO },
    'new page': { script: differentPages(large, SIZES[1]), bound: MAX_RATIO },
    'variations/retrieve': { script: retrievals(small, identifiers), bound: null },
  };
  const figures: Figure[] = [];
  for (const [name, { bound, script }] of Object.entries(kinds)) {
    const run = (server: Server): Promise<RequestCost> =>
      measureCost({ service: server, database: engine }, { url: server.baseUrl, seconds, script });
    // Not recorded: warms up both servers until all workers serve.
    for (const server of [one, two]) await run(server);
    const results = await inTurns({ one: () => run(one), two: () => run(two) }, ROUNDS);
    figures.push(compare(name, bound, results));
  }
  return figures;
}

function compare(
  name: string,
  bound: Figure['bound'],
  { one, two }: { one: RequestCost[]; two: RequestCost[] },
): Figure {
  const ratio = (figure: (run: RequestCost) => number): Measured =>
    measured(two.map((run, round) => figure(run) / figure(one[round] ?? run)));
  const describe = (runs: RequestCost[]): string => {
    const median = (figure: (run: RequestCost) => number): number => measured(runs.map(figure)).median;
    const rate = median(({ requestsPerSecond }) => requestsPerSecond).toFixed(0);
    const cost = `service ${median(({ service }) => service).toFixed(3)} ms, database server ${median(({ database }) => database).toFixed(3)} ms`;
    return `${cost} at ${rate}/s (wrk ${median(({ generatorShare }) => generatorShare).toFixed(2)})`;
  };
  const withDatabase = ratio(({ service, database }) => service + database).median.toFixed(2);
  return {
    name: `CPU time per ${name}: two workers ÷ one`,
    ...ratio(({ service }) => service),
    bound,
    notes: `two: ${describe(two)}; one: ${describe(one)}; ratio with the database server: ${withDatabase}`,
  };
}
