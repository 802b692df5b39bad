import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SharedLimit } from '../../src/budgets/shared-limit.ts';
import { fc } from '../support/seed.ts';

const MINUTE = 60_000;

/** Processes that share one limit, and the counts in their database. */
function processes(count: number, limit: number | null) {
  const clock = { now: 90 * MINUTE };
  const shared = { counts: new Map<string, number>(), writes: 0, isAvailable: true };
  const add = async (subject: string, minute: number, requests: number): Promise<number> => {
    if (!shared.isAvailable) throw new Error('unavailable');
    shared.writes += 1;
    const name = `${subject} ${minute}`;
    shared.counts.set(name, (shared.counts.get(name) ?? 0) + requests);
    return shared.counts.get(name) ?? 0;
  };
  const errors: unknown[] = [];
  const all = Array.from(
    { length: count },
    () =>
      new SharedLimit({
        name: 'n',
        limit,
        add,
        now: () => clock.now,
        onError: (error) => errors.push(error),
      }),
  );
  return { all, clock, shared, errors };
}

describe('a limit', () => {
  it('admits exactly the limit if only one process counts, with or without waiting', async () => {
    for (const limit of [1, 3, 49, 50, 51, 120, 6000]) {
      const { all } = processes(1, limit);
      let [waited, unwaited] = [0, 0];
      for (let time = 0; time < limit + 200; time += 1) {
        if ((await all[0]?.take('a', 'a')) === 0) waited += 1;
        if (all[0]?.takeWithoutWaiting('b', 'b') === 0) unwaited += 1;
        // Lets the database respond before the next request.
        await null;
        await null;
        await null;
        await null;
        await null;
      }
      assert.equal(waited, limit);
      assert.ok(unwaited >= limit && unwaited <= limit + 1, `${unwaited} of ${limit}`);
    }
  });

  it('waits briefly for a delayed share, then admits requests and counts them later', async () => {
    const share = Promise.withResolvers<number>();
    const options = { name: 'n', limit: 100, now: () => 90 * MINUTE, onError: () => {} };
    const limit = new SharedLimit({ ...options, add: () => share.promise });
    for (let time = 0; time < 2; time += 1) assert.equal(await limit.take('a', 'a'), 0);
    const begun = performance.now();
    assert.deepEqual(await Promise.all([limit.take('a', 'a'), limit.take('a', 'a')]), [0, 0]);
    const ms = performance.now() - begun;
    assert.ok(ms > 100 && ms < 2_000, `${ms} ms`);
    // Other processes have used the rest meanwhile.
    share.resolve(102);
    await share.promise;
    assert.ok((await limit.take('a', 'a')) > 0);
  });

  it('exceeds the limit by at most one share per process, with any distribution of requests', async () => {
    const arbitrary = fc.record({
      limit: fc.integer({ min: 1, max: 500 }),
      count: fc.integer({ min: 1, max: 4 }),
      requests: fc.array(fc.nat({ max: 3 }), { maxLength: 800, size: 'max' }),
    });
    const property = fc.asyncProperty(arbitrary, async ({ limit, count, requests }) => {
      const { all } = processes(count, limit);
      let admitted = 0;
      for (const index of requests) if ((await all[index % count]?.take('a', 'a')) === 0) admitted += 1;
      const share = Math.ceil(limit / 50);
      assert.ok(admitted <= limit + count * Math.floor(limit / 50));
      assert.ok(admitted >= Math.min(requests.length, limit - count * share));
    });
    await fc.assert(property, { numRuns: 200 });
  });

  it('does not use the database while every client is far below the limit', async () => {
    const { all, shared } = processes(2, 5_000);
    for (let time = 0; time < 200; time += 1) {
      await all[time % 2]?.take('a', 'a');
      all[time % 2]?.takeWithoutWaiting('b', 'b');
    }
    assert.equal(shared.writes, 0);
  });

  it('resets with each minute', async () => {
    const { all, clock } = processes(1, 3);
    const take = async () => (await all[0]?.take('a', 'a')) ?? Number.NaN;
    for (let time = 0; time < 3; time += 1) assert.equal(await take(), 0);
    clock.now += 59_000;
    assert.equal(await take(), 1);
    clock.now += 1_000;
    assert.equal(await take(), 0);
  });

  it('supports windows of any length, and does not count what is given back', async () => {
    const clock = { now: 3.75 * 60 * MINUTE };
    const options = { name: 'n', add: async () => 0, now: () => clock.now, onError: () => {} };
    const limit = new SharedLimit({ ...options, limit: 2, windowMs: 60 * MINUTE });
    assert.deepEqual([limit.takeWithoutWaiting('a', 'a'), limit.takeWithoutWaiting('a', 'a')], [0, 0]);
    assert.equal(limit.takeWithoutWaiting('a', 'a'), 15 * 60);
    limit.giveBack('a');
    assert.deepEqual([limit.takeWithoutWaiting('a', 'a'), limit.takeWithoutWaiting('a', 'a')], [0, 15 * 60]);
    assert.equal(limit.headers('a')[1], '"n";q=2;w=3600');
    clock.now += 15 * MINUTE;
    assert.equal(limit.takeWithoutWaiting('a', 'a'), 0);
  });

  it('is counted by each process separately while the database is unavailable', async () => {
    const { all, shared, errors } = processes(2, 100);
    shared.isAvailable = false;
    for (const one of all) {
      let admitted = 0;
      for (let time = 0; time < 300; time += 1) if ((await one.take('a', 'a')) === 0) admitted += 1;
      assert.equal(admitted, 100);
    }
    assert.ok(errors.length > 0);
  });

  it('reports the remaining requests, and nothing without a limit', async () => {
    const { all, clock } = processes(1, 100);
    clock.now += 18_000;
    for (let left = 99; left >= 0; left -= 1) {
      await all[0]?.take('a', 'a');
      assert.deepEqual(all[0]?.headers('a'), [
        'ratelimit-policy',
        '"n";q=100;w=60',
        'ratelimit',
        `"n";r=${left};t=42`,
      ]);
    }
    assert.deepEqual(processes(1, null).all[0]?.headers('a'), []);
  });
});
