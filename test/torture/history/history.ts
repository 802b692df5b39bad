import { setTimeout as pause } from 'node:timers/promises';
import type { Figure } from '../../../bench/measuring/figures.ts';
import { parseConfig } from '../../../src/config.ts';
import type { Database } from '../../../src/database/database.ts';
import { openDatabase } from '../../../src/database/open-database.ts';
import { statement } from '../../../src/database/statement.ts';
import { Random } from '../../../src/demo/random.ts';
import type { Product } from '../../../src/products/record/product.ts';
import { allProducts } from '../../support/catalog.ts';
import { ConsoleClient } from '../../support/console.ts';
import { failOver } from '../../support/postgres/pair.ts';
import type { Owner } from '../../support/process.ts';
import { until } from '../../support/until.ts';
import { type EngineName, onEachEngine } from '../engines.ts';
import { Cluster, killsIn } from '../nodes/cluster.ts';
import { Copy } from '../nodes/copy.ts';
import { fillShop, type ShopOwners } from '../nodes/fill-shop.ts';
import { createNodeData, isClusterGiven } from '../nodes/node-data.ts';
import type { Shop, Writer } from '../nodes/shop.ts';
import { writers } from '../nodes/writers.ts';
import { type Extent, figure, type Scenario } from '../scenario.ts';
import { CallLog } from './call-log.ts';
import { type Findings, HistoryCheck, noFindings } from './check-histories.ts';
import { UndoShop } from './undo-shop.ts';

const MINUTES = 15;
const KILL_EVERY_MS = 15_000;
/** The kills of a short run, and the writes that are acknowledged between two of them. */
const SHORT = { kills: 2, writes: 30, products: 400 };
const PRODUCTS = 4_000;
const UNDO_SHOPS = 2;
const PAUSE_MS = 50;
/** A command uses a second of CPU time. */
const PAUSE_OF_COMMANDS_MS = 2_000;
const WAITING = { timeoutMs: 240_000, intervalMs: 5 };
/** What buyers pay, as the writers state it, in hundredths. */
const FEES = { buyer_fee: 3_000, shipping_fee: 500 };
const SHOWN = 3;
/** The share of products of the shops with undos whose history is read although no call has changed them. */
const CHECKED = 0.03;

/** An import in progress that has changed something. */
const findBegun = statement<{ merchantId: number; id: string }, { id: string }>(
  `SELECT i.id FROM imports i WHERE i.merchant_id = :merchantId AND i.id = :id AND i.state = 'importing'
   AND EXISTS (SELECT 1 FROM catalog_changes c WHERE c.merchant_id = :merchantId AND c.import_id = :id)`,
);

export const history: Scenario = {
  promise:
    'the history leads from each present record through every acknowledged state to its creation, with one entry for each change, and an undo that is repeated after kills equals the history without the undone change but for reported conflicts, with nodes killed in the middle of undos and a failover on PostgreSQL',
  run: (_t, extent) => onEachEngine(extent, (engine, t) => runOn(engine, t, extent)),
};

async function runOn(engine: EngineName, t: Owner, extent: Extent): Promise<Figure[]> {
  const { settings, pair } = await createNodeData(engine, t);
  const random = new Random(extent.seed);
  const cluster = await Cluster.start(t, { engine, settings, random });
  const database = await openDatabase(parseConfig(settings), Date.now());
  t.after(() => database.close());
  let [kills, failovers] = [0, 0];
  let isWriting = true;
  const log = new CallLog(cluster);
  const options = { cluster, log, settings, random, isWriting: () => isWriting };
  const shop = await openShop(options, await fillShop(database));
  const undoShops: UndoShop[] = [];
  for (let number = 1; number <= UNDO_SHOPS; number += 1) {
    const owners = await fillShop(database, `Undo ${number}`);
    const read = () => productsOf(database, owners);
    const own = new CallLog(cluster);
    const console = await signIn(own, owners);
    const products = extent.full ? PRODUCTS : SHORT.products;
    const isPatient = extent.full && number === 1;
    const ofShop = { log: own, owners, console, random, products, read, kills: () => kills, isPatient };
    undoShops.push(new UndoShop(ofShop));
  }
  await Promise.all(undoShops.map((each) => each.fill()));
  const repeat = async (step: () => Promise<unknown>, pauseMs = PAUSE_MS): Promise<void> => {
    while (isWriting) {
      await step();
      await pause(pauseMs);
    }
  };
  const acknowledged = new Map(Object.keys(writers).map((name) => [name, 0]));
  const write = async (name: string, writer: Writer): Promise<void> => {
    if (await writer(shop)) acknowledged.set(name, (acknowledged.get(name) ?? 0) + 1);
  };
  const work = Promise.all([
    ...Object.entries(writers).map(([name, writer]) =>
      repeat(() => write(name, writer), name === 'commands' ? PAUSE_OF_COMMANDS_MS : PAUSE_MS),
    ),
    ...[shop.products, shop.campaigns, shop.orders].map((copy) => repeat(() => copy.follow())),
    ...undoShops.map((each) => repeat(() => each.round())),
  ]);
  const planned = extent.full ? killsIn(extent.minutes ?? MINUTES, KILL_EVERY_MS) : SHORT.kills;
  const killing = cluster.kill(
    {
      kills: planned,
      everyMs: extent.full ? KILL_EVERY_MS : undefined,
      each: SHORT.writes,
      progress: () => [...acknowledged.values()].reduce((sum, count) => sum + count, 0),
      isOfAll: (kill) => kill % 2 === 1,
      moment: () => untilUndoing(database, undoShops),
    },
    async (kill) => {
      kills = kill;
      if (pair === undefined || kill !== Math.ceil(planned / 2)) return;
      await failOver(pair);
      failovers += 1;
    },
  );
  try {
    // A writer that throws ends the run at once.
    await Promise.race([killing, work]);
  } finally {
    isWriting = false;
  }
  await work;
  const findings = noFindings();
  const check = new HistoryCheck({ cluster, token: shop.token }, log, findings);
  await check.products();
  await check.campaigns();
  await check.orders(FEES);
  check.counts();
  for (const { log: own, token } of undoShops) {
    const sample = new HistoryCheck({ cluster, token }, own, findings);
    await sample.products(() => random.chance(CHECKED));
    sample.counts();
  }
  const logs = [log, ...undoShops.map((each) => each.log)];
  const repeated = logs.reduce((sum, each) => sum + each.repeated, 0);
  const failed = logs.flatMap((each) => each.failed);
  await cluster.stop();
  const figures = [
    figure(
      `${engine}: kills`,
      kills,
      { atLeast: planned },
      `seed ${extent.seed}, ${repeated} calls sent again`,
    ),
    figure(`${engine}: calls that failed`, failed.length, { atMost: 0 }, notesOf(failed)),
    // A full run needs PostgreSQL's own tools.
    ...(engine === 'postgres' && !isClusterGiven()
      ? [figure('postgres: failovers', failovers, { atLeast: extent.full ? 1 : 0 })]
      : []),
    ...[...acknowledged].map(([name, count]) =>
      figure(`${engine}: acknowledged writes by ${name}`, count, extent.full ? { atLeast: 1 } : null),
    ),
  ];
  return [...figures, ...figuresOf(engine, findings), ...undoFigures(engine, undoShops)];
}

