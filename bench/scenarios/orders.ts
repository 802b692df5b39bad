import { createWriteStream, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { createOperatorKey } from '../../test/support/keys.ts';
import { dataRoot, type Engine, type Settings } from '../engines/engine.ts';
import type { Effort } from '../measuring/effort.ts';
import { type Figure, measured } from '../measuring/figures.ts';
import { type LoadResult, load } from '../measuring/load.ts';
import { describeRates, inTurns, ratio } from '../measuring/rounds.ts';
import { databaseOf, generateDrafts } from '../service/build-database.ts';
import { fillOrders, generateOrderDrafts, orderLine, untilNumbered } from '../service/orders.ts';
import { sendStream } from '../service/send-stream.ts';
import { serve, tokenOf } from '../service/servers.ts';
import { importSeconds, writeProducts } from './imports.ts';
import { stockScript } from './stock.ts';

const PRODUCTS = 200;
/** Fulfillments must not run out of orders. */
const RESERVE = 1.3;
const files = join(dataRoot, 'order-files');

/**
 * Compares a stream of orders to an import of as many products, and fulfillments, each of another order, to
 * changes of stock.
 */
export async function orders(engine: Engine, { short = false }: Effort = {}): Promise<Figure[]> {
  return [await comparePushes(engine, short), ...(await compareChanges(engine, short))];
}

async function comparePushes(engine: Engine, short: boolean): Promise<Figure> {
  const [rounds, count] = short ? [3, 20_000] : [3, 100_000];
  mkdirSync(files, { recursive: true });
  const productFile = await writeProducts(join(files, 'products.ndjson'), count);
  const orderFile = join(files, 'orders.ndjson');
  const lines = generateOrderDrafts(count, { products: [...generateDrafts(count, 1)] }).map(
    (draft) => `${orderLine(draft)}\n`,
  );
  await pipeline(Readable.from(lines), createWriteStream(orderFile));
  const ratios: number[] = [];
  let notes = '';
  for (let round = 0; round < rounds; round += 1) {
    const imported = await importSeconds(engine, productFile, count);
    const pushed = await pushSeconds(engine.settings('ours'), orderFile, count);
    ratios.push(imported / pushed);
    const rate = (seconds: number): string => `${(count / seconds).toFixed(0)}/s`;
    notes = `${count} each, orders with customers; last round: products ${rate(imported)}, orders ${rate(pushed)}`;
  }
  rmSync(files, { recursive: true });
  await engine.drop('ours');
  return {
    name: 'orders per second of a stream ÷ products per second of an import',
    ...measured(ratios),
    bound: { atLeast: 0.5 },
    notes,
  };
}

/** Of orders of the products that were imported last. */
async function pushSeconds(settings: Settings, file: string, count: number): Promise<number> {
  const database = await openDatabase(parseConfig(settings), Date.now());
  const key = { name: 'bench', scopes: ['orders'], expiresAt: null } as const;
  const { token } = await createOperatorKey({ database, now: Date.now }, key);
  await database.close();
  await using server = await serve(settings);
  return await sendStream(server, settings, { path: 'merchants/1/orders', token, file, count });
}

async function compareChanges(engine: Engine, short: boolean): Promise<Figure[]> {
  const [seconds, rounds, count] = short ? [1, 3, 30_000] : [3, 5, 150_000];
  await engine.drop('order-changes');
  const settings = await databaseOf(engine, 'order-changes', [PRODUCTS]);
  await fill(settings, count);
  await using server = await serve(settings);
  await untilNumbered(settings);
  const script = await stockScript(settings, { products: PRODUCTS, quantity: 'count', merchants: 1 });
  const token = await tokenOf(settings, 'm1');
  const stockUrl = `${server.baseUrl}/variations/update.json`;
  const url = `${server.baseUrl}/orders/fulfill.json`;
  let next = 1;
  const fulfill = async (connections: number): Promise<LoadResult> => {
    const mayRefuse = connections > 1 ? ({ mayRefuse: true } as const) : {};
    const result = await load({
      url,
      seconds,
      script: fulfillScript(token, next),
      connections,
      ...mayRefuse,
    });
    next +=
      connections + Math.ceil((RESERVE * seconds * result.requestsPerSecond) / (1 - result.refusedShare));
    if (next > count) throw new Error(`${count} orders are too few`);
    return result;
  };
  const results = await inTurns(
    {
      stock: () => load({ url: stockUrl, seconds, script, connections: 64, mayRefuse: true }),
      fulfill: () => fulfill(64),
      'stock, one connection': () => load({ url: stockUrl, seconds, script, connections: 1 }),
      'fulfill, one connection': () => fulfill(1),
    },
    rounds,
  );
  const figure = (ours: keyof typeof results, base: keyof typeof results, where: string): Figure => {
    const refused = Math.max(...results[ours].map(({ refusedShare }) => refusedShare));
    return {
      name: `POST /orders/fulfill.json ÷ POST /variations/update.json, ${where}`,
      ...ratio(results[ours], results[base]),
      bound: { atLeast: 0.7 },
      notes: `${describeRates({ [ours]: results[ours], [base]: results[base] })}; refused ${(100 * refused).toFixed(1)}%`,
    };
  };
  return [
    figure('fulfill', 'stock', '64 connections'),
    figure('fulfill, one connection', 'stock, one connection', 'one connection'),
  ];
}

/** Adds orders that are to be shipped. */
async function fill(settings: Settings, count: number): Promise<void> {
  const database = await openDatabase(parseConfig(settings), Date.now());
  const products = [...generateDrafts(PRODUCTS, 1)];
  const drafts = generateOrderDrafts(count, { products, statusOf: () => 'paid' });
  await fillOrders({ settings, database }, 'm1', drafts);
  await database.updateStatistics();
  await database.close();
}

/** Ships one order after the other, in Lua. */
function fulfillScript(token: string, first: number): string {
  return `
    local headers = {["Content-Type"] = "application/x-www-form-urlencoded"}
    local order = ${first - 1}
    function request()
      order = order + 1
      local body = "access_token=${token}&order_id=" .. order .. "&carrier=UPS&tracking_number=1Z" .. order
      return wrk.format("POST", nil, headers, body)
    end`;
}
