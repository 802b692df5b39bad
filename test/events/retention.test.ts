import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Database } from '../../src/database/database.ts';
import { intercept } from '../../src/database/intercept.ts';
import { OPERATOR_ID } from '../../src/database/sides.ts';
import { statement } from '../../src/database/statement.ts';
import { DomainError } from '../../src/errors/domain-error.ts';
import { deleteOldEvents } from '../../src/event-feed/delete-old-events.ts';
import { Lease } from '../../src/event-feed/lease.ts';
import { listEvents } from '../../src/event-feed/list-events.ts';
import { EventMover } from '../../src/event-feed/number-events.ts';
import { recordEvents } from '../../src/events/record-event.ts';
import { forEachEngine } from '../support/engines.ts';
import type { EventPage } from '../support/events.ts';
import { expectError } from '../support/expect.ts';
import { temporaryDirectory } from '../support/process.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { onDatabase } from '../support/stored.ts';
import { TestDatabase } from '../support/test-database.ts';
import { until } from '../support/until.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const findOldest = statement<unknown, { number: number }>('SELECT min(number) AS number FROM events');
const countEvents = statement<unknown, { count: number }>(
  'SELECT CAST(count(*) AS integer) AS count FROM events',
);

async function record(database: Database, occurredAt: number, count: number): Promise<void> {
  const events = Array.from({ length: count }, (_, index) => ({
    type: 'merchant.created' as const,
    data: { name: String(index) },
  }));
  await database.transaction(async (connection) =>
    recordEvents({ connection, merchantId: 1, now: occurredAt }, events),
  );
}

forEachEngine((engine) => {
  it('old events are deleted, a thousand per transaction at most, and all after the first newer one are kept', async (t) => {
    const store = await TestDatabase.open(engine);
    t.after(() => store.close());
    const { database, now } = store;
    const lease = new Lease(database);
    const mover = new EventMover(database, (connection) => lease.hold(connection));
    await lease.take();
    const old = now() - 1;
    for (const [occurredAt, count] of [
      [old, 2_300],
      [now(), 2],
      [old, 1],
    ] as const)
      await record(database, occurredAt, count);
    for (let more = true; more; ) ({ more } = await mover.moveBatch());
    const page = await listEvents(database, OPERATOR_ID, { after: 'start', limit: 200 });
    const count = async (): Promise<number> => (await database.first(countEvents))?.count ?? 0;
    assert.equal(await count(), 2_303);

    const counts: number[] = [];
    let holds = 0;
    for (let more = true; more; ) {
      more = await deleteOldEvents(database, now(), async (connection) => {
        holds += 1;
        await lease.hold(connection);
      });
      counts.push(await count());
    }
    assert.deepEqual(counts, [1_303, 303, 3]);
    assert.equal(holds, 3, 'only the process with the lease deletes');
    assert.equal(await deleteOldEvents(database, now(), () => assert.fail('nothing to delete')), false);

    await assert.rejects(
      listEvents(database, OPERATOR_ID, { after: page.next, limit: 10 }),
      (error) => error instanceof DomainError && error.code === 'events_expired',
    );
    const kept = await listEvents(database, OPERATOR_ID, { after: 'start', limit: 10 });
    assert.equal(kept.events.length, 3);
    assert.deepEqual((await listEvents(database, OPERATOR_ID, { after: kept.next, limit: 10 })).events, []);
  });

  it('410: if events are deleted while a page is read', async (t) => {
    const store = await TestDatabase.open(engine);
    t.after(() => store.close());
    const { database, now } = store;
    const lease = new Lease(database);
    await lease.take();
    await record(database, now() - 1, 3);
    await record(database, now(), 1);
    await new EventMover(database, (connection) => lease.hold(connection)).moveBatch();
    const { next } = await listEvents(database, OPERATOR_ID, { after: 'start', limit: 1 });
    const deleting = intercept(database, {
      all: async (statement, ...parameters) => {
        await deleteOldEvents(database, now(), (connection) => lease.hold(connection));
        return await database.all(statement, ...parameters);
      },
    });
    await assert.rejects(
      listEvents(deleting, OPERATOR_ID, { after: next, limit: 10 }),
      (error) => error instanceof DomainError && error.code === 'events_expired',
    );
  });

  it('410: a cursor older than EVENT_RETENTION', async (t) => {
    const environment = {
      DATA_DIR: await temporaryDirectory(t),
      EVENT_RETENTION: '3',
      ...(await engine.environment()),
    };
    const same = { ...engine, environment: async () => environment };
    const oldestOf = async ({ database }: TestService): Promise<number | undefined> =>
      (await database.first(findOldest))?.number;
    await onDatabase(environment, async (database) => {
      await record(database, Date.now() - 3 * DAY_MS - 60_000, 3);
      await record(database, Date.now() - 3 * DAY_MS + 60_000_000, 1);
    });
    const first = await startTestService(same);
    t.after(() => first.stop());
    await until(async () => (await oldestOf(first)) === 1);
    const token = await first.newOperatorToken(['events']);
    const { next } = (await first.operator('GET', '/events?after=start&limit=1', token)).json<EventPage>();
    await first.stop();

    // A process deletes old events when it begins to number events, and then once an hour.
    await using second = await startTestService(same);
    await until(async () => (await oldestOf(second)) === 4);
    const get = (after: string) => second.operator('GET', `/events?after=${after}`, token);
    expectError(await get(next), 410, /^after: events after this cursor are no longer kept/);
    assert.equal((await get('start')).status, 200);
  });
});
