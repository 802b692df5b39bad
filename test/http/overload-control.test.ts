import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DomainError } from '../../src/errors/domain-error.ts';
import { OverloadControl, type QueuedRequest } from '../../src/http/gate/overload-control.ts';
import { statusOf } from '../../src/http/responses/statuses.ts';

const connected = (queue: string): QueuedRequest => ({ queue, isGone: () => false });

/** A request of one of 64 clients, all still connected. */
const oneOfMany = (index: number): QueuedRequest => connected(`caller ${index % 64}`);

class TestOverloadControl {
  readonly overloadControl: OverloadControl;
  shed = 0;
  now = 0;
  /** For how long the machine has paused. */
  paused = 0;
  readonly #t: TestContext;

  constructor(t: TestContext) {
    t.mock.timers.enable({ apis: ['setInterval', 'setTimeout'] });
    this.#t = t;
    this.overloadControl = new OverloadControl(
      { initial: 256, min: 64, max: 512 },
      {
        onShed: () => {
          this.shed += 1;
        },
        clock: () => this.now,
        cpuClock: () => this.now - this.paused,
      },
    );
  }

  /** Runs the timers that are due. */
  pass(milliseconds: number): void {
    for (let passed = 0; passed < milliseconds; passed += 1) {
      this.now += 1;
      this.#t.mock.timers.tick(1);
    }
  }

  /** @throws if the condition does not hold within ten seconds of that clock */
  passUntil(condition: () => boolean): void {
    for (const end = this.now + 10_000; !condition(); this.pass(1))
      assert.ok(this.now < end, 'the condition never held');
  }

  async passUntilSettled<T>(promise: Promise<T>): Promise<T> {
    let isSettled = false;
    const settled = promise.finally(() => {
      isSettled = true;
    });
    while (!isSettled) {
      this.pass(1);
      await nextTurn();
    }
    return await settled;
  }

  /** Resolves to its status and duration in milliseconds. */
  async outcome(
    work: () => Promise<unknown>,
    admitted: QueuedRequest,
  ): Promise<{ status: number; ms: number }> {
    const begun = this.now;
    const status = await this.overloadControl.run(work, admitted).then(
      () => 200,
      (error) => (error instanceof DomainError ? statusOf(error) : 500),
    );
    return { status, ms: this.now - begun };
  }

