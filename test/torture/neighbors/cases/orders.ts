import { randomUUID } from 'node:crypto';
import { generateDrafts } from '../../../../bench/service/build-database.ts';
import { fillOrders, generateOrderDrafts, orderLine } from '../../../../bench/service/orders.ts';
import { parseConfig } from '../../../../src/config.ts';
import { openDatabase } from '../../../../src/database/open-database.ts';
import { statement } from '../../../../src/database/statement.ts';
import { Random } from '../../../../src/demo/random.ts';
import { Lease } from '../../../../src/event-feed/lease.ts';
import { filters, sorts } from '../../../../src/orders/list/sorts.ts';
import { until } from '../../../support/until.ts';
import { figure } from '../../scenario.ts';
import { type Attack, apiRequest, type Case, type CaseContext, type Preparation } from '../case.ts';
import { OPERATOR_TOKEN, tokensOf, UNSHIPPED } from '../merchants.ts';
import type { TestRequest, Workload } from '../workload.ts';

const LINES_OF_STREAM = 2_000;
const LISTS = 2_000;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Longer than customers' data is kept. */
const CLOSED_MS = 31 * DAY_MS;
const RENEW_MS = 1_000;
const POLL_MS = 100;

const NDJSON = { 'content-type': 'application/x-ndjson' };
const products = [...generateDrafts(100, 1)];

const raw = {
  close: statement<{ closedAt: number }, never>(
    `UPDATE order_customers SET closed_at = :closedAt
     WHERE merchant_id = (SELECT id FROM merchants WHERE name = 'deep') AND closed_at IS NOT NULL`,
  ),
  count: statement<{ before: number }, { customers: number }>(
    `SELECT count(*) AS customers FROM order_customers
     WHERE merchant_id = (SELECT id FROM merchants WHERE name = 'deep') AND closed_at <= :before`,
  ),
};

function asFastAsPossible(requests: readonly TestRequest[], connections: number): Workload[] {
  return [{ action: 'request', requests, connections, rate: null }];
}

/** Any page of any list, also large and deep ones. */
function lists({ seed, sizes }: CaseContext): TestRequest[] {
  const random = new Random(seed);
  const tokens = tokensOf('deep');
  const filterNames = Object.keys(filters);
  const sortNames = Object.keys(sorts);
  return Array.from({ length: LISTS }, (_, index) => {
    const per_page = random.chance(0.2) ? 1_000 : 50;
    return apiRequest('/orders.json', tokens[index % tokens.length] ?? '', {
      filter: filterNames[index % filterNames.length] ?? '',
      sort: sortNames[random.whole(0, sortNames.length - 1)] ?? '',
      page: random.whole(1, Math.ceil(sizes.orders / per_page)),
      per_page,
      pagination: random.chance(0.5) ? 'true' : 'false',
    });
  });
}

/** Each ships as many orders as a batch may have, or corrects the tracking numbers of their packages. */
function batches(): TestRequest[] {
  const lines = Array.from({ length: UNSHIPPED }, (_, index) =>
    JSON.stringify({
      order_id: 1 + index,
      action: 'fulfill',
      carrier: 'ups',
      package_id: 'box',
      tracking_number: '1Z{n}',
    }),
  );
  return tokensOf('deep').map((token) => ({
    ...apiRequest('/orders/batch.json', token),
    method: 'POST',
    headers: NDJSON,
    body: lines.join('\n'),
  }));
}

/** First pages, which each change makes new, for several page sizes. */
function changes(): TestRequest[] {
  return tokensOf('deep').map((token, index) =>
    apiRequest('/orders.json', token, { changed_since: 'start', per_page: 50 * (1 + index) }),
  );
}

function notes(): TestRequest[] {
  return tokensOf('deep').map((token, index) => ({
    ...apiRequest('/orders/annotate.json', token),
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ order_id: 1 + index, annotation: 'Note {n}' }),
  }));
}

/** New orders in each request, with their customers. */
function streams(): TestRequest[] {
  const drafts = generateOrderDrafts(LINES_OF_STREAM, {
    products,
    prefix: 'stream-{n}-',
    statusOf: () => 'paid',
  });
  const body = [...drafts].map((draft) => `${orderLine(draft)}\n`).join('');
  const headers = { ...NDJSON, authorization: `Bearer ${OPERATOR_TOKEN}` };
  const path = '/operator/v1/merchants/deep/orders';
  return [{ kind: 'stream of orders', method: 'POST', path, headers, body }];
}

/**
 * Gives the service customers to erase, and keeps it from beginning, as if another process did this work
 * until the attack.
 */
async function prepareRetention({ t, settings, sizes }: Preparation): Promise<Attack> {
  const database = await openDatabase(parseConfig(settings), Date.now());
  t.after(() => database.close());
  const plan = { products, prefix: `closed ${randomUUID()} `, statusOf: () => 'shipped' as const };
  await fillOrders({ settings, database }, 'deep', generateOrderDrafts(sizes.orders, plan));
  const closedAt = Date.now() - CLOSED_MS;
  await database.transaction((connection) => connection.run(raw.close, { closedAt }));
  const left = async (): Promise<number> =>
    (await database.first(raw.count, { before: closedAt }))?.customers ?? 0;
  const total = await left();
  const lease = new Lease(database);
  const take = (): Promise<boolean> => lease.take().catch(() => false);
  await until(take, { timeoutMs: 60_000 });
  const renewal = setInterval(take, RENEW_MS).unref();
  return async ({ full }, isOver) => {
    clearInterval(renewal);
    await lease.release();
    const isDone = async (): Promise<boolean> => isOver() || (await left()) === 0;
    await until(isDone, { timeoutMs: 3_600_000, intervalMs: POLL_MS });
    const erased = total - (await left());
    return [figure('customers erased', erased, full ? { atLeast: 1 } : null, `of ${total}`)];
  };
}

export const orderCases: Case[] = [
  { name: 'order-lists', short: true, workloads: (context) => asFastAsPossible(lists(context), 16) },
  { name: 'order-batches', short: true, workloads: () => asFastAsPossible(batches(), 4) },
  { name: 'order-streams', short: true, workloads: () => asFastAsPossible(streams(), 2) },
  {
    name: 'order-changes-during-notes',
    short: false,
    workloads: () => [
      ...asFastAsPossible(changes(), 8),
      { action: 'request', requests: notes(), connections: 8, rate: 100 },
    ],
  },
  { name: 'order-retention', short: true, prepare: prepareRetention },
];
