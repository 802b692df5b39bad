import { parseConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import type { Engine, Settings } from '../engines/engine.ts';
import { type Figure, measured } from '../measuring/figures.ts';
import { load } from '../measuring/load.ts';
import { measureCost, type RequestCost } from '../measuring/request-cost.ts';
import { inTurn, type ScriptedRequest, steadyRequests } from '../measuring/wrk-scripts.ts';
import { databaseOf } from '../service/build-database.ts';
import { type Server, serve } from '../service/servers.ts';
import { countStatements } from '../sizing/count-statements.ts';
import { measureImport } from '../sizing/measure-import.ts';
import {
  assumptions,
  type CallKind,
  CORES_PER_MACHINE,
  type Costs,
  callKinds,
  coresFor,
  peakOf,
  predict,
  type Workload,
} from '../sizing/model.ts';
import { type RequestSource, requestsFor, take, takeMixed } from '../sizing/requests.ts';

const ROUNDS = 3;
const SECONDS = 2;
const CONNECTIONS = 32;
const COUNTED = 300;
const WARM_UP_REQUESTS = 2_000;
/** Measured among campaigns: after a commit, the service looks up tokens and revisions again. */
const CAMPAIGN_SHARE = assumptions.mix.campaign;
const SCHEDULES_PER_MONTH = 0.05;
const COST_SIZES = Array<number>(50).fill(1_000);
/**
 * Calls per second and process, for costs and points alike. At a higher rate, a call takes less CPU time,
 * because a process handles several in one turn.
 */
const RATE = 400;
const POINTS = [
  { name: 'point 1', sizes: Array<number>(20).fill(2_500), workers: 1 },
  { name: 'point 2', sizes: Array<number>(200).fill(300), workers: 2 },
];
const MERCHANTS = [10, 1_000, 100_000];
const MAX_DEVIATION = { atMost: 1.25 };
const GB = 1e9;

/** Measures what calls and products cost, and checks the model in docs/how-to/size-it.md at two points. */
export async function sizing(engine: Engine): Promise<Figure[]> {
  const emptyBytes = await emptySize(engine);
  const settings = await newDatabase(engine, COST_SIZES);
  const products = COST_SIZES.reduce((sum, size) => sum + size, 0);
  const bytesPerProduct = ((await engine.size('sizing')) - emptyBytes) / products;
  const source = await requestsFor(settings, COST_SIZES);
  const [calls, figures] = await measureCalls(engine, settings, source);
  const { milliseconds: importedRow, notes } = await measureImport(engine);
  const costs: Costs = { calls, importedRow, bytesPerProduct, emptyBytes };
  figures.push(
    { ...single('CPU time per imported row, in ms', importedRow), notes },
    {
      ...single('bytes on disk per product', bytesPerProduct),
      notes: `with two variations and ${(SCHEDULES_PER_MONTH * 24).toFixed(1)} auctions each; a database without merchants has ${emptyBytes} bytes`,
    },
  );
  for (const point of POINTS) figures.push(...(await checkPoint(engine, costs, point)));
  await engine.drop('sizing');
  return [...figures, ...MERCHANTS.map((merchants) => describeNeeds(costs, merchants))];
}

async function emptySize(engine: Engine): Promise<number> {
  await engine.recreate('sizing');
  const database = await openDatabase(parseConfig(engine.settings('sizing')), Date.now());
  await database.close();
  return await engine.size('sizing');
}

async function newDatabase(engine: Engine, sizes: readonly number[]): Promise<Settings> {
  await engine.drop('sizing');
  return await databaseOf(engine, 'sizing', sizes, { schedulesPerMonth: SCHEDULES_PER_MONTH });
}

async function sendSteadily(
  engine: Engine,
  server: Server,
  requests: readonly ScriptedRequest[],
  perSecond: number,
): Promise<RequestCost> {
  const script = steadyRequests(requests, { perSecond, connections: CONNECTIONS });
  const load = { url: server.baseUrl, seconds: SECONDS, connections: CONNECTIONS, script };
  return await measureCost({ service: server, database: engine }, load);
}

/** Sends requests so that the server's code is compiled and its caches are filled. */
async function warmUp(server: Server, requests: readonly ScriptedRequest[]): Promise<void> {
  await load({ url: server.baseUrl, seconds: SECONDS, script: inTurn(requests) });
}

async function measureCalls(
  engine: Engine,
  settings: Settings,
  source: RequestSource,
): Promise<[Costs['calls'], Figure[]]> {
  const requests = callKinds.map((kind) => [kind, take(source[kind], COUNTED)] as const);
  const statements = await countStatements(
    settings,
    Object.fromEntries(requests) as Record<CallKind, ScriptedRequest[]>,
  );
  const calls: Partial<Costs['calls']> = {};
  const figures: Figure[] = [];
  await using server = await serve(settings);
  // First, because their cost is subtracted from the others'.
  for (const kind of ['campaign', ...callKinds.filter((other) => other !== 'campaign')] as const) {
    const runs: RequestCost[] = [];
    await warmUp(server, takeMixed(source, withCampaigns(kind), WARM_UP_REQUESTS));
    for (let round = 0; round < ROUNDS; round += 1) {
      const next = takeMixed(source, withCampaigns(kind), 1 + RATE * SECONDS);
      const run = await sendSteadily(engine, server, next, RATE);
      runs.push(withoutCampaigns(run, calls.campaign));
    }
    const service = measured(runs.map((run) => run.service));
    const database = measured(runs.map((run) => run.database));
    const rate = measured(runs.map((run) => run.requestsPerSecond)).median;
    calls[kind] = { service: service.median, database: database.median };
    figures.push({
      name: `CPU time per ${kind}, in ms`,
      ...measured(runs.map((run) => run.service + run.database)),
      bound: null,
      notes: `service ${service.median.toFixed(3)}, database server ${database.median.toFixed(3)} at ${rate.toFixed(0)}/s; ${statements[kind].toFixed(2)} SQL statements`,
    });
  }
  figures.push(single('resident memory of a process that serves, in MB', server.resident()));
  return [calls as Costs['calls'], figures];
}

/** Mixes this kind of call with a few campaigns. */
function withCampaigns(kind: CallKind): Workload['mix'] {
  const none = { 'known page': 0, 'new page': 0, variation: 0, campaign: 0, 'monthly sales': 0 };
  return { ...none, campaign: CAMPAIGN_SHARE, [kind]: kind === 'campaign' ? 1 : 1 - CAMPAIGN_SHARE };
}

/** Returns the cost of one read in such a mix. */
function withoutCampaigns(run: RequestCost, campaign: Costs['calls'][CallKind] | undefined): RequestCost {
  if (campaign === undefined) return run;
  const read = (mixed: number, cost: number): number =>
    (mixed - CAMPAIGN_SHARE * cost) / (1 - CAMPAIGN_SHARE);
  return {
    ...run,
    service: read(run.service, campaign.service),
    database: read(run.database, campaign.database),
  };
}

/** Compares the prediction with a measurement. */
async function checkPoint(
  engine: Engine,
  costs: Costs,
  { name, sizes, workers }: (typeof POINTS)[number],
): Promise<Figure[]> {
  const settings = await newDatabase(engine, sizes);
  const bytes = await engine.size('sizing');
  const source = await requestsFor(settings, sizes);
  await using server = await serve(settings, { WORKERS: String(workers) });
  const { mix } = assumptions;
  const perSecond = RATE * workers;
  await warmUp(server, takeMixed(source, mix, WARM_UP_REQUESTS));
  const runs: RequestCost[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const requests = takeMixed(source, mix, 1 + perSecond * SECONDS);
    runs.push(await sendSteadily(engine, server, requests, perSecond));
  }
  const callsPerSecond = measured(runs.map((run) => run.requestsPerSecond)).median;
  const workload: Workload = {
    merchants: sizes.length,
    productsPerMerchant: sizes[0] ?? 0,
    callsPerSecond,
    mix,
    importedRowsPerSecond: 0,
  };
  const predicted = predict(costs, workload);
  const cores = measured(runs.map((run) => ((run.service + run.database) * run.requestsPerSecond) / 1000));
  const predictedCores = predicted.service + predicted.database;
  const description = `${name} (${sizes.length} merchants with ${sizes[0]} products, ${callsPerSecond.toFixed(0)} calls/s, WORKERS=${workers})`;
  return [
    {
      name: `${description}: cores, measured ÷ predicted`,
      ...measured([cores.low, cores.median, cores.high].map((value) => value / predictedCores)),
      bound: MAX_DEVIATION,
      notes: `predicted ${predictedCores.toFixed(3)}, measured ${cores.median.toFixed(3)}`,
    },
    {
      ...single(`${description}: bytes on disk, measured ÷ predicted`, bytes / predicted.bytes),
      bound: MAX_DEVIATION,
      notes: `predicted ${(predicted.bytes / GB).toFixed(3)} GB, measured ${(bytes / GB).toFixed(3)} GB; resident memory of the first process ${server.resident().toFixed(0)} MB`,
    },
  ];
}

function describeNeeds(costs: Costs, merchants: number): Figure {
  const workload = peakOf(merchants, assumptions);
  const { service, database, bytes } = predict(costs, workload);
  const [forService, forDatabase] = [coresFor(service, assumptions), coresFor(database, assumptions)];
  return {
    ...single(`${merchants} merchants: cores at the peak`, service + database),
    notes: `${workload.callsPerSecond.toFixed(0)} calls/s; at ${100 * assumptions.utilization}% use, ${forService.toFixed(2)} cores for the service (${Math.ceil(forService / CORES_PER_MACHINE)} machines with ${CORES_PER_MACHINE}), ${forDatabase.toFixed(2)} for the database server; ${(bytes / GB).toFixed(1)} GB on disk`,
  };
}

function single(name: string, value: number): Figure {
  return { name, ...measured([value]), bound: null, notes: '' };
}