  /** Lets everything start that can start. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 1_000; turn += 1) await nextTurn();
  }
}

const statusesOf = (outcomes: { status: number }[]): number[] => outcomes.map(({ status }) => status);

describe('overload control', () => {
  it('starts every request immediately while there is capacity', async (t) => {
    const { overloadControl } = new TestOverloadControl(t);
    const ends = Array.from({ length: 100 }, () => Promise.withResolvers<void>());
    const all = ends.map(({ promise }) => overloadControl.run(() => promise, connected('one')));
    assert.deepEqual([overloadControl.inProgress, overloadControl.waiting], [100, 0]);
    for (const { resolve } of ends) resolve();
    await Promise.all(all);
    assert.equal(overloadControl.inProgress, 0);
  });

  it('queues further requests, and starts all of them in order', async (t) => {
    const { overloadControl } = new TestOverloadControl(t);
    const order: number[] = [];
    let maximum = 0;
    const work = (index: number) => async (): Promise<void> => {
      order.push(index);
      maximum = Math.max(maximum, overloadControl.inProgress);
      await nextTurn();
    };
    const all = Array.from({ length: 900 }, (_, index) => overloadControl.run(work(index), connected('one')));
    await Promise.all(all);
    assert.deepEqual(
      order,
      Array.from({ length: 900 }, (_, index) => index),
    );
    assert.ok(maximum <= 512, `${maximum} at once`);
    assert.deepEqual([overloadControl.inProgress, overloadControl.waiting], [0, 0]);
  });

  it('rejects new requests immediately while others have waited long, and those that waited too long', async (t) => {
    const test = new TestOverloadControl(t);
    const { overloadControl } = test;
    const held = Promise.withResolvers<void>();
    const first = Array.from({ length: 512 }, (_, index) =>
      test.outcome(() => held.promise, oneOfMany(index)),
    );
    const isFull = (): boolean => overloadControl.isFull(() => 'caller 1');
    assert.ok(overloadControl.waiting > 0 && !isFull());
    test.passUntil(isFull);
    const late = await test.outcome(async () => {}, connected('caller 1'));
    assert.deepEqual(late, { status: 503, ms: 0 });
    test.pass(900);
    assert.equal(overloadControl.waiting, 0);
    held.resolve();
    const outcomes = await Promise.all(first);
    const rejected = outcomes.filter(({ status }) => status === 503);
    assert.equal(rejected.length + 1, test.shed);
    assert.ok(rejected.every(({ ms }) => ms > 700));
    // Some capacity is reserved for clients without requests in progress.
    const served = outcomes.length - rejected.length;
    assert.ok(served >= 250 && served <= 256, `${served} at once`);
    // It accepts requests again.
    assert.equal((await test.outcome(async () => {}, connected('one'))).status, 200);
    assert.deepEqual([overloadControl.inProgress, overloadControl.waiting], [0, 0]);
  });

  it('queues only as many requests as will start soon, and rejects the others immediately', async (t) => {
    const test = new TestOverloadControl(t);
    const all: Promise<{ status: number; ms: number }>[] = [];
    let sent = 0;
    // Each takes 4 ms, and five times as many arrive as can be served.
    for (let turn = 0; test.now < 3_000; turn += 1) {
      assert.ok(turn < 100_000, 'the clock does not advance');
      for (; sent * 0.8 <= test.now; sent += 1) {
        const outcome = test.outcome(async () => test.pass(4), connected('one'));
        // Counted only once the overload must have been detected.
        if (test.now > 1_000) all.push(outcome);
      }
      await nextTurn();
      if (test.overloadControl.waiting === 0) test.pass(1);
    }
    await test.settle();
    const outcomes = await Promise.all(all);
    const rejected = outcomes.filter(({ status }) => status === 503);
    assert.ok(rejected.length > all.length / 2, `${rejected.length} of ${all.length} rejected`);
    const late = rejected.filter(({ ms }) => ms > 100);
    assert.ok(late.length < rejected.length / 20, `${late.length} of ${rejected.length} late`);
    const served = outcomes.filter(({ status }) => status === 200).map(({ ms }) => ms);
    assert.ok(
      served.length > 100 && Math.max(...served) < 900,
      `${served.length}, ${Math.max(...served)} ms`,
    );
  });

  it('yields to the event loop when many requests start at once', async (t) => {
    const test = new TestOverloadControl(t);
    let longest = 0;
    let isOver = false;
    const watching = (async () => {
      for (let last = test.now; !isOver; last = test.now) {
        await nextTurn();
        longest = Math.max(longest, test.now - last);
      }
    })();
    await Promise.all(
      Array.from({ length: 300 }, () => test.outcome(async () => test.pass(1), connected('one'))),
    );
    isOver = true;
    await watching;
    assert.ok(longest <= 10, `blocked the event loop for ${longest} ms`);
  });

  it('runs fewer requests at once while they are slow, and more when they are fast again', async (t) => {
    const test = new TestOverloadControl(t);
    const admittedOf = async (count: number, milliseconds: number): Promise<number> => {
      const held = Promise.withResolvers<void>();
      const all = Array.from({ length: count }, (_, index) =>
        test.outcome(() => held.promise, oneOfMany(index)),
      );
      const admitted = test.overloadControl.inProgress;
      test.pass(milliseconds);
      held.resolve();
      await Promise.all(all);
      return admitted;
    };
    assert.ok((await admittedOf(256, 520)) >= 250);
    const shrunk = await admittedOf(256, 1);
    assert.ok(shrunk < 200, `${shrunk} at once`);
    for (let time = 0; time < 10; time += 1) await admittedOf(450, 0);
    const grown = await admittedOf(450, 0);
    assert.ok(grown > 256, `${grown} at once`);
  });

  it('drops queued requests whose clients have disconnected, and is idle when all others are done', async (t) => {
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
    // Their queue is at its limit, because another of its requests is in progress.
    const stays = overloadControl.run(() => held.promise, connected('gone'));
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

  it('serves a client with few requests soon while another one sends many', async (t) => {
    const test = new TestOverloadControl(t);
    const served: string[] = [];
    const work = (line: string) => async () => {
      served.push(line);
      test.pass(1);
    };
    const flood = Array.from({ length: 500 }, () => test.outcome(work('flood'), connected('flood')));
    const quiet = await test.outcome(work('quiet'), connected('quiet'));
    assert.equal(quiet.status, 200);
    const before = served.indexOf('quiet');
    assert.ok(before < 20, `${before} of the others were served first`);
    await Promise.all(flood);
  });

  it('reserves capacity for other clients while many slow requests of one client are in progress', async (t) => {
    const { overloadControl } = new TestOverloadControl(t);
    const held = Promise.withResolvers<void>();
    const slow = Array.from({ length: 200 }, () =>
      overloadControl.run(() => held.promise, connected('slow')),
    );
    assert.equal(overloadControl.inProgress, 128);
    await overloadControl.run(nextTurn, connected('quick'));
    held.resolve();
    await Promise.all(slow);
  });

  it('makes a request that moves to another queue wait for its turn there', async (t) => {
    const { overloadControl } = new TestOverloadControl(t);
    const held = Promise.withResolvers<void>();
    let moved = 0;
    const work = async (): Promise<void> => {
      await overloadControl.moveTo('flood');
      moved += 1;
      await held.promise;
    };
    const flood = Array.from({ length: 200 }, (_, index) =>
      overloadControl.run(work, connected(`network ${index}`)),
    );
    for (let turn = 0; turn < 1_000; turn += 1) await nextTurn();
    // Half of the capacity, which grows a little with each fast request.
    assert.ok(moved >= 128 && moved < 140, `${moved} have moved`);
    assert.deepEqual([overloadControl.inProgress, overloadControl.waiting], [moved, 200 - moved]);
    await overloadControl.run(nextTurn, connected('quiet'));
    held.resolve();
    await Promise.all(flood);
    assert.deepEqual([moved, overloadControl.inProgress, overloadControl.waiting], [200, 0, 0]);
  });

  it('is idle again after requests that moved to a full queue were refused', async (t) => {
    const test = new TestOverloadControl(t);
    const { overloadControl } = test;
    const held = Promise.withResolvers<void>();
    const flood = Array.from({ length: 200 }, (_, index) =>
      test.outcome(
        async () => {
          await overloadControl.moveTo('flood');
          await held.promise;
        },
        connected(`network ${index}`),
      ),
    );
    await test.settle();
    test.pass(900);
    assert.equal(overloadControl.waiting, 0);
    held.resolve();
    const statuses = statusesOf(await Promise.all(flood));
    const refused = statuses.filter((status) => status === 503).length;
    assert.ok(refused > 60 && refused === test.shed, `${refused} of ${test.shed} refused`);
    await overloadControl.idle();
    assert.equal(overloadControl.inProgress, 0);
  });

  it('does not count requests that wait for a job outside, however long it takes', async (t) => {
    const test = new TestOverloadControl(t);
    const { overloadControl } = test;
    const job = Promise.withResolvers<void>();
    // More than twice the limit, and slow enough to shrink it.
    const waiting = Array.from({ length: 1_000 }, (_, index) =>
      test.outcome(() => overloadControl.runOutside(() => job.promise), oneOfMany(index)),
    );
    await test.settle();
    test.pass(2_000);
    assert.deepEqual([overloadControl.inProgress, overloadControl.waiting], [1_000, 0]);
    const end = Promise.withResolvers<void>();
    const others = Array.from({ length: 200 }, (_, index) =>
      test.outcome(() => end.promise, oneOfMany(index)),
    );
    assert.deepEqual([overloadControl.inProgress, overloadControl.waiting], [1_200, 0]);
    end.resolve();
    job.resolve();
    assert.ok((await Promise.all([...waiting, ...others])).every(({ status }) => status === 200));
    assert.equal(overloadControl.inProgress, 0);
  });

  it('is idle once every job outside has ended or its request has failed', async (t) => {
    const test = new TestOverloadControl(t);
    const { overloadControl } = test;
    const jobs = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const outside = () => jobs.map(({ promise }) => overloadControl.runOutside(() => promise));
    const served = test.outcome(() => Promise.all(outside()), connected('one'));
    const failed = test.outcome(async () => {
      outside();
      throw new Error('failed before its jobs ended');
    }, connected('one'));
    assert.equal((await failed).status, 500);
    let isIdle = false;
    const idle = overloadControl.idle().then(() => {
      isIdle = true;
    });
    jobs[0]?.resolve();
    await test.settle();
    assert.deepEqual([overloadControl.inProgress, isIdle], [1, false]);
    jobs[1]?.resolve();
    assert.equal((await served).status, 200);
    await idle;
    assert.equal(overloadControl.inProgress, 0);
  });

  it('leaves most of the event loop’s time to other clients if one client’s requests need a lot of it', async (t) => {
    const test = new TestOverloadControl(t);
    const held = Promise.withResolvers<void>();
    const other = test.outcome(() => held.promise, connected('other'));
    let done = 0;
    const heavy = async (): Promise<void> => {
      test.now += 10;
      done += 1;
    };
    const flood = Array.from({ length: 60 }, () => test.outcome(heavy, connected('heavy')));
    while (test.now < 400) {
      test.pass(1);
      for (let turn = 0; turn < 10; turn += 1) await nextTurn();
    }
    // A fifth of the time, plus a few at the start.
    assert.ok(done >= 5 && done <= 12, `${done} requests of 10 ms`);
    held.resolve();
    await other;
    const outcomes = await test.passUntilSettled(Promise.all(flood));
    assert.deepEqual(statusesOf(outcomes), Array(60).fill(200));
    // Without other requests for half a second, it gets all of the time.
    assert.ok(test.now < 1_600, `${test.now} ms`);
  });

  it('leaves most of the event loop’s time to other clients, even if none has a request in progress at the moment', async (t) => {
    const test = new TestOverloadControl(t);
    let done = 0;
    const heavy = async (): Promise<void> => {
      test.now += 10;
      done += 1;
    };
    const clients = Array.from({ length: 4 }, async () => {
      while (test.now < 400) await test.outcome(heavy, connected('heavy'));
    });
    for (let time = 0; test.now < 400; time += 1) {
      // 25 requests a second, each over at once.
      if (time % 40 === 0) await test.outcome(async () => {}, connected('other'));
      test.pass(1);
      for (let turn = 0; turn < 10; turn += 1) await nextTurn();
    }
    assert.ok(done >= 5 && done <= 20, `${done} requests of 10 ms`);
    await test.passUntilSettled(Promise.all(clients));
  });

  it('leaves most of the event loop’s time to other clients if requests need a lot of it after they have waited', async (t) => {
    const test = new TestOverloadControl(t);
    const held = Promise.withResolvers<void>();
    const other = test.outcome(() => held.promise, connected('other'));
    let done = 0;
    const heavy = async (): Promise<void> => {
      await nextTurn();
      test.overloadControl.measure(() => {
        test.now += 10;
      });
      done += 1;
    };
    const clients = Array.from({ length: 4 }, async () => {
      while (test.now < 400) await test.outcome(heavy, connected('heavy'));
    });
    while (test.now < 400) {
      test.pass(1);
      for (let turn = 0; turn < 10; turn += 1) await nextTurn();
    }
    // A fifth of the time, plus those in progress at the start.
    assert.ok(done >= 5 && done <= 20, `${done} requests of 10 ms`);
    held.resolve();
    await test.passUntilSettled(Promise.all([other, ...clients]));
  });

  it('serves a client with short requests after at most one long request, however many clients have those', async (t) => {
    const test = new TestOverloadControl(t);
    const heavy = async (): Promise<void> => {
      test.now += 40;
    };
    const clients = Array.from({ length: 64 }, async (_, number) => {
      while (test.now < 4_000) await test.outcome(heavy, connected(`merchant ${number % 16}`));
    });
    // At first, nobody has used more time than the others.
    while (test.now < 1_000) await nextTurn();
    const outcomes: Promise<{ status: number; ms: number }>[] = [];
    for (let due = test.now; test.now < 3_000; await nextTurn()) {
      for (; due <= test.now; due += 100)
        outcomes.push(test.outcome(async () => {}, connected('merchant quiet')));
    }
    const quiet = await test.passUntilSettled(Promise.all(outcomes));
    assert.ok(quiet.length > 15);
    for (const { status, ms } of quiet) assert.ok(status === 200 && ms <= 40, `${status} after ${ms} ms`);
    await test.passUntilSettled(Promise.all(clients));
  });

  it('does not make a client wait for others because of the time that it used while it was alone', async (t) => {
    const test = new TestOverloadControl(t);
    const short = async (): Promise<void> => {
      test.now += 1;
    };
    for (let request = 0; request < 1_000; request += 1) {
      await test.outcome(short, connected('merchant busy'));
      await nextTurn();
    }
    const end = test.now + 1_000;
    const others = Array.from({ length: 32 }, async () => {
      while (test.now < end) await test.outcome(short, connected('merchant other'));
    });
    await nextTurn();
    const { status, ms } = await test.outcome(short, connected('merchant busy'));
    assert.ok(status === 200 && ms <= 10, `${status} after ${ms} ms`);
    await test.passUntilSettled(Promise.all(others));
  });

  it('serves other clients between two parts of a long request', async (t) => {
    const test = new TestOverloadControl(t);
    const order: string[] = [];
    const others: Promise<unknown>[] = [];
    const long = async (): Promise<void> => {
      for (const part of ['one', 'two', 'three']) {
        await test.overloadControl.takeAnotherTurn();
        order.push(part);
        test.overloadControl.measure(() => {
          test.now += 10;
        });
        others.push(test.outcome(async () => order.push(`after ${part}`), connected('merchant short')));
      }
    };
    await test.passUntilSettled(test.outcome(long, connected('merchant long')));
    await test.passUntilSettled(Promise.all(others));
    assert.deepEqual(order, ['one', 'after one', 'two', 'after two', 'three', 'after three']);
  });

  it('does not refuse or delay the requests of a client because the machine paused during its work', async (t) => {
    const test = new TestOverloadControl(t);
    const held = Promise.withResolvers<void>();
    const other = test.outcome(() => held.promise, connected('other'));
    await test.outcome(async () => {
      test.now += 5_000;
      test.paused += 5_000;
    }, connected('client'));
    await nextTurn();
    assert.deepEqual(await test.outcome(async () => {}, connected('client')), { status: 200, ms: 0 });
    held.resolve();
    await other;
  });

  it('does not refuse the requests of a client for long because one of them took seconds', async (t) => {
    const test = new TestOverloadControl(t);
    const held = Promise.withResolvers<void>();
    const other = test.outcome(() => held.promise, connected('other'));
    await test.outcome(async () => {
      test.now += 5_000;
    }, connected('client'));
    const next = await test.passUntilSettled(test.outcome(async () => {}, connected('client')));
    assert.equal(next.status, 200);
    assert.ok(next.ms <= 500, `${next.ms} ms`);
    held.resolve();
    await other;
  });

  it('does not refuse requests that wait while the machine pauses', async (t) => {
    const test = new TestOverloadControl(t);
    const held = Promise.withResolvers<void>();
    const requests = Array.from({ length: 300 }, (_, index) =>
      test.outcome(() => held.promise, oneOfMany(index)),
    );
    await test.settle();
    assert.ok(test.overloadControl.waiting > 0);
    test.now += 5_000;
    test.pass(100);
    held.resolve();
    const outcomes = await test.passUntilSettled(Promise.all(requests));
    assert.deepEqual(statusesOf(outcomes), Array(300).fill(200));
  });

  it('starts a waiting request even if its share becomes free just after its queue was checked', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval', 'setTimeout'] });
    let now = 0;
    // Time passes with each look at the clock.
    const tick = (): number => {
      now += 0.005;
      return now;
    };
    const overloadControl = new OverloadControl(
      { initial: 4, min: 4, max: 4 },
      { onShed: () => {}, clock: tick, cpuClock: tick },
    );
    const held = Promise.withResolvers<void>();
    const other = overloadControl.run(() => held.promise, connected('other'));
    for (let round = 0; round < 500; round += 1) {
      let left = 2;
      for (const ms of [30, 0]) {
        const work = async (): Promise<void> => {
          now += ms;
        };
        void overloadControl.run(work, connected('heavy')).then(() => {
          left -= 1;
        });
      }
      for (let passed = 0; left > 0; passed += 1) {
        assert.ok(passed < 700, `round ${round}: a request still waits`);
        now += 1;
        t.mock.timers.tick(1);
        for (let turn = 0; turn < 3; turn += 1) await nextTurn();
      }
    }
    held.resolve();
    await other;
  });

  it('rejects the newest request of the longest queue when too many wait, not one of a client with few requests', async (t) => {
    const test = new TestOverloadControl(t);
    const held = Promise.withResolvers<void>();
    const flood = Array.from({ length: 600 }, () => test.outcome(() => held.promise, connected('flood')));
    test.passUntil(() => test.overloadControl.isFull(() => 'flood'));
    assert.equal(
      test.overloadControl.isFull(() => 'quiet'),
      false,
    );
    const waiting = Array.from({ length: 10 }, (_, index) =>
      test.outcome(nextTurn, connected(`quiet ${index}`)),
    );
    assert.deepEqual(statusesOf(await Promise.all(waiting)), Array(10).fill(200));
    held.resolve();
    const statuses = statusesOf(await Promise.all(flood));
    assert.deepEqual(statuses, [...Array(590).fill(200), ...Array(10).fill(503)]);
  });

  it('serves a merchant immediately, however many networks have slow requests in progress and waiting', async (t) => {
    const test = new TestOverloadControl(t);
    const held = Promise.withResolvers<void>();
    const fromNetworks = Array.from({ length: 600 }, (_, index) =>
      test.outcome(() => held.promise, connected(`network ${index}`)),
    );
    test.passUntil(() => test.overloadControl.isFull(() => 'network 600'));
    assert.equal(
      test.overloadControl.isFull(() => 'merchant 1'),
      false,
    );
    const ofMerchants = Array.from({ length: 30 }, (_, index) =>
      test.outcome(nextTurn, connected(`merchant ${index % 3}`)),
    );
    assert.deepEqual(await Promise.all(ofMerchants), Array(30).fill({ status: 200, ms: 0 }));
    assert.ok(test.overloadControl.waiting > 0);
    held.resolve();
    await Promise.all(fromNetworks);
    await test.overloadControl.idle();
  });

  it('takes turns between merchants and networks when all capacity is used', async (t) => {
    const test = new TestOverloadControl(t);
    const held = Promise.withResolvers<void>();
    const first = Array.from({ length: 256 }, (_, index) =>
      test.outcome(() => held.promise, connected(`merchant ${index}`)),
    );
    assert.equal(test.overloadControl.inProgress, 256);
    const order: string[] = [];
    const waiting = ['network', 'merchant'].flatMap((kind) =>
      Array.from({ length: 10 }, (_, index) =>
        test.outcome(
          async () => {
            order.push(kind);
          },
          connected(`${kind} ${300 + index}`),
        ),
      ),
    );
    held.resolve();
    await Promise.all([...first, ...waiting]);
    assert.deepEqual(order, Array(10).fill(['network', 'merchant']).flat());
  });

  it('accepts a request of a merchant without any in the queues, however many merchants wait', async (t) => {
    const test = new TestOverloadControl(t);
    const held = Promise.withResolvers<void>();
    const others = Array.from({ length: 800 }, (_, index) =>
      test.outcome(() => held.promise, connected(`merchant ${index % 300}`)),
    );
    // No request starts, so that there are fewer places than queues.
    test.pass(600);
    assert.equal(
      test.overloadControl.isFull(() => 'merchant 1'),
      true,
    );
    const quiet = test.outcome(async () => {}, connected('merchant 300'));
    held.resolve();
    assert.equal((await quiet).status, 200);
    await Promise.all(others);
  });
});
