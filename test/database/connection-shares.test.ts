import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DatabaseUnavailable } from '../../src/database/database.ts';
import {
  CONNECTIONS_OF_NODE_PER_MERCHANT,
  CONNECTIONS_PER_SHARE,
  ConnectionShares,
  EVERY_NODE,
  NO_MERCHANT,
} from '../../src/database/postgres/connection-shares.ts';

function startHanging(shares: ConnectionShares, share: string, count: number, merchant?: string) {
  const running = { jobs: 0 };
  const end = Promise.withResolvers<void>();
  const results = Array.from({ length: count }, () =>
    shares.run({ share, ...(merchant !== undefined && { merchant }) }, async () => {
      running.jobs += 1;
      await end.promise;
      running.jobs -= 1;
    }),
  );
  return { running, end: end.resolve, results };
}

// Concurrent, because some of these tests wait for seconds.
describe('the shares of connections', { concurrency: true }, () => {
  it('a share whose jobs hang leaves connections to the others', async () => {
    const shares = new ConnectionShares({ isDistributed: true });
    const hanging = startHanging(shares, 'one', 20);
    const results = Promise.allSettled(hanging.results);
    await nextTurn();
    assert.equal(hanging.running.jobs, CONNECTIONS_PER_SHARE.node);
    for (let job = 0; job < 10; job += 1)
      assert.equal(await shares.run({ share: 'other' }, async () => job), job);
    hanging.end();
    assert.ok((await results).every(({ status }) => status === 'fulfilled'));
  });

  it('a node that hangs, with the work that uses every node, leaves connections to the others', async () => {
    const shares = new ConnectionShares({ isDistributed: true });
    const hanging = [startHanging(shares, 'node 1', 20), startHanging(shares, EVERY_NODE, 20)];
    const results = Promise.allSettled(hanging.flatMap((share) => share.results));
    await nextTurn();
    for (const share of ['node 2', NO_MERCHANT])
      for (let job = 0; job < 10; job += 1) assert.equal(await shares.run({ share }, async () => job), job);
    for (const { end } of hanging) end();
    assert.ok((await results).every(({ status }) => status === 'fulfilled'));
  });

  it('a merchant whose jobs take long leaves a connection of its node to other merchants', async () => {
    const shares = new ConnectionShares({ isDistributed: true });
    const slow = startHanging(shares, 'node 1', 20, 'merchant 1');
    await nextTurn();
    assert.equal(slow.running.jobs, CONNECTIONS_OF_NODE_PER_MERCHANT);
    const quiet = { share: 'node 1', merchant: 'merchant 2' };
    for (let job = 0; job < 10; job += 1) assert.equal(await shares.run(quiet, async () => job), job);
    slow.end();
    await Promise.all(slow.results);
  });

  it('work of a share without a response for three seconds is refused, until the share responds again', async () => {
    const shares = new ConnectionShares({ isDistributed: true });
    const hanging = startHanging(shares, 'one', CONNECTIONS_PER_SHARE.node);
    let ran = 0;
    const run = (): Promise<number> => shares.run({ share: 'one' }, async () => (ran += 1));
    await assert.rejects(run(), DatabaseUnavailable);
    let refusal: unknown;
    run().catch((error) => {
      refusal = error;
    });
    await nextTurn();
    assert.ok(refusal instanceof DatabaseUnavailable, 'the next one is refused immediately');
    hanging.end();
    await Promise.all(hanging.results);
    assert.equal(await run(), 1, 'the refused jobs never ran');
  });

  it('work that waited for its turn is not refused once it runs', async () => {
    const shares = new ConnectionShares({ isDistributed: true });
    const first = startHanging(shares, 'one', CONNECTIONS_PER_SHARE.node);
    const end = Promise.withResolvers<string>();
    const waited = shares.run({ share: 'one' }, () => end.promise);
    first.end();
    await Promise.all(first.results);
    const others = startHanging(shares, 'one', CONNECTIONS_PER_SHARE.node - 1);
    await assert.rejects(
      shares.run({ share: 'one' }, async () => {}),
      DatabaseUnavailable,
    );
    end.resolve('ran');
    assert.equal(await waited, 'ran');
    others.end();
    await Promise.all(others.results);
  });

  it('a share that responds is never refused, however long its jobs wait', async () => {
    const shares = new ConnectionShares({ isDistributed: true });
    const end = Promise.withResolvers<void>();
    const responding = Array.from({ length: CONNECTIONS_PER_SHARE.node }, () =>
      shares.run({ share: 'one' }, async (alive) => {
        const timer = setInterval(alive, 100);
        await end.promise;
        clearInterval(timer);
      }),
    );
    const waiting = shares.run({ share: 'one' }, async () => 'ran');
    setTimeout(end.resolve, 1_500);
    assert.equal(await waiting, 'ran');
    await Promise.all(responding);
  });
});
