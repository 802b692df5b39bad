import assert from 'node:assert/strict';
import { it } from 'node:test';
import { RoundRobinQueues } from '../../src/shared/round-robin-queues.ts';
import { fc } from '../support/seed.ts';

const names = ['a', 'b', 'c', 'd'];

/** One list of items, and the order in which the queues take turns. */
class Model {
  items: { queue: string; item: number }[] = [];
  turns: string[] = [];

  of(queue: string): { queue: string; item: number }[] {
    return this.items.filter((one) => one.queue === queue);
  }

  push(queue: string, item: number): void {
    this.items.push({ queue, item });
    if (!this.turns.includes(queue)) this.turns.push(queue);
  }

  remove(taken: { queue: string; item: number } | undefined): void {
    this.items = this.items.filter((one) => one !== taken);
    this.turns = this.turns.filter((queue) => this.of(queue).length > 0);
  }

  take(
    canTake: (queue: string) => boolean,
    usedBy: (queue: string) => number,
  ): { queue: string; item: number } | undefined {
    const allowed = this.turns.filter(canTake);
    const least = Math.min(...allowed.map(usedBy));
    const queue = allowed.find((one) => usedBy(one) === least);
    const taken = this.items.find((one) => one.queue === queue);
    if (queue !== undefined) this.turns = [...this.turns.filter((one) => one !== queue), queue];
    this.remove(taken);
    return taken;
  }

  takeNewestOfLongest(preferred: string): number | undefined {
    const most = Math.max(0, ...names.map((queue) => this.of(queue).length));
    const longest = [preferred, ...this.turns].find((queue) => this.of(queue).length === most);
    const taken = this.items.findLast(({ queue }) => queue === longest);
    this.remove(taken);
    return taken?.item;
  }

  takeDue(isDue: (item: number) => boolean): number[] {
    const due = this.turns.flatMap((queue) => {
      const items = this.of(queue);
      const end = items.findIndex(({ item }) => !isDue(item));
      return end < 0 ? items : items.slice(0, end);
    });
    for (const taken of due) this.remove(taken);
    return due.map(({ item }) => item);
  }
}

it('takes what a list of all items in the order of the turns gives', () => {
  const queue = fc.constantFrom(...names);
  const operation = fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('push' as const), queue }) },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('take' as const),
        refused: fc.subarray(names, { maxLength: 2 }),
        used: fc.array(fc.nat({ max: 2 }), { minLength: names.length, maxLength: names.length }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('takeNewestOfLongest' as const), queue }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('takeDue' as const), before: fc.nat({ max: 60 }) }),
    },
  );
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 60 }), (operations) => {
      const queues = new RoundRobinQueues<number>();
      const model = new Model();
      for (const [number, one] of operations.entries()) {
        if (one.kind === 'push') {
          queues.push(one.queue, number);
          model.push(one.queue, number);
        } else if (one.kind === 'take') {
          const canTake = (name: string): boolean => !one.refused.includes(name);
          const usedBy = (name: string): number => one.used[names.indexOf(name)] ?? 0;
          assert.deepEqual(queues.take(canTake, usedBy), model.take(canTake, usedBy));
        } else if (one.kind === 'takeNewestOfLongest') {
          assert.equal(queues.takeNewestOfLongest(one.queue), model.takeNewestOfLongest(one.queue));
        } else {
          const isDue = (item: number): boolean => item < one.before;
          assert.deepEqual(queues.takeDue(isDue), model.takeDue(isDue));
        }
        assert.equal(queues.size, model.items.length);
        assert.equal(queues.count, model.turns.length);
        for (const name of names) assert.equal(queues.lengthOf(name), model.of(name).length);
        assert.equal(queues.longest, Math.max(...names.map((name) => model.of(name).length)));
      }
    }),
  );
});
