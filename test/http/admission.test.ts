import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { Admission } from '../../src/http/admission.ts';
import { HttpError } from '../../src/http/errors.ts';

const here = (): boolean => false;

function busy(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

/** What becomes of work, and after how many milliseconds. */
async function outcome(run: () => Promise<unknown>): Promise<{ status: number; ms: number }> {
  const begun = performance.now();
  const status = await run().then(
    () => 200,
    (error) => (error instanceof HttpError ? error.status : 500),
  );
  return { status, ms: performance.now() - begun };
}

describe('admission', () => {
  it('lets everything in at once while there is room', async () => {
    const admission = new Admission(() => {});
    const ends = Array.from({ length: 100 }, () => Promise.withResolvers<void>());
    const all = ends.map(({ promise }) => admission.run(() => promise, here));
    assert.deepEqual([admission.underWay, admission.waiting], [100, 0]);
    for (const { resolve } of ends) resolve();
    await Promise.all(all);
    assert.equal(admission.underWay, 0);
  });

  it('lets the rest wait its turn, in order, and forgets nobody', async () => {
    const admission = new Admission(() => {});
    const order: number[] = [];
    let most = 0;
    const work = (index: number) => async (): Promise<void> => {
      order.push(index);
      most = Math.max(most, admission.underWay);
      await nextTurn();
    };
    const all = Array.from({ length: 1_000 }, (_, index) => admission.run(work(index), here));
    await Promise.all(all);
    assert.deepEqual(
      order,
      Array.from({ length: 1_000 }, (_, index) => index),
    );
    assert.ok(most <= 512, `${most} at once`);
    assert.deepEqual([admission.underWay, admission.waiting], [0, 0]);
  });

  it('turns newcomers away at once where others have waited for long, and those who waited in vain', async () => {
    let shed = 0;
    const admission = new Admission(() => {
      shed += 1;
    });
    const held = Promise.withResolvers<void>();
    const first = Array.from({ length: 512 }, () => outcome(() => admission.run(() => held.promise, here)));
    assert.ok(admission.waiting > 0 && !admission.isFull());
    while (!admission.isFull()) await pause(20);
    const late = await outcome(() => admission.run(async () => {}, here));
    assert.equal(late.status, 503);
    assert.ok(late.ms < 50, `${late.ms} ms`);
    while (admission.waiting > 0) await pause(20);
    held.resolve();
    const outcomes = await Promise.all(first);
    const refused = outcomes.filter(({ status }) => status === 503);
    assert.equal(refused.length + 1, shed);
    assert.ok(refused.every(({ ms }) => ms > 700));
    assert.equal(outcomes.filter(({ status }) => status === 200).length, 256);
    // As good as new.
    assert.equal((await outcome(() => admission.run(async () => {}, here))).status, 200);
    assert.deepEqual([admission.underWay, admission.waiting], [0, 0]);
  });

  it('lets no more wait than will have their turn soon, so that whoever is turned away is so at once', async () => {
    const admission = new Admission(() => {});
    const all: Promise<{ status: number; ms: number }>[] = [];
    // Five times what can be done; counted from when that must have been noticed.
    const begun = performance.now();
    while (performance.now() < begun + 3_000) {
      const together = Array.from({ length: 5 }, () =>
        outcome(() => admission.run(async () => busy(4), here)),
      );
      if (performance.now() > begun + 1_000) all.push(...together);
      await pause(4);
    }
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

  it('gives the event loop back in between, however much there is to do at once', async () => {
    const admission = new Admission(() => {});
    let longest = 0;
    let last = performance.now();
    let over = false;
    const watching = (async () => {
      while (!over) {
        await nextTurn();
        longest = Math.max(longest, performance.now() - last);
        last = performance.now();
      }
    })();
    const all = Array.from({ length: 300 }, () => admission.run(async () => busy(1), here));
    await Promise.all(all);
    over = true;
    await watching;
    assert.ok(longest < 250, `away for ${longest} ms`);
  });

  it('has less room while work is slow, and more again when it is not', async () => {
    const admission = new Admission(() => {});
    let most = 0;
    const work = (milliseconds: number) => async (): Promise<void> => {
      most = Math.max(most, admission.underWay);
      await pause(milliseconds);
    };
    const roomFor = async (count: number, milliseconds: number): Promise<number> => {
      most = 0;
      await Promise.all(Array.from({ length: count }, () => admission.run(work(milliseconds), here)));
      return most;
    };
    assert.equal(await roomFor(256, 520), 256);
    const less = await roomFor(256, 1);
    assert.ok(less < 200, `${less} at once`);
    for (let time = 0; time < 10; time += 1) await roomFor(450, 0);
    const more = await roomFor(450, 0);
    assert.ok(more > 256, `${more} at once`);
  });

  it('does nothing for those who have gone while they waited, and is idle when all is done', async () => {
    const admission = new Admission(() => {});
    await admission.idle();
    const held = Promise.withResolvers<void>();
    const served = Array.from({ length: 256 }, () => admission.run(() => held.promise, here));
    let ran = 0;
    const gone = Array.from({ length: 50 }, () =>
      outcome(() =>
        admission.run(
          async () => {
            ran += 1;
          },
          () => true,
        ),
      ),
    );
    let idle = false;
    const becomesIdle = admission.idle().then(() => {
      idle = true;
    });
    await pause(20);
    assert.equal(idle, false);
    held.resolve();
    await Promise.all(served);
    await becomesIdle;
    assert.deepEqual(
      (await Promise.all(gone)).map(({ status }) => status),
      Array(50).fill(503),
    );
    assert.equal(ran, 0);
  });
});
