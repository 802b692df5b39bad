import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { intercept } from '../../src/database/intercept.ts';
import { OPERATOR_ID } from '../../src/database/sides.ts';
import { statement } from '../../src/database/statement.ts';
import { EventNumbering, type NumberingTasks } from '../../src/event-feed/event-numbering.ts';
import { Lease, LeaseLost } from '../../src/event-feed/lease.ts';
import { listEvents } from '../../src/event-feed/list-events.ts';
import { EventMover } from '../../src/event-feed/number-events.ts';
import { leaseStatements } from '../../src/event-feed/queries.ts';
import { recordEvents } from '../../src/events/record-event.ts';
import { Metrics } from '../../src/observability/metrics.ts';
import { forEachEngine } from '../support/engines.ts';
import { countWaiting } from '../support/events.ts';
import { type TestDatabase, useDatabase } from '../support/test-database.ts';
import { until } from '../support/until.ts';

const setLeaseEnd = statement<{ end: number }, never>('UPDATE event_feed SET lease_until = :end');
const listNumbers = statement<unknown, { number: number; merchant_id: number; data: string }>(
  'SELECT number, merchant_id, data FROM events ORDER BY number',
);
const findLeaseEnd = statement<unknown, { lease_until: number }>('SELECT lease_until FROM event_feed');
/** Everything that is numbered. */
const clearing = ['outbox', 'events', 'event_feed'].map((table) =>
  statement<unknown, never>(`DELETE FROM ${table}`),
);
const nothing = async (): Promise<void> => {};
/** Later than any time of the database's clock. */
const NEVER = 2 ** 53 - 1;

class Node {
  readonly lease: Lease;
  readonly mover: EventMover;

  constructor({ database }: Pick<TestDatabase, 'database'>, durationMs?: number) {
    this.lease = new Lease(database, durationMs);
    this.mover = new EventMover(database, (connection) => this.lease.hold(connection));
  }

  async moveAll(): Promise<number> {
    for (let total = 0; ; ) {
      const { moved, more } = await this.mover.moveBatch();
      total += moved;
      if (!more) return total;
    }
  }
}

async function record({ database, now }: TestDatabase, merchantId: number, count: number): Promise<void> {
  const events = Array.from({ length: count }, (_, index) => ({
    type: 'merchant.created' as const,
    data: { name: String(index) },
  }));
  await database.transaction(async (connection) =>
    recordEvents({ connection, merchantId, now: now() }, events),
  );
}

