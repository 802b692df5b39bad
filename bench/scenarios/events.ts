import { createWriteStream, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { exampleCampaign } from '../../src/campaigns/campaign-schema.ts';
import { parseConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { Lease } from '../../src/event-feed/lease.ts';
import { EventMover } from '../../src/event-feed/number-events.ts';
import { recordEvents } from '../../src/events/record-event.ts';
import { dataRoot, type Engine, type Settings } from '../engines/engine.ts';
import { type Figure, measured } from '../measuring/figures.ts';
import { type Load, load } from '../measuring/load.ts';
import { databaseOf, generateDrafts } from '../service/build-database.ts';
import { runCommand } from '../service/run-command.ts';
import { deployed, program, serve, tokenOf } from '../service/servers.ts';
import { stockScript } from './stock.ts';

const ROUNDS = 20;
const SECONDS = 1;
const CONNECTIONS = 64;
const MERCHANTS = 100;
const PRODUCTS = 200;
const IMPORT_ROUNDS = 7;
const IMPORTED = 50_000;
const NUMBERING_ROUNDS = 5;
const NUMBERED = 20_000;
/** Around the threshold of low stock, so that many changes cross it. */
const QUANTITIES = 'math.random(0, 8)';
const bound = { atLeast: 0.9 };
const files = join(dataRoot, 'event-files');
const withoutEvents = ['--import', join(import.meta.dirname, '..', 'measuring', 'without-events.ts')];

type Variant = 'with' | 'without';

const optionsOf: Record<Variant, readonly string[]> = { with: [], without: withoutEvents };

/** Measures what events cost changes: the rates with events ÷ without, in turns. */
export async function events(engine: Engine): Promise<Figure[]> {
  const figures = [
    await compareLoad(
      engine,
      'POST /campaigns.json of one merchant',
      '/campaigns.json',
      async (settings) => ({
        script: `
        wrk.method = "POST"
        wrk.headers["Content-Type"] = "application/x-www-form-urlencoded"
        wrk.body = "access_token=${await tokenOf(settings, 'm1')}&name=Spring&type=AuctionCampaign&daily_budget=50&bid_amount=0.35"`,
      }),
    ),
  ];
  for (const merchants of [1, MERCHANTS]) {
    const name = `POST /variations/update.json of ${merchants} merchant(s)`;
    figures.push(
      await compareLoad(engine, name, '/variations/update.json', async (settings) => ({
        script: await stockScript(settings, { merchants, products: PRODUCTS, quantity: QUANTITIES }),
        connections: CONNECTIONS,
      })),
    );
  }
  return [...figures, await compareImports(engine), await numberingRate(engine)];
}

/** Sends the same load to services with and without events, both running, in short turns. */
async function compareLoad(
  engine: Engine,
  name: string,
  path: string,
  requestsOf: (settings: Settings) => Promise<Pick<Load, 'script' | 'connections'>>,
): Promise<Figure> {
  const open = async (variant: Variant) => {
    const database = `events-${variant}`;
    await engine.drop(database);
    const settings = await databaseOf(engine, database, Array<number>(MERCHANTS).fill(PRODUCTS));
    const requests = await requestsOf(settings);
    const command = [process.execPath, ...deployed.flags, ...optionsOf[variant], program] as const;
    const server = await serve(settings, {}, command);
    const run = async (): Promise<number> => {
      const url = `${server.baseUrl}${path}`;
      return (await load({ url, seconds: SECONDS, mayRefuse: true, ...requests })).requestsPerSecond;
    };
    return { server, run };
  };
  const services = { with: await open('with'), without: await open('without') };
  await using _with = services.with.server;
  await using _without = services.without.server;
  for (const { run } of Object.values(services)) await run();
  const cpuBefore = {
    with: services.with.server.cpuSeconds(),
    without: services.without.server.cpuSeconds(),
  };
  const { ratios, rates } = await compare(ROUNDS, (variant) => services[variant].run());
  const cpuOf = (variant: Variant): number => {
    const requests = rates[variant].reduce((sum, rate) => sum + rate * SECONDS, 0);
    return ((services[variant].server.cpuSeconds() - cpuBefore[variant]) / requests) * 1_000_000;
  };
  const cpu = `CPU time of the service with ${cpuOf('with').toFixed(0)} µs, without ${cpuOf('without').toFixed(0)} µs`;
  const notes = `${describe(rates, '/s')}; ${cpu}`;
  return { name: `${name}, with events ÷ without`, ...measured(ratios), bound, notes };
}

/** Imports into an empty database while the service runs. */
async function compareImports(engine: Engine): Promise<Figure> {
  mkdirSync(files, { recursive: true });
  const file = join(files, 'products.ndjson');
  const lines = generateDrafts(IMPORTED, 1).map(
    ({ identifier, variations, fields }) => `${JSON.stringify({ identifier, ...fields, variations })}\n`,
  );
  await pipeline(Readable.from(lines), createWriteStream(file));
  const run = async (variant: Variant): Promise<number> => {
    const options = optionsOf[variant];
    await engine.recreate('event-import');
    const settings = engine.settings('event-import');
    await runCommand(settings, ['merchants', 'create', '--name', 'm1']);
    const command = [process.execPath, ...deployed.flags, ...options, program] as const;
    await using _server = await serve(settings, {}, command);
    const seconds = await runCommand(settings, ['import', 'products', file, '--merchant', 'm1'], options);
    return IMPORTED / seconds;
  };
  const { ratios, rates } = await compare(IMPORT_ROUNDS, run);
  rmSync(files, { recursive: true });
  await engine.drop('event-import');
  const name = `import of ${IMPORTED} products, with events ÷ without`;
  return { name, ...measured(ratios), bound, notes: describe(rates, ' products/s') };
}

/** Measures the events per second that one process moves to the feed. */
async function numberingRate(engine: Engine): Promise<Figure> {
  await engine.recreate('event-feed');
  const database = await openDatabase(parseConfig(engine.settings('event-feed')), Date.now());
  const lease = new Lease(database);
  const mover = new EventMover(database, (connection) => lease.hold(connection));
  await lease.take();
  const rates: number[] = [];
  for (let round = 0; round < NUMBERING_ROUNDS; round += 1) {
    for (let merchantId = 1; merchantId <= MERCHANTS; merchantId += 1) {
      const event = { type: 'campaign.created', data: exampleCampaign } as const;
      const some = Array<typeof event>(NUMBERED / MERCHANTS).fill(event);
      await database.transaction(async (connection) =>
        recordEvents({ connection, merchantId, now: Date.now() }, some),
      );
    }
    const start = performance.now();
    for (let more = true; more; ) ({ more } = await mover.moveBatch());
    rates.push((1000 * NUMBERED) / (performance.now() - start));
  }
  await database.close();
  await engine.drop('event-feed');
  const notes = `${NUMBERED} events of ${MERCHANTS} merchants that wait in the outbox`;
  return { name: 'events moved to the feed per second', ...measured(rates), bound: null, notes };
}

/** Each variant is first in every other round. */
async function compare(
  rounds: number,
  run: (variant: Variant) => Promise<number>,
): Promise<{ ratios: number[]; rates: Record<Variant, number[]> }> {
  const rates: Record<Variant, number[]> = { with: [], without: [] };
  for (let round = 0; round < rounds; round += 1) {
    const order: readonly Variant[] = round % 2 === 0 ? ['with', 'without'] : ['without', 'with'];
    for (const variant of order) rates[variant].push(await run(variant));
  }
  const ratios = rates.with.map((rate, round) => rate / (rates.without[round] ?? Number.NaN));
  return { ratios, rates };
}

function describe(rates: Record<Variant, number[]>, unit: string): string {
  const median = (variant: Variant): string =>
    `${variant} ${measured(rates[variant]).median.toFixed(0)}${unit}`;
  return `${median('with')}, ${median('without')}`;
}
