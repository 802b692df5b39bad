import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { OverloadControl, type QueuedRequest } from '../../src/http/gate/overload-control.ts';
import { HttpError } from '../../src/http/responses/errors.ts';

/** A request whose client is still connected. */
const here = (queue: string): QueuedRequest => ({ queue, isGone: () => false });

/** The same, of one of 64 callers. */
const oneOfMany = (index: number): QueuedRequest => here(`caller ${index % 64}`);

/** Overload control with a clock that the test moves. */
class TestOverloadControl {
  readonly overloadControl: OverloadControl;
  shed = 0;
  now = 0;
  readonly #t: TestContext;

  constructor(t: TestContext) {
    t.mock.timers.enable({ apis: ['setInterval', 'setTimeout'] });
    this.#t = t;
    this.overloadControl = new OverloadControl(
      { initial: 256, min: 64, max: 512 },
      () => {
        this.shed += 1;
      },
      () => this.now,
    );
  }

  /** Moves the clock, and runs the timers that are due by then. */
  pass(milliseconds: number): void {
    for (let passed = 0; passed < milliseconds; passed += 1) {
      this.now += 1;
      this.#t.mock.timers.tick(1);
    }
  }

  /** Moves the clock until a condition holds. @throws if it does not within ten seconds of that clock */
  passUntil(condition: () => boolean): void {
    for (const end = this.now + 10_000; !condition(); this.pass(1))
      assert.ok(this.now < end, 'it never holds');
  }

  /** The outcome of work: a status, and how many milliseconds it took. */
  async outcome(
    work: () => Promise<unknown>,
    admitted: QueuedRequest,
  ): Promise<{ status: number; ms: number }> {
    const begun = this.now;
    const status = await this.overloadControl.run(work, admitted).then(
      () => 200,
      (error) => (error instanceof HttpError ? error.status : 500),
    );
    return { status, ms: this.now - begun };
  }

