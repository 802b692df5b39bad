import assert from 'node:assert/strict';
import { it } from 'node:test';
import { FairQueue, QueueFull } from '../../src/shared/fair-queue.ts';

/** Records its start, and runs until the test ends it. */
function gated(started: string[]) {
  const gates = new Map<string, PromiseWithResolvers<void>>();
  return {
    work: (name: string) => async (): Promise<string> => {
      started.push(name);
      const gate = Promise.withResolvers<void>();
      gates.set(name, gate);
      await gate.promise;
      return name;
    },
    end: async (name: string): Promise<void> => {
      gates.get(name)?.resolve();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

it('gives each queue its turn, even if another queue is long', async () => {
  const started: string[] = [];
  const { work, end } = gated(started);
  const queue = new FairQueue({ maxRunning: 1 });
  const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2'].map((name) => queue.run(name[0] ?? '', work(name)));
  for (const name of ['a1', 'a2', 'b1', 'c1', 'a3', 'b2']) await end(name);
  assert.deepEqual(started, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  await end('a4');
  assert.deepEqual(await Promise.all(all), ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2']);
  assert.deepEqual([queue.running, queue.waiting], [0, 0]);
});

it('limits how much of one queue runs at the same time, and leaves the rest to other queues', async () => {
  const started: string[] = [];
  const { work, end } = gated(started);
  const queue = new FairQueue({ maxRunning: 3, perQueue: 1 });
  const all = ['a1', 'a2', 'b1'].map((name) => queue.run(name[0] ?? '', work(name)));
  assert.deepEqual(started, ['a1', 'b1']);
  assert.equal(queue.lengthOf('a'), 2);
  for (const name of ['a1', 'a2', 'b1']) await end(name);
  await Promise.all(all);
  assert.deepEqual(started, ['a1', 'b1', 'a2']);
});

it('a job whose signal aborts while it waits leaves the queue and never runs; one that runs goes on', async () => {
  const started: string[] = [];
  const { work, end } = gated(started);
  const queue = new FairQueue({ maxRunning: 1 });
  const leaving = new AbortController();
  const running = queue.run('a', work('a1'), leaving.signal);
  const waiting = queue.run('a', work('a2'), leaving.signal);
  const next = queue.run('a', work('a3'));
  leaving.abort(new Error('too late'));
  await assert.rejects(waiting, /too late/);
  assert.equal(queue.waiting, 1);
  await end('a1');
  await end('a3');
  assert.deepEqual(await Promise.all([running, next]), ['a1', 'a3']);
  assert.deepEqual([started, queue.running, queue.waiting], [['a1', 'a3'], 0, 0]);
});

it('rejects the newest item of the longest queue when too many wait', async () => {
  const started: string[] = [];
  const { work, end } = gated(started);
  const queue = new FairQueue({ maxRunning: 1, maxWaiting: 2 });
  const [first, second, third, other] = ['a1', 'a2', 'a3', 'b1'].map((name) =>
    queue.run(name[0] ?? '', work(name)),
  );
  await assert.rejects(async () => await third, QueueFull);
  await end('a1');
  await end('a2');
  await end('b1');
  assert.deepEqual(await Promise.all([first, second, other]), ['a1', 'a2', 'b1']);
});

it('continues after work that fails', async () => {
  const queue = new FairQueue({ maxRunning: 1 });
  const failed = queue.run('a', async () => {
    throw new Error('failed');
  });
  const next = queue.run('a', async () => 'done');
  await assert.rejects(failed, /failed/);
  assert.equal(await next, 'done');
});
