import { createWriteStream, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { exampleCampaign } from '../../src/campaigns/references.ts';
import { parseConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { Lease } from '../../src/event-feed/lease.ts';
import { EventMover } from '../../src/event-feed/number-events.ts';
import { recordEvents } from '../../src/events/record-event.ts';
import { dataRoot, type Engine, type Settings } from '../engines/engine.ts';
import { type Figure, type Measured, measured } from '../measuring/figures.ts';
import { type Load, load } from '../measuring/load.ts';
import { databaseOf, generateDrafts } from '../service/build-database.ts';
import { runCommand } from '../service/run-command.ts';
import { deployed, program, serve, tokenOf } from '../service/servers.ts';
import { stockScript } from './stock.ts';

const ROUNDS = 9;
const SECONDS = 3;
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
/** Options of Node for a program whose changes record no events. */
const withoutEvents = ['--import', join(import.meta.dirname, '..', 'measuring', 'without-events.ts')];

/** Measures what events cost the changes that they are recorded with: the rates with events ÷ without, in turns. */
export async function events(engine: Engine): Promise<Figure[]> {
  await engine.drop('events');
  const settings = await databaseOf(engine, 'events', Array<number>(MERCHANTS).fill(PRODUCTS));
  const token = await tokenOf(settings, 'm1');
  const campaigns = `
    wrk.method = "POST"
    wrk.headers["Content-Type"] = "application/x-www-form-urlencoded"
    wrk.body = "access_token=${token}&name=Spring&type=AuctionCampaign&daily_budget=50&bid_amount=0.35"`;
  const figures = [
    {
      name: 'POST /campaigns.json of one merchant, with events ÷ without',
      ...(await compareLoad(settings, '/campaigns.json', { script: campaigns })),
    },
  ];
  for (const merchants of [1, MERCHANTS]) {
    const script = await stockScript(settings, { merchants, products: PRODUCTS, quantity: QUANTITIES });
    figures.push({
      name: `POST /variations/update.json of ${merchants} merchant(s), with events ÷ without`,
      ...(await compareLoad(settings, '/variations/update.json', { script, connections: CONNECTIONS })),
    });
  }
  return [...figures, await compareImports(engine), await numberingRate(engine)];
}

async function compareLoad(
  settings: Settings,
  path: string,
  requests: Pick<Load, 'script' | 'connections'>,
): Promise<Omit<Figure, 'name'>> {
  const run = async (options: readonly string[]): Promise<number> => {
    const command = [process.execPath, ...deployed.flags, ...options, program] as const;
    await using server = await serve(settings, {}, command);
    const url = `${server.baseUrl}${path}`;
    return (await load({ url, seconds: SECONDS, mayRefuse: true, ...requests })).requestsPerSecond;
  };
  return await compare(ROUNDS, run, (rate) => `${rate.toFixed(0)}/s`);
}

/** Imports a file into an empty database while the service runs. */
async function compareImports(engine: Engine): Promise<Figure> {
  mkdirSync(files, { recursive: true });
  const file = join(files, 'products.ndjson');
  const lines = generateDrafts(IMPORTED, 1).map(
    ({ identifier, variations, fields }) => `${JSON.stringify({ identifier, ...fields, variations })}\n`,
  );
  await pipeline(Readable.from(lines), createWriteStream(file));
  const run = async (options: readonly string[]): Promise<number> => {
    await engine.recreate('event-import');
    const settings = engine.settings('event-import');
    await runCommand(settings, ['merchants', 'create', '--name', 'm1']);
    const command = [process.execPath, ...deployed.flags, ...options, program] as const;
    await using _server = await serve(settings, {}, command);
    const seconds = await runCommand(settings, ['import', 'products', file, '--merchant', 'm1'], options);
    return IMPORTED / seconds;
  };
  const figure = await compare(IMPORT_ROUNDS, run, (rate) => `${rate.toFixed(0)} products/s`);
  rmSync(files, { recursive: true });
  await engine.drop('event-import');
  return { name: `import of ${IMPORTED} products, with events ÷ without`, ...figure };
}

/** Measures how many events per second one process moves to the feed. */
async function numberingRate(engine: Engine): Promise<Figure> {
  await engine.recreate('event-feed');
  const database = await openDatabase(parseConfig(engine.settings('event-feed')), Date.now());
  const lease = new Lease(database);
  const mover = new EventMover(database, (connection) => lease.hold(connection));
  await lease.take();
  const rates: number[] = [];
  for (let round = 0; round < NUMBERING_ROUNDS; round += 1) {
    for (let merchantId = 1; merchantId <= MERCHANTS; merchantId += 1) {
      const event = {
        merchantId,
        type: 'campaign.created',
        occurredAt: Date.now(),
        data: exampleCampaign,
      } as const;
      const some = Array<typeof event>(NUMBERED / MERCHANTS).fill(event);
      await database.transaction((connection) => recordEvents(connection, some));
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

/** Measures rates with events and without, in turns, and each first in every other round. */
async function compare(
  rounds: number,
  run: (options: readonly string[]) => Promise<number>,
  format: (rate: number) => string,
): Promise<Measured & Pick<Figure, 'bound' | 'notes'>> {
  const rates = { with: [] as number[], without: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    const first = round % 2 === 0 ? 'with' : 'without';
    const second = first === 'with' ? 'without' : 'with';
    for (const variant of [first, second] as const)
      rates[variant].push(await run(variant === 'with' ? [] : withoutEvents));
  }
  const ratios = rates.with.map((rate, round) => rate / (rates.without[round] ?? Number.NaN));
  const medians = `with ${format(measured(rates.with).median)}, without ${format(measured(rates.without).median)}`;
  return { ...measured(ratios), bound, notes: medians };
}
