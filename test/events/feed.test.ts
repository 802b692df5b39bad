import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { startFeedEpoch } from '../../src/database/epoch.ts';
import { testSideOf } from '../../src/database/sides.ts';
import type { ClientEvent, EventData } from '../../src/events/event-types.ts';
import { recordEvent } from '../../src/events/record-event.ts';
import { forEachEngine } from '../support/engines.ts';
import { type EventPage, FeedReader, untilNumbered } from '../support/events.ts';
import { expectError, unrecognized } from '../support/expect.ts';
import { createKey } from '../support/keys.ts';
import { type TestMerchant, useService } from '../support/service.ts';

const idsOf = (events: readonly ClientEvent[]): string[] =>
  events.map(({ data }) => (data as EventData['key.created']).id);
const GONE = /^after: events after this cursor are no longer kept, .* take a new cursor with after=now/;

forEachEngine((engine) => {
  const service = useService(engine);
  let token: string;
  let merchant: TestMerchant;
  before(async () => {
    token = await service().newOperatorToken(['events']);
    merchant = await service().newMerchant();
  });
  const get = (query: string) => service().operator('GET', `/events?${query}`, token);
  const newKeys = async (count: number): Promise<string[]> => {
    const ids: string[] = [];
    for (let each = 0; each < count; each += 1) ids.push((await service().newKey(merchant)).id);
    return ids;
  };

  describe('GET /events', () => {
    it('lists each event once, however large the pages are, and waits for more at the end', async () => {
      const feed = await FeedReader.open(service());
      const start = feed.cursor;
      const ids = await newKeys(7);
      for (const limit of [1, 3, 7, 200]) {
        feed.cursor = start;
        assert.deepEqual(idsOf(await feed.read(limit)), ids);
        const empty = await feed.page();
        assert.deepEqual(empty, { results: [], next: feed.cursor, more: false });
      }
    });

    it('says that there is more only if there is', async () => {
      const feed = await FeedReader.open(service());
      const start = feed.cursor;
      await newKeys(3);
      await untilNumbered(service());
      assert.equal((await feed.page({ limit: 2 })).more, true);
      assert.equal((await feed.page({ limit: 2 })).more, false);
      feed.cursor = start;
      assert.equal((await feed.page({ limit: 3 })).more, false);
    });

    it('begins with the oldest event with after=start or without after, and with the next one with after=now', async () => {
      await untilNumbered(service());
      const all = (await get('after=start&limit=1')).json<EventPage>();
      assert.deepEqual((await get('limit=1')).json(), all);
      assert.equal(all.results[0]?.type, 'key.created');
      assert.equal(all.results[0]?.merchant, null, 'the key of this test is the first event');
      const now = (await get('after=now')).json<EventPage>();
      assert.deepEqual(now.results, []);
      const [id] = await newKeys(1);
      await untilNumbered(service());
      const next = (await get(`after=${now.next}`)).json<EventPage>();
      assert.deepEqual(idsOf(next.results), [id]);
    });

    it('has the merchant’s external ID, and tells events of test data', async () => {
      const feed = await FeedReader.open(service());
      const created = await service().operator(
        'PUT',
        '/merchants/seller-9',
        await service().newOperatorToken(['merchants']),
        { json: { name: 'Nine' } },
      );
      const { id } = created.json<{ id: number }>();
      await service().newTestKey({ id, keyId: '', token: '' });
      const events = (await feed.read()).filter((event) => event.merchant === 'seller-9');
      assert.deepEqual(events.map(({ type, test }) => [type, test]).toSorted(), [
        ['key.created', true],
        ['merchant.created', false],
      ]);
    });

    it('304: if nothing has happened since', async () => {
      await untilNumbered(service());
      const first = await get('after=start&limit=2');
      const headers = { 'if-none-match': first.header('etag') };
      const again = await service().operator('GET', '/events?after=start&limit=2', token, { headers });
      assert.equal(again.status, 304);
    });

    it('400: names a parameter that is invalid', async () => {
      const merchantCursor = (await service().get('/products', merchant, { changed_since: 'start' })).json<{
        cursor: string;
      }>().cursor;
      for (const [query, pattern] of [
        ['limit=0', /^limit: expected a whole number from 1 to 200/],
        ['limit=201', /^limit: expected a whole number from 1 to 200/],
        ['after=yesterday', /^after: /],
        [`after=${merchantCursor}`, /^after: /],
        ['since=start', unrecognized('since')],
      ] as const)
        expectError(await get(query), 400, pattern);
    });

    it('an event has at most 20 kB, whatever is recorded', async () => {
      const feed = await FeedReader.open(service());
      const large = (bytes: number): EventData['webhook.disabled'] => ({
        id: '1',
        url: 'x'.repeat(bytes),
        reason: 'gone',
      });
      const record = (bytes: number): Promise<void> =>
        service().database.transaction(async (connection) => {
          recordEvent(
            { connection, merchantId: merchant.id, now: service().now() },
            { type: 'webhook.disabled', data: large(bytes) },
          );
        });
      await assert.rejects(record(18_001), /has more than 18000 bytes/);
      await record(17_900);
      const [event] = await feed.read();
      assert.ok(Buffer.byteLength(JSON.stringify(event)) <= 20_000);
    });
  });

  describe('a cursor', () => {
    it('410: from before the database was restored, and then the feed continues with a new one', async () => {
      const feed = await FeedReader.open(service());
      const old = feed.cursor;
      await newKeys(1);
      await service().database.transaction(startFeedEpoch);
      expectError(await get(`after=${old}`), 410, GONE);
      feed.cursor = 'now';
      await feed.read();
      const [id] = await newKeys(1);
      assert.deepEqual(idsOf(await feed.read()), [id]);
    });
  });

  describe('events of several merchants', () => {
    it('each have the merchant they concern, and none is mixed up with a test side', async () => {
      const merchants = await Promise.all([1, 2, 3].map(() => service().newMerchant()));
      const feed = await FeedReader.open(service());
      const expected = new Map<string, string[]>();
      await Promise.all(
        merchants.flatMap(({ id }) =>
          [id, testSideOf(id)].map(async (side) => {
            if (side < 0) await service().newTestKey({ id, keyId: '', token: '' });
            const names = Array.from({ length: 20 }, (_, index) => `${side} no. ${index}`);
            for (const name of names) await createKey(service(), { merchantId: side, name, expiresAt: null });
            expected.set(`${id} ${side < 0}`, names);
          }),
        ),
      );
      const found = new Map<string, string[]>();
      for (const { merchant: external, test, data } of await feed.read()) {
        const { name } = data as EventData['key.created'];
        if (name === 'test') continue;
        const names = found.get(`${external} ${test}`) ?? [];
        found.set(`${external} ${test}`, [...names, name]);
      }
      assert.deepEqual(Object.fromEntries(found), Object.fromEntries(expected));
    });
  });
});
