import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { createMerchant } from '../../src/merchants/create-merchant.ts';
import { createKey } from '../support/keys.ts';
import type { PostgresNode } from '../support/postgres/node.ts';
import { type Owner, ServerProcess, temporaryDirectory } from '../support/process.ts';
import { campaignNames, onDatabase } from '../support/stored.ts';
import { TRAFFIC_SETTINGS, Traffic } from '../support/traffic.ts';
import { until } from '../support/until.ts';
import { CitusCluster, withoutCitus } from './citus-cluster.ts';

const ENOUGH = 150;
/** While a node is away, a statement in progress is given up after 10 s. */
const MAX_RESPONSE_MS = 14_000;
const RETURN_MS = 2_000;
/** In this time, background work that waits for the node every ten seconds could use all connections. */
const HANG_MS = 45_000;

interface Merchant {
  id: number;
  token: string;
}

interface Side {
  merchant: Merchant;
  node: PostgresNode;
  traffic: Traffic;
}

describe('a service on a cluster', { skip: withoutCitus, timeout: 1_200_000 }, () => {
  const cleanups: (() => unknown)[] = [];
  const owner: Owner = { after: (cleanup) => void cleanups.push(cleanup) };
  let cluster: CitusCluster;
  let environment: { DATA_DIR: string; DATABASE_URL: string };
  let names = 0;

  before(async () => {
    cluster = await CitusCluster.start(owner);
    environment = { DATA_DIR: await temporaryDirectory(owner), DATABASE_URL: cluster.coordinator.url };
  });

  after(async () => {
    for (const cleanup of cleanups.reverse()) await cleanup();
  });

  /** Creates merchants until there is a new one on each of the first two workers. */
  async function newMerchants(): Promise<{ merchant: Merchant; node: PostgresNode }[]> {
    return await onDatabase(environment, async (database) => {
      const found = new Map<PostgresNode, Merchant>();
      while (found.size < 2) {
        names += 1;
        const settings = { name: `Merchant no. ${names}`, email: null, timeZone: 'UTC' };
        const merchant = await createMerchant({ database, now: Date.now }, settings);
        found.set(await cluster.nodeOf(merchant), merchant);
      }
      return [...found].map(([node, merchant]) => ({ node, merchant }));
    });
  }

  /** With traffic of a merchant on each worker. `settle` stops it and checks every campaign. */
  async function serve(
    t: TestContext,
  ): Promise<{ server: ServerProcess; sides: [Side, Side]; settle(disturbed?: Side): Promise<void> }> {
    const server = await ServerProcess.start(t, { ...environment, ...TRAFFIC_SETTINGS });
    const merchants = await newMerchants();
    const sides = merchants.map((side) => ({ ...side, traffic: new Traffic(server, side.merchant.token) }));
    for (const { traffic } of sides) t.after(() => traffic.stop());
    const [one, other] = sides;
    assert(one !== undefined && other !== undefined);
    const settle = async (disturbed?: Side): Promise<void> => {
      const failures = server.log.lines.filter((line) => /"level":(50|60)/.test(line));
      assert.deepEqual(failures.slice(0, 3), [], 'errors in the log');
      for (const side of sides) {
        const { traffic, merchant } = side;
        await traffic.stop();
        traffic.check(t, MAX_RESPONSE_MS, { undisturbed: side !== disturbed });
        await traffic.ledger.retry(server.client);
        traffic.ledger.check(await campaignNames(environment, merchant));
      }
      assert.deepEqual(await server.end('SIGTERM'), [0, null]);
    };
    for (const { traffic } of sides) await traffic.until(ENOUGH);
    return { server, sides: [one, other], settle };
  }

  it('serves every request while a merchant’s rows are moved to another node and back, and while it is isolated', async (t) => {
    const {
      sides: [one, other],
      settle,
    } = await serve(t);
    const { id } = one.merchant;
    const shard = `get_shard_id_for_distribution_column('merchant_counters', ${id}::bigint)`;
    const place = ({ port }: PostgresNode): string => `'127.0.0.1', ${port}`;
    for (const [from, to] of [
      [one.node, other.node],
      [other.node, one.node],
    ] as const) {
      const move = `SELECT citus_move_shard_placement(${shard}, ${place(from)}, ${place(to)}, 'force_logical')`;
      await cluster.query(move);
      assert.equal(await cluster.nodeOf(one.merchant), to);
      await one.traffic.until(ENOUGH);
    }
    await cluster.query(`SELECT isolate_tenant_to_new_shard('merchant_counters', ${id}, 'CASCADE')`);
    const [{ merchants: alone } = {}] = await cluster.query<{ merchants: string }>(
      `SELECT shardmaxvalue::bigint - shardminvalue::bigint + 1 AS merchants FROM pg_dist_shard WHERE shardid = ${shard}`,
    );
    assert.equal(alone, '1', 'the shard has a single hash value');
    await one.traffic.until(ENOUGH);
    await settle();
  });

  it('loses a killed worker’s merchants only, and serves them within 2 s of its return', async (t) => {
    const {
      sides: [lost, other],
      settle,
    } = await serve(t);
    await lost.node.kill();
    await until(() => lost.traffic.rejected('campaign') > 0 && lost.traffic.rejected('products') > 0);
    await other.traffic.until(ENOUGH);
    await onDatabase(environment, (database) =>
      createKey(
        { database, now: Date.now },
        { merchantId: other.merchant.id, name: 'meanwhile', expiresAt: null },
      ),
    );
    await cluster.restart(lost.node);
    const returned = performance.now();
    await lost.traffic.until(ENOUGH);
    await settle(lost);
    for (const kind of ['campaign', 'products'] as const) {
      const recovery = lost.traffic.untilSuccess(kind, returned);
      t.diagnostic(`first ${kind} ${Math.round(recovery)} ms after the worker returned`);
      assert.ok(recovery <= RETURN_MS);
    }
  });

  it('serves the other workers’ merchants while a worker hangs for longer than statements may take', async (t) => {
    const {
      sides: [lost, other],
      settle,
    } = await serve(t);
    await lost.node.suspend();
    await until(() => lost.traffic.rejected('campaign') > 0 && lost.traffic.rejected('products') > 0);
    const hungAt = performance.now();
    while (performance.now() < hungAt + HANG_MS) await other.traffic.until(ENOUGH);
    await lost.node.resume();
    await lost.traffic.until(ENOUGH);
    await settle(lost);
  });

  it('moves shards to a new node while it serves', async (t) => {
    const { sides, settle } = await serve(t);
    const node = await cluster.add(owner);
    await cluster.query("SELECT citus_rebalance_start(shard_transfer_mode => 'force_logical')");
    await cluster.untilRow("SELECT FROM pg_dist_background_job WHERE state IN ('finished', 'failed')");
    const [job] = await cluster.query<{ state: string }>('SELECT state FROM pg_dist_background_job');
    assert.equal(job?.state, 'finished');
    const [{ shards } = { shards: '0' }] = await cluster.query<{ shards: string }>(
      `SELECT count(*) AS shards FROM citus_shards WHERE nodeport = ${node.port}`,
    );
    assert.ok(Number(shards) > 0);
    for (const { traffic } of sides) await traffic.until(ENOUGH);
    await settle();
  });
});
