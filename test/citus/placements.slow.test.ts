import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { OPERATOR_ID } from '../../src/database/sides.ts';
import { createMerchant } from '../../src/merchants/create-merchant.ts';
import type { RequestRecord } from '../../src/placements/reserve/auction.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import { createKey, createOperatorKey } from '../support/keys.ts';
import type { PostgresNode } from '../support/postgres/node.ts';
import { ServerProcess, temporaryDirectory } from '../support/process.ts';
import { onDatabase } from '../support/stored.ts';
import { until } from '../support/until.ts';
import { CitusCluster, withoutCitus } from './citus-cluster.ts';

const root = join(import.meta.dirname, '../..');
const REQUESTS = 100;
const CATEGORY = 'Vases';

interface Bidder {
  id: number;
  token: string;
  node: PostgresNode;
}

describe('placements on a cluster', { skip: withoutCitus, timeout: 1_200_000 }, () => {
  it('exceed no budget, are not lost and not given twice, with nodes that are killed', async (t) => {
    const cluster = await CitusCluster.start(t);
    const words = ['test/torture/run.ts', 'auctions', '--short', '--engine', 'postgres'];
    const run = spawn(process.execPath, words, {
      cwd: root,
      env: {
        ...process.env,
        TEST_DATABASE_URL: cluster.coordinator.url,
        TEST_CITUS_WORKERS: cluster.workers.map(({ url }) => url).join(' '),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    t.after(() => run.kill('SIGKILL'));
    const [output, [status]] = await Promise.all([text(run.stdout), once(run, 'exit')]);
    t.diagnostic(output);
    assert.equal(status, 0);
  });

  it('go to the merchants of the other worker while one is away, in every call', async (t) => {
    const cluster = await CitusCluster.start(t);
    const environment = { DATA_DIR: await temporaryDirectory(t), DATABASE_URL: cluster.coordinator.url };
    const operatorToken = await onDatabase(environment, async (database) => {
      const key = { name: 'back end', scopes: ['campaigns'], expiresAt: null } as const;
      return (await createOperatorKey({ database, now: Date.now }, key)).token;
    });
    const bidders = new Map<PostgresNode, Bidder>();
    while (bidders.size < 2) {
      const bidder = await newBidder(cluster, environment);
      bidders.set(bidder.node, bidder);
    }
    // The operator's key is on one worker, and this one stays.
    const operatorNode = await cluster.nodeOf({ id: OPERATOR_ID });
    const [low, high] = [...bidders.values()].sort(({ node }) => (node === operatorNode ? -1 : 1));
    assert.ok(low !== undefined && high !== undefined);
    const server = await ServerProcess.start(t, environment);
    for (const [{ token }, bid_amount] of [
      [low, 0.3],
      [high, 0.5],
    ] as const) {
      const json = { name: 'Sale', type: 'AuctionCampaign', bid_amount };
      const headers = { authorization: `Bearer ${token}` };
      const created = await server.client.request('POST', '/v1/campaigns', { json, headers });
      assert.equal(created.status, 200, created.text);
    }
    let isLoading = true;
    const winner = async (): Promise<string | undefined> => {
      const json = { requests: [{ key: randomUUID(), category: CATEGORY, currency: 'USD' }] };
      const headers = { authorization: `Bearer ${operatorToken}` };
      const response = await server.client.request('POST', '/operator/v1/placements', { json, headers });
      if (response.status === 503 && isLoading) return undefined;
      assert.equal(response.status, 200, response.text);
      const [result] = response.json<{ results: RequestRecord[] }>().results;
      return result?.placements[0]?.merchant;
    };
    await until(async () => (await winner()) === String(high.id));
    isLoading = false;
    await high.node.kill();
    for (let request = 0; request < REQUESTS; request += 1) assert.equal(await winner(), String(low.id));
    await cluster.restart(high.node);
    await until(async () => (await winner()) === String(high.id));
    assert.deepEqual(await server.end('SIGTERM'), [0, null]);
  });
});

async function newBidder(cluster: CitusCluster, environment: Record<string, string>): Promise<Bidder> {
  return await onDatabase(environment, async (database) => {
    const services = { database, now: Date.now };
    const { id } = await createMerchant(services, { name: randomUUID(), email: null, timeZone: 'UTC' });
    const vase = draft('VASE', { campaign_name: 'Sale', category: CATEGORY, available_quantity: 9 });
    await importDrafts(services, { id }, [[vase]]);
    const { token } = await createKey(services, { merchantId: id, name: 'ERP', expiresAt: null });
    return { id, token, node: await cluster.nodeOf({ id }) };
  });
}