forEachEngine((engine) => {
  const opened = useDatabase(engine);
  beforeEach(() =>
    opened().database.transaction(async (connection) => {
      for (const table of clearing) await connection.run(table);
    }),
  );
  const waiting = async ({ database }: TestDatabase): Promise<number | undefined> =>
    (await database.first(countWaiting))?.waiting;

  const numberingOf = ({ database, now }: TestDatabase, tasks: Partial<NumberingTasks>): EventNumbering =>
    new EventNumbering({
      database,
      now,
      tasks: {
        announceChanges: nothing,
        announceInterrupted: nothing,
        continueRenames: nothing,
        releaseExpired: nothing,
        checkImages: nothing,
        renewCertificate: nothing,
        readReleaseFeed: nothing,
        deliver: nothing,
        deleteDeliveries: nothing,
        runHourly: nothing,
        ...tasks,
      },
      retentionMs: 1,
      onError: (error) => assert.fail(String(error)),
      metrics: new Metrics(),
      onNumbered: () => {},
    });

  for (const task of ['runHourly', 'releaseExpired'] as const) {
    it(`events are numbered while ${task} takes long, and it is told to stop with the process`, async () => {
      const store = opened();
      const { id } = await store.newMerchant();
      const begun = Promise.withResolvers<() => boolean>();
      const done = Promise.withResolvers<void>();
      const numbering = numberingOf(store, {
        [task]: async (isStopping: () => boolean) => {
          begun.resolve(isStopping);
          await done.promise;
        },
      });
      numbering.start();
      const isStopping = await begun.promise;
      await record(store, id, 3);
      await until(async () => (await waiting(store)) === 0);
      assert.equal(isStopping(), false);
      const closed = numbering.close();
      assert.equal(isStopping(), true);
      done.resolve();
      await closed;
    });
  }

  it('expired placements are released again and again while an announcement takes long', async () => {
    const store = opened();
    const done = Promise.withResolvers<void>();
    let [announcements, releases] = [0, 0];
    const numbering = numberingOf(store, {
      announceChanges: async () => {
        announcements += 1;
        await done.promise;
      },
      releaseExpired: async () => {
        releases += 1;
      },
    });
    numbering.start();
    await until(() => releases === 3);
    assert.equal(announcements, 1);
    done.resolve();
    await numbering.close();
  });

  it('expired placements are released by one process, which stops when it loses the lease', async () => {
    const store = opened();
    const setHolder = statement<unknown, never>(
      "UPDATE event_feed SET holder = 'another process', lease_until = lease_until + 40000000",
    );
    const begun = Promise.withResolvers<() => boolean>();
    const done = Promise.withResolvers<void>();
    const one = numberingOf(store, {
      releaseExpired: async (isStopping) => {
        begun.resolve(isStopping);
        await done.promise;
      },
    });
    const other = numberingOf(store, { releaseExpired: () => assert.fail('without the lease') });
    one.start();
    const isStopping = await begun.promise;
    other.start();
    await store.database.transaction((connection) => connection.run(setHolder));
    await record(store, 1, 1);
    await until(isStopping);
    done.resolve();
    await Promise.all([one.close(), other.close()]);
  });

  describe('the lease', () => {
    it('one of many processes gets it, and keeps it', async () => {
      const store = opened();
      const nodes = Array.from({ length: 8 }, () => new Node(store));
      const take = () => Promise.all(nodes.map(({ lease }) => lease.take()));
      const first = await take();
      assert.equal(first.filter((isTaken) => isTaken).length, 1);
      assert.deepEqual(await take(), first);
    });

    it('another process takes it when it has expired by the clock of the database, and not before', async () => {
      const store = opened();
      const [one, other] = [new Node(store), new Node(store)];
      const setEnd = (end: number) =>
        store.database.transaction((connection) => connection.run(setLeaseEnd, { end }));
      assert.equal(await one.lease.take(), true);
      // The clocks of these processes do not matter.
      store.passTime(365 * 24 * 60 * 60_000);
      assert.equal(await other.lease.take(), false);
      await setEnd(1);
      assert.equal(await other.lease.take(), true);
    });

    it('another process takes it if it ends so late that the clock of the database must have been wrong', async () => {
      const store = opened();
      const [one, other] = [new Node(store), new Node(store)];
      await one.lease.take();
      await record(store, 1, 1);
      await store.database.transaction((connection) => connection.run(setLeaseEnd, { end: NEVER }));
      assert.equal(await other.lease.take(), true);
      await assert.rejects(one.mover.moveBatch(), LeaseLost);
      assert.equal(await other.moveAll(), 1);
    });

    it('a process that stays alive extends it', async () => {
      const store = opened();
      const node = new Node(store);
      await node.lease.take();
      const end = async (): Promise<number> =>
        (await store.database.first(findLeaseEnd))?.lease_until ?? Number.NaN;
      const before = await end();
      await record(store, 1, 1);
      await node.moveAll();
      assert.ok((await end()) > before);
    });

    it('another process takes it at once when it is released', async () => {
      const store = opened();
      const [one, other] = [new Node(store), new Node(store)];
      await one.lease.take();
      assert.equal(await other.lease.take(), false);
      await one.lease.release();
      assert.equal(await other.lease.take(), true);
      await one.lease.release();
      assert.equal(other.lease.isHeld, true);
      assert.equal(await one.lease.take(), false, 'a process without it cannot release it');
    });

    it('a former holder cannot number anything, also while no other process has it', async () => {
      const store = opened();
      const [one, other] = [new Node(store), new Node(store)];
      await one.lease.take();
      await record(store, 1, 3);
      await store.database.transaction((connection) => connection.run(setLeaseEnd, { end: 1 }));
      await assert.rejects(one.mover.moveBatch(), LeaseLost);
      await other.lease.take();
      await assert.rejects(one.mover.moveBatch(), LeaseLost);
      assert.equal(one.lease.isHeld, false);
      assert.deepEqual(await store.database.all(listNumbers), []);
      assert.equal(await other.moveAll(), 3);
    });

    it('a holder that is slower than its lease finishes its batch before the next one begins', async () => {
      const store = opened();
      const { database } = store;
      const slow = new Node(store, 20);
      const next = new Node(store, 60_000);
      await until(() => slow.lease.take());
      await record(store, 1, 5);
      const isLate = Promise.withResolvers<void>();
      const released = Promise.withResolvers<void>();
      // A batch that stops after it has read the last number.
      const mover = new EventMover(database, async (connection) => {
        const number = await slow.lease.hold(connection);
        isLate.resolve();
        await released.promise;
        return number;
      });
      const moveSlowly = async (): Promise<number> => {
        for (;;) {
          try {
            return (await mover.moveBatch()).moved;
          } catch (error) {
            if (!(error instanceof LeaseLost)) throw error;
            await slow.lease.take();
          }
        }
      };
      const moving = moveSlowly();
      await isLate.promise;
      const { findState } = leaseStatements(database.dialect);
      await until(async () => (await database.first(findState, { holder: 'next' }))?.available === 1);
      const taking = until(() => next.lease.take());
      released.resolve();
      assert.equal(await moving, 5);
      await taking;
      await record(store, 1, 2);
      assert.equal(await next.moveAll(), 2);
      const numbers = (await database.all(listNumbers)).map(({ number }) => number);
      assert.deepEqual(numbers, [1, 2, 3, 4, 5, 6, 7]);
    });
  });

  describe('numbering', () => {
    it('gives consecutive numbers to all events, each merchant’s in the order in which they were written', async () => {
      const store = opened();
      const node = new Node(store);
      await node.lease.take();
      for (let round = 0; round < 3; round += 1) for (const id of [3, -3, 1]) await record(store, id, 250);
      assert.equal(await node.moveAll(), 9 * 250);
      assert.equal(await waiting(store), 0);
      const rows = await store.database.all(listNumbers);
      assert.deepEqual(
        rows.map(({ number }) => number),
        rows.map((_, index) => index + 1),
      );
      for (const id of [3, -3, 1]) {
        const names = rows
          .filter(({ merchant_id }) => merchant_id === id)
          .map(({ data }) => Number(JSON.parse(data).name));
        assert.deepEqual(
          names,
          Array.from({ length: 750 }, (_, index) => index % 250),
        );
      }
    });

    it('a merchant with many events delays others by one batch at most', async () => {
      const store = opened();
      const node = new Node(store);
      await node.lease.take();
      await record(store, 5, 2_000);
      for (const id of [-9, 9]) await record(store, id, 1);
      const seen = new Set<number>();
      for (let batch = 0; batch < 2; batch += 1) await node.mover.moveBatch();
      for (const { merchant_id } of await store.database.all(listNumbers)) seen.add(merchant_id);
      assert.deepEqual(seen, new Set([-9, 5, 9]));
    });

    it('a batch that fails numbers nothing, and its events wait', async () => {
      const store = opened();
      let isFailing = false;
      const database = intercept(store.database, {
        transaction: (work, options) =>
          store.database.transaction(async (connection) => {
            const result = await work(connection);
            if (isFailing) throw new Error('failed at its end');
            return result;
          }, options),
      });
      const node = new Node({ database });
      await node.lease.take();
      await record(store, 1, 600);
      isFailing = true;
      await assert.rejects(node.mover.moveBatch(), /failed at its end/);
      assert.deepEqual(await store.database.all(listNumbers), []);
      assert.equal(await waiting(store), 600);
      isFailing = false;
      assert.equal(await node.moveAll(), 600);
      const { events } = await listEvents(store.database, OPERATOR_ID, { after: 'start', limit: 200 });
      assert.equal(events.length, 200);
    });
  });
});