/** Returns what writers write to. They send their calls to the log. */
async function openShop(
  {
    cluster,
    log,
    ...options
  }: { cluster: Cluster; log: CallLog } & Pick<Shop, 'settings' | 'random' | 'isWriting'>,
  owners: ShopOwners,
): Promise<Shop> {
  const copyOf = (type: string, key: string): Copy => new Copy(cluster, owners.token, { type, key });
  return {
    ...owners,
    ...options,
    cluster: log,
    console: await signIn(log, owners),
    products: copyOf('products', 'internal_id'),
    campaigns: copyOf('campaigns', 'internal_id'),
    orders: copyOf('orders', 'order_id'),
  };
}

async function signIn(log: CallLog, { email }: ShopOwners): Promise<ConsoleClient> {
  const console = new ConsoleClient(log);
  await console.signIn(email);
  return console;
}

/** Waits out a failover. */
async function productsOf(database: Database, { id }: ShopOwners): Promise<Product[]> {
  return await until(() => allProducts({ database }, { id }).catch(() => undefined), WAITING);
}

async function untilUndoing(database: Database, shops: readonly UndoShop[]): Promise<void> {
  const isBegun = async ({ merchantId, undoing: id }: UndoShop): Promise<boolean> => {
    if (id === undefined) return false;
    return (await database.first(findBegun, { merchantId, id }).catch(() => undefined)) !== undefined;
  };
  await until(async () => (await Promise.all(shops.map(isBegun))).includes(true), WAITING);
}

function figuresOf(engine: EngineName, findings: Findings): Figure[] {
  const { entries, acknowledged, broken, lost, unaccounted } = findings;
  return [
    figure(
      `${engine}: acknowledged states in the histories`,
      acknowledged,
      { atLeast: 1 },
      `${entries} entries`,
    ),
    figure(
      `${engine}: histories that do not lead back to the creation`,
      broken.length,
      { atMost: 0 },
      notesOf(broken),
    ),
    figure(`${engine}: acknowledged states that no history has`, lost.length, { atMost: 0 }, notesOf(lost)),
    figure(
      `${engine}: entries of no call, or second ones`,
      unaccounted.length,
      { atMost: 0 },
      notesOf(unaccounted),
    ),
  ];
}

function undoFigures(engine: EngineName, shops: readonly UndoShop[]): Figure[] {
  const sum = (of: (shop: UndoShop) => number): number => shops.reduce((all, shop) => all + of(shop), 0);
  const problems = shops.flatMap((shop) => shop.problems);
  const changes = `${sum((shop) => shop.interruptedChanges)} interrupted changes`;
  return [
    figure(
      `${engine}: changes undone`,
      sum((shop) => shop.undone),
      { atLeast: UNDO_SHOPS },
      changes,
    ),
    figure(
      `${engine}: undos interrupted`,
      sum((shop) => shop.interruptedUndos),
      { atLeast: 1 },
    ),
    figure(
      `${engine}: conflicts reported`,
      sum((shop) => shop.conflicts),
      { atLeast: 1 },
    ),
    figure(
      `${engine}: values or conflicts that differ after an undo`,
      problems.length,
      { atMost: 0 },
      notesOf(problems),
    ),
  ];
}

function notesOf(problems: readonly string[]): string {
  return problems.slice(0, SHOWN).join('; ');
}
