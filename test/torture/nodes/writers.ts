import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Import } from '../../../src/imports/import-record.ts';
import { tradepost } from '../../support/process.ts';
import { callOrders, operateOrders, orderLines, useOrderPages } from './order-writers.ts';
import { anyText, LINES, MERCHANT, PRODUCTS, type Shop, type Writer } from './shop.ts';

const SCHEDULES = 80;
const POLL_MS = 100;

type Call = [path: string, parameters: Record<string, unknown>];

const anyProduct = ({ random }: Shop): string => `P-${random.whole(0, PRODUCTS - 1)}`;
export function productLines(shop: Shop): string {
  const lines = Array.from({ length: LINES }, () => {
    const identifier = anyProduct(shop);
    const quantity = shop.random.whole(0, 9);
    return JSON.stringify({
      identifier,
      title: anyText(shop),
      variations: [{ identifier: `${identifier}-V`, quantity }],
    });
  });
  return `${lines.join('\n')}\n`;
}

function scheduleLines(shop: Shop): string {
  const { random } = shop;
  const lines = Array.from({ length: LINES }, () => {
    const scheduled_at = new Date(Date.UTC(2026, random.whole(0, 9), random.whole(1, 28))).toISOString();
    const sold = random.chance(0.5);
    return JSON.stringify({
      schedule_id: `s-${random.whole(0, SCHEDULES - 1)}`,
      product_identifier: anyProduct(shop),
      scheduled_at,
      sold,
      ...(sold && { sale_price: random.whole(1, 90) }),
    });
  });
  return `${lines.join('\n')}\n`;
}

const callV1: Writer = async (shop) => {
  const { random, cluster, token } = shop;
  const identifier = anyProduct(shop);
  const campaign = random.pick(['none', ...shop.campaigns.keys]);
  const variation = `${identifier}-V`;
  const [path, parameters] = random.pick<Call>([
    ['products', { identifier, title: anyText(shop), variations: [{ identifier: variation, quantity: 1 }] }],
    ['products/update', { identifier, title: anyText(shop) }],
    ['variations/update', { identifier: variation, quantity_change: random.whole(1, 3) }],
    ['products/disable', { identifier }],
    ['products/enable', { identifier }],
    ['products/delete', { identifier }],
    ['campaigns', { name: anyText(shop), type: 'T' }],
    ['campaigns/update', { internal_id: campaign, name: anyText(shop) }],
    ['campaigns/pause', { internal_id: campaign }],
    ['campaigns/end', { internal_id: campaign }],
  ]);
  const json = { ...parameters, access_token: token };
  const response = await cluster.send('POST', `/v1/${path}`, { json });
  return response?.status === 200;
};

const useConsole: Writer = async (shop) => {
  const { random, console } = shop;
  const identifier = anyProduct(shop);
  const [path, json] = random.pick<Call>([
    ['update', { title: anyText(shop), brand: random.pick(['Alpine', 'Lagoon']) }],
    ['disable', {}],
    ['enable', {}],
    ['delete', {}],
  ]);
  const headers = { 'if-match': '*' };
  const response = await console
    .request('POST', `/v1/products/${path}`, { json: { identifier, ...json }, headers })
    .catch(() => undefined);
  return response?.status === 200;
};

/** Waits until an import has ended. At the end of the run, it is canceled: its node may have been killed. */
async function isDone({ cluster, token, isWriting }: Shop, id: string): Promise<boolean> {
  for (;;) {
    await pause(POLL_MS);
    const response = await cluster.send('GET', `/v1/imports/retrieve?id=${id}&access_token=${token}`);
    if (response?.status !== 200) continue;
    const { status } = response.json<Import>();
    // An import whose node is killed fails.
    if (status !== 'checking' && status !== 'importing') return status === 'done';
    if (!isWriting()) await cluster.send('POST', '/v1/imports/cancel', { json: { id, access_token: token } });
  }
}

/** Imports a file, and undoes some of them. */
const sendFile: Writer = async (shop) => {
  const { cluster, token, random } = shop;
  const headers = { 'content-type': 'application/x-ndjson' };
  const target = `/v1/imports?access_token=${token}`;
  const sent = await cluster.send('POST', target, { body: productLines(shop), headers });
  if (sent?.status !== 202) return false;
  const { id } = sent.json<Import>();
  const isImported = await isDone(shop, id);
  if (!isImported || random.chance(0.6)) return isImported;
  const json = { import_id: id, access_token: token };
  const undo = await cluster.send('POST', '/v1/imports/undo', { json });
  // There may be nothing to undo.
  return undo?.status !== 202 || (await isDone(shop, undo.json<Import>().id));
};

const runCommand: Writer = async (shop) => {
  const { settings, random } = shop;
  const [type, lines] = random.pick<readonly [string, (shop: Shop) => string]>([
    ['products', productLines],
    ['schedules', scheduleLines],
    ['orders', orderLines],
  ]);
  const file = join(settings.DATA_DIR, `${type}.ndjson`);
  await writeFile(file, lines(shop));
  // Rejected rows go to the current directory.
  const cwd = settings.DATA_DIR;
  const { status } = await tradepost(['import', type, file, '--merchant', MERCHANT], settings, { cwd });
  return status === 0;
};

const callOperatorApi: Writer = async (shop) => {
  const { cluster, random, operatorToken, externalId } = shop;
  const headers = { authorization: `Bearer ${operatorToken}` };
  const merchant = `/operator/v1/merchants/${externalId}`;
  const stream = (type: string, body: string) =>
    cluster.send('POST', `${merchant}/${type}`, {
      body,
      headers: { ...headers, 'content-type': 'application/x-ndjson' },
    });
  const moderate = () => {
    const json = { state: random.pick(['ok', 'problematic', 'banned']) };
    return cluster.send('PUT', `${merchant}/products/${anyProduct(shop)}/moderation`, { json, headers });
  };
  const response = await random.pick([
    () => stream('products', productLines(shop)),
    () => stream('schedules', scheduleLines(shop)),
    moderate,
  ])();
  return response?.status === 200;
};

export const writers: Record<string, Writer> = {
  'API calls': callV1,
  console: useConsole,
  files: sendFile,
  commands: runCommand,
  'operator API': callOperatorApi,
  'API calls of orders': callOrders,
  'the console’s orders': useOrderPages,
  'operator API of orders': operateOrders,
};