  /** Lets everything that can begin do so. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 1_000; turn += 1) await nextTurn();
  }
}

const statusesOf = (outcomes: { status: number }[]): number[] => outcomes.map(({ status }) => status);

describe('overload control', () => {
  it('starts every request at once while there is room', async (t) => {
    const { overloadControl } = new TestOverloadControl(t);
    const ends = Array.from({ length: 100 }, () => Promise.withResolvers<void>());
    const all = ends.map(({ promise }) => overloadControl.run(() => promise, here('one')));
    assert.deepEqual([overloadControl.inProgress, overloadControl.waiting], [100, 0]);
    for (const { resolve } of ends) resolve();
    await Promise.all(all);
    assert.equal(overloadControl.inProgress, 0);
  });

  it('lets the others wait, starts them in order, and forgets none', async (t) => {
    const { overloadControl } = new TestOverloadControl(t);
    const order: number[] = [];
    let most = 0;
    const work = (index: number) => async (): Promise<void> => {
      order.push(index);
      most = Math.max(most, overloadControl.inProgress);
      await nextTurn();
    };
    const all = Array.from({ length: 900 }, (_, index) => overloadControl.run(work(index), here('one')));
    await Promise.all(all);
    assert.deepEqual(
      order,
      Array.from({ length: 900 }, (_, index) => index),
    );
    assert.ok(most <= 512, `${most} at once`);
    assert.deepEqual([overloadControl.inProgress, overloadControl.waiting], [0, 0]);
  });

  it('rejects new requests at once while others have waited for long, and those that waited too long', async (t) => {
    const test = new TestOverloadControl(t);
    const { overloadControl } = test;
    const held = Promise.withResolvers<void>();
    const first = Array.from({ length: 512 }, (_, index) =>
      test.outcome(() => held.promise, oneOfMany(index)),
    );
    const isFull = (): boolean => overloadControl.isFull(() => 'caller 1');
    assert.ok(overloadControl.waiting > 0 && !isFull());
    test.passUntil(isFull);
    const late = await test.outcome(async () => {}, here('caller 1'));
    assert.deepEqual(late, { status: 503, ms: 0 });
    test.pass(900);
    assert.equal(overloadControl.waiting, 0);
    held.resolve();
    const outcomes = await Promise.all(first);
    const refused = outcomes.filter(({ status }) => status === 503);
    assert.equal(refused.length + 1, test.shed);
    assert.ok(refused.every(({ ms }) => ms > 700));
    // A little room is left for clients without requests in progress.
    const served = outcomes.length - refused.length;
    assert.ok(served >= 250 && served <= 256, `${served} at once`);
    // It accepts requests again.
    assert.equal((await test.outcome(async () => {}, here('one'))).status, 200);
    assert.deepEqual([overloadControl.inProgress, overloadControl.waiting], [0, 0]);
  });

  it('lets only as many wait as will start soon, and rejects the others at once', async (t) => {
    const test = new TestOverloadControl(t);
    const all: Promise<{ status: number; ms: number }>[] = [];
    let sent = 0;
    // Each takes 4 ms, and five times as many arrive as can be served.
    for (let turn = 0; test.now < 3_000; turn += 1) {
      assert.ok(turn < 100_000, 'its clock stands still');
      for (; sent * 0.8 <= test.now; sent += 1) {
        const outcome = test.outcome(async () => test.pass(4), here('one'));
        // Counted only once the overload must have been noticed.
        if (test.now > 1_000) all.push(outcome);
      }
      await nextTurn();
      if (test.overloadControl.waiting === 0) test.pass(1);
    }
    await test.settle();
    const outcomes = await Promise.all(all);
    const refused = outcomes.filter(({ status }) => status === 503);
    assert.ok(refused.length > all.length / 2, `${refused.length} of ${all.length} turned away`);
    const late = refused.filter(({ ms }) => ms > 100);
    assert.ok(late.length < refused.length / 20, `${late.length} of ${refused.length} late`);
    const served = outcomes.filter(({ status }) => status === 200).map(({ ms }) => ms);
    assert.ok(
      served.length > 100 && Math.max(...served) < 900,
      `${served.length}, ${Math.max(...served)} ms`,
    );
  });

  it('returns to the event loop in between, however many requests start at once', async (t) => {
    const test = new TestOverloadControl(t);
    let longest = 0;
    let isOver = false;
    const watching = (async () => {
      for (let last = test.now; !isOver; last = test.now) {
        await nextTurn();
        longest = Math.max(longest, test.now - last);
      }
    })();
    await Promise.all(Array.from({ length: 300 }, () => test.outcome(async () => test.pass(1), here('one'))));
    isOver = true;
    await watching;
    assert.ok(longest <= 10, `away for ${longest} ms`);
  });

  it('runs fewer requests at once while they are slow, and more when they are fast again', async (t) => {
    const test = new TestOverloadControl(t);
    const roomFor = async (count: number, milliseconds: number): Promise<number> => {
      const held = Promise.withResolvers<void>();
      const all = Array.from({ length: count }, (_, index) =>
        test.outcome(() => held.promise, oneOfMany(index)),
      );
      const most = test.overloadControl.inProgress;
      test.pass(milliseconds);
      held.resolve();
      await Promise.all(all);
      return most;
    };
    assert.ok((await roomFor(256, 520)) >= 250);
    const less = await roomFor(256, 1);
    assert.ok(less < 200, `${less} at once`);
    for (let time = 0; time < 10; time += 1) await roomFor(450, 0);
    const more = await roomFor(450, 0);
    assert.ok(more > 256, `${more} at once`);
  });

  it('does not run requests whose clients left while they waited, and is idle when all others are done', async (t) => {
    const test = new TestOverloadControl(t);
    const { overloadControl } = test;
    await overloadControl.idle();
    const held = Promise.withResolvers<void>();
    const served = Array.from({ length: 256 }, (_, index) =>
      overloadControl.run(() => held.promise, oneOfMany(index)),
    );
    let ran = 0;
    const work = async (): Promise<void> => {
      ran += 1;
    };
    // Their queue has no room: another request of it is in progress.
    const stays = overloadControl.run(() => held.promise, here('gone'));
    const gone = Array.from({ length: 50 }, () => test.outcome(work, { queue: 'gone', isGone: () => true }));
    let idle = false;
    const becomesIdle = overloadControl.idle().then(() => {
      idle = true;
    });
    await test.settle();
    assert.equal(idle, false);
    held.resolve();
    await Promise.all([...served, stays]);
    await becomesIdle;
    assert.deepEqual(statusesOf(await Promise.all(gone)), Array(50).fill(503));
    assert.equal(ran, 0);
  });

  it('serves a client with few requests soon, however many another one sends', async (t) => {
    const test = new TestOverloadControl(t);
    const served: string[] = [];
    const work = (line: string) => async () => {
      served.push(line);
      test.pass(1);
    };
    const flood = Array.from({ length: 500 }, () => test.outcome(work('loud'), here('loud')));
    const quiet = await test.outcome(work('quiet'), here('quiet'));
    assert.equal(quiet.status, 200);
    const before = served.indexOf('quiet');
    assert.ok(before < 20, `${before} of the others were served first`);
    await Promise.all(flood);
  });

  it('keeps room for others, however many slow requests of one client are in progress', async (t) => {
    const { overloadControl } = new TestOverloadControl(t);
    const held = Promise.withResolvers<void>();
    const slow = Array.from({ length: 200 }, () => overloadControl.run(() => held.promise, here('slow')));
    assert.equal(overloadControl.inProgress, 128);
    await overloadControl.run(nextTurn, here('quick'));
    held.resolve();
    await Promise.all(slow);
  });

  it('leaves most of the event loop’s time to other clients, however much of it one client’s requests take', async (t) => {
    const test = new TestOverloadControl(t);
    const held = Promise.withResolvers<void>();
    const other = test.outcome(() => held.promise, here('other'));
    let done = 0;
    const heavy = async (): Promise<void> => {
      test.now += 10;
      done += 1;
    };
    const flood = Array.from({ length: 60 }, () => test.outcome(heavy, here('heavy')));
    while (test.now < 400) {
      test.pass(1);
      // Lets everything begin that may.
      for (let turn = 0; turn < 10; turn += 1) await nextTurn();
    }
    // A fifth of the time, plus a few at the start.
    assert.ok(done >= 5 && done <= 12, `${done} requests of 10 ms`);
    held.resolve();
    await other;
    assert.deepEqual(statusesOf(await Promise.all(flood)), Array(60).fill(200));
    // Without other requests, it gets all of the time.
    assert.ok(test.now < 1_100, `${test.now} ms`);
  });

  it('rejects the newest request of the longest queue when too many wait, not that of a client with few', async (t) => {
    const test = new TestOverloadControl(t);
    const held = Promise.withResolvers<void>();
    const flood = Array.from({ length: 600 }, () => test.outcome(() => held.promise, here('loud')));
    test.passUntil(() => test.overloadControl.isFull(() => 'loud'));
    assert.equal(
      test.overloadControl.isFull(() => 'quiet'),
      false,
    );
    const waiting = Array.from({ length: 10 }, (_, index) => test.outcome(nextTurn, here(`quiet ${index}`)));
    assert.deepEqual(statusesOf(await Promise.all(waiting)), Array(10).fill(200));
    held.resolve();
    const statuses = statusesOf(await Promise.all(flood));
    assert.deepEqual(statuses, [...Array(590).fill(200), ...Array(10).fill(503)]);
  });
});
