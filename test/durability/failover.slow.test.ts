import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { debianBinaries } from '../support/postgres/binaries.ts';
import type { PostgresNode } from '../support/postgres/node.ts';
import { type PostgresPair, startPair, untilWritable } from '../support/postgres/pair.ts';
import { ServerProcess, temporaryDirectory } from '../support/process.ts';
import { campaignNames, newMerchant } from '../support/stored.ts';
import { TRAFFIC_SETTINGS, Traffic } from '../support/traffic.ts';

const bin = await debianBinaries();
const skip = bin === undefined && "needs PostgreSQL's own tools: Debian's package postgresql";

const ENOUGH = 150;
/** During any outage, it takes up to 1 s to find a primary and 10 s for its response. */
const MAX_RESPONSE_MS = 14_000;
const HANG_MS = 12_000;
const RECOVERY_MS = 5_000;
const OUTAGE_MS = 2_500;

/** With load, on a pair of servers. `settle` stops it and checks every response and campaign. */
async function serveOnPair(
  t: TestContext,
): Promise<PostgresPair & { traffic: Traffic; settle(): Promise<void> }> {
  assert(bin !== undefined);
  const pair = await startPair(t, bin);
  const environment = { DATA_DIR: await temporaryDirectory(t), DATABASE_URL: pair.url };
  const merchant = await newMerchant(environment);
  const server = await ServerProcess.start(t, { ...environment, ...TRAFFIC_SETTINGS });
  const traffic = new Traffic(server, merchant.token);
  const settle = async (): Promise<void> => {
    await traffic.stop();
    traffic.check(t, MAX_RESPONSE_MS);
    await traffic.ledger.retry(server.client);
    traffic.ledger.check(await campaignNames(environment, merchant));
    // The process never restarted.
    assert.deepEqual(await server.end('SIGTERM'), [0, null]);
  };
  await traffic.until(ENOUGH);
  return { ...pair, traffic, settle };
}

async function promote(standby: PostgresNode): Promise<number> {
  const writable = untilWritable(standby).then(() => performance.now());
  await standby.promote();
  return await writable;
}

// Concurrent, because these tests mostly wait.
describe('with a primary and a synchronous standby', { skip, concurrency: true }, () => {
  it('continues on the promoted standby when the primary is killed, with every acknowledged campaign once', async (t) => {
    const { primary, standby, traffic, settle } = await serveOnPair(t);
    await primary.kill();
    await pause(OUTAGE_MS);
    const writable = await promote(standby);
    await traffic.until(ENOUGH);
    await settle();
    for (const kind of ['campaign', 'products'] as const) {
      assert.ok(traffic.rejected(kind) > 0);
      const recovery = traffic.untilSuccess(kind, writable);
      t.diagnostic(`first ${kind} ${Math.round(recovery)} ms after the new primary accepted writes`);
      assert.ok(recovery <= RECOVERY_MS);
    }
  });

  it('continues on the promoted standby when the primary hangs', async (t) => {
    const { primary, standby, traffic, settle } = await serveOnPair(t);
    const suspended = performance.now();
    await primary.suspend();
    await pause(OUTAGE_MS);
    const writable = await promote(standby);
    await traffic.until(ENOUGH);
    await settle();
    const outage = writable - suspended + traffic.untilSuccess('campaign', writable);
    t.diagnostic(`first campaign ${Math.round(outage)} ms after the primary hung`);
    assert.ok(outage <= MAX_RESPONSE_MS + RECOVERY_MS);
  });

  it('responds 503 in time while the primary hangs, and continues when it recovers', async (t) => {
    const { primary, traffic, settle } = await serveOnPair(t);
    await primary.suspend();
    await pause(HANG_MS);
    const resumed = performance.now();
    await primary.resume();
    await traffic.until(ENOUGH);
    await settle();
    for (const kind of ['campaign', 'products'] as const) {
      assert.ok(traffic.rejected(kind) > 0);
      const recovery = traffic.untilSuccess(kind, resumed);
      t.diagnostic(`first ${kind} ${Math.round(recovery)} ms after the primary resumed`);
      assert.ok(recovery <= RECOVERY_MS);
    }
  });
});
