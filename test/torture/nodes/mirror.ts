import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Figure } from '../../../bench/measuring/figures.ts';
import { Random } from '../../../src/demo/random.ts';
import type { OrderRecord } from '../../../src/orders/record/order-record.ts';
import { ConsoleClient } from '../../support/console.ts';
import { failOver } from '../../support/postgres/pair.ts';
import { type Owner, tradepost } from '../../support/process.ts';
import { onDatabase } from '../../support/stored.ts';
import { until } from '../../support/until.ts';
import { type EngineName, onEachEngine } from '../engines.ts';
import { type Extent, figure, type Scenario } from '../scenario.ts';
import { Cluster, killsIn } from './cluster.ts';
import { Copy } from './copy.ts';
import { fillShop } from './fill-shop.ts';
import { createNodeData, isClusterGiven } from './node-data.ts';
import { MERCHANT, type Shop, type Writer } from './shop.ts';
import { writers } from './writers.ts';

const MINUTES = 60;
const KILL_EVERY_MS = 60_000;
/** The kills of a short run, and the writes that are acknowledged between two of them. */
const SHORT = { kills: 3, writes: 60 };
const PAUSE_MS = 50;
const CATCH_UP_MS = 120_000;

// They change with placements and products, which does not list the campaign again.
const campaignFigures = ['products', 'spend_today', 'spend', 'placements', 'limited_by'];

const types: readonly MirroredType[] = [
  { type: 'products', key: 'internal_id' },
  { type: 'campaigns', key: 'internal_id', uncompared: campaignFigures },
  { type: 'schedules', key: 'schedule_id' },
  { type: 'orders', key: 'order_id', options: ['--customers'] },
];

interface MirroredType {
  /** The last part of the path of a list. */
  type: string;
  key: string;
  /** Of the export. */
  options?: readonly string[];
  /** The fields that a copy may have older values of. */
  uncompared?: readonly string[];
}

export const mirror: Scenario = {
  promise:
    'a copy kept by changed_since alone equals the export byte for byte after random writes by calls, console, files and commands, those of orders included, with a node killed every minute and a failover on PostgreSQL',
  run: (_t, extent) => onEachEngine(extent, (engine, t) => runOn(engine, t, extent)),
};

async function runOn(engine: EngineName, t: Owner, extent: Extent): Promise<Figure[]> {
  const { settings, pair } = await createNodeData(engine, t);
  const random = new Random(extent.seed);
  const owners = await onDatabase(settings, fillShop);
  const cluster = await Cluster.start(t, { engine, settings, random });
  const copies = types.map((type) => new Copy(cluster, owners.token, type));
  const [products, campaigns, , orders] = copies;
  assert(products !== undefined && campaigns !== undefined && orders !== undefined);
  // The pages of the console try again, too.
  const console = new ConsoleClient({
    request: (...request) => cluster.anyNode().client.request(...request),
  });
  await console.signIn(owners.email);
  let isWriting = true;
  const shop: Shop = {
    ...owners,
    cluster,
    settings,
    random,
    isWriting: () => isWriting,
    console,
    products,
    campaigns,
    orders,
  };
  const acknowledged = new Map(Object.keys(writers).map((name) => [name, 0]));
  const write = async ([name, writer]: [string, Writer]): Promise<void> => {
    while (isWriting) {
      if (await writer(shop)) acknowledged.set(name, (acknowledged.get(name) ?? 0) + 1);
      await pause(PAUSE_MS);
    }
  };
  const follow = async (copy: Copy): Promise<void> => {
    while (isWriting) {
      await copy.follow();
      await pause(PAUSE_MS);
    }
  };
  const work = Promise.all([...Object.entries(writers).map(write), ...copies.map(follow)]);
  // None until every writer has succeeded.
  const progress = (): number => {
    const counts = [...acknowledged.values()];
    return counts.includes(0) ? 0 : counts.reduce((sum, count) => sum + count, 0);
  };
  const kills = extent.full ? killsIn(extent.minutes ?? MINUTES, KILL_EVERY_MS) : SHORT.kills;
  const everyMs = extent.full ? KILL_EVERY_MS : undefined;
  let failovers = 0;
  const killing = cluster.kill({ kills, everyMs, each: SHORT.writes, progress }, async (kill) => {
    if (pair === undefined || kill !== Math.ceil(kills / 2)) return;
    await failOver(pair);
    failovers += 1;
  });
  // A writer that throws ends the run at once.
  await Promise.race([killing, work]);
  isWriting = false;
  await work;

  const figures = [figure(`${engine}: kills`, kills, null, `seed ${extent.seed}`)];
  // A full run needs PostgreSQL's own tools.
  if (engine === 'postgres' && !isClusterGiven())
    figures.push(figure('postgres: failovers', failovers, { atLeast: extent.full ? 1 : failovers }));
  for (const [name, count] of acknowledged)
    figures.push(figure(`${engine}: acknowledged writes by ${name}`, count, { atLeast: 1 }));
  for (const [index, type] of types.entries()) {
    const copy = copies[index] ?? assert.fail();
    await until(() => copy.follow(), { timeoutMs: CATCH_UP_MS });
    figures.push(
      figure(`${engine}: different ${type.type}`, await differences(copy, type, settings), { atMost: 0 }),
    );
  }
  figures.push(...fatesOf(orders, engine, extent));
  await cluster.stop();
  return figures;
}

/** What became of the orders of a copy. In a short run, some fates may be missing. */
function fatesOf(copy: Copy, engine: EngineName, { full }: Extent): Figure[] {
  const orders = copy
    .exported()
    .trimEnd()
    .split('\n')
    .map((line): OrderRecord => JSON.parse(line));
  const fates: Record<string, (order: OrderRecord) => boolean> = {
    'shipped, in part or whole': ({ shipped_quantity }) => shipped_quantity > 0,
    refunded: ({ refunds }) => refunds.length > 0,
    canceled: ({ status }) => status === 'canceled',
    redacted: ({ redacted_at }) => redacted_at !== null,
  };
  return Object.entries(fates).map(([fate, has]) =>
    figure(
      `${engine}: orders that were ${fate}`,
      orders.filter(has).length,
      full ? { atLeast: 1 } : null,
      `of ${orders.length}`,
    ),
  );
}

/** Lines that an export and a copy do not share; at least 1 unless they are equal byte for byte. */
async function differences(
  copy: Copy,
  { type, options = [], uncompared = [] }: MirroredType,
  settings: Record<string, string>,
): Promise<number> {
  const command = ['export', type, '--merchant', MERCHANT, '--format', 'ndjson', ...options];
  const { status, stdout, stderr } = await tradepost(command, settings);
  assert.equal(status, 0, stderr);
  assert.notEqual(stdout, '', `there are no ${type}`);
  const copied = withoutFields(copy.exported(), uncompared);
  const exported = withoutFields(stdout, uncompared);
  if (copied === exported) return 0;
  const lines = [new Set(copied.split('\n')), new Set(exported.split('\n'))] as const;
  return Math.max(1, lines[0].symmetricDifference(lines[1]).size);
}

/** Returns lines of JSON without some fields. */
function withoutFields(lines: string, fields: readonly string[]): string {
  if (fields.length === 0) return lines;
  const left = (name: string, value: unknown): unknown => (fields.includes(name) ? undefined : value);
  return lines.replaceAll(/.+/g, (line) => JSON.stringify(JSON.parse(line), left));
}
