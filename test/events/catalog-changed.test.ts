import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { statement } from '../../src/database/statement.ts';
import type { ClientEvent } from '../../src/events/event-types.ts';
import { announceChanges } from '../../src/products/changes/announce-changes.ts';
import type { Product } from '../../src/products/record/product.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import { forEachEngine } from '../support/engines.ts';
import { FeedReader } from '../support/events.ts';
import { Mirror } from '../support/follow.ts';
import { newRandom } from '../support/seed.ts';
import { type TestMerchant, useService } from '../support/service.ts';
import { useDatabase } from '../support/test-database.ts';
import { until } from '../support/until.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const countAnnouncements = statement<{ merchantId: number }, { count: number }>(
  `SELECT CAST(count(*) AS integer) AS count FROM outbox
   WHERE merchant_id = :merchantId AND type = 'catalog.changed'`,
);
const findMark = statement<{ merchantId: number }, { unannounced: number }>(
  'SELECT unannounced FROM merchant_counters WHERE merchant_id = :merchantId',
);

type Changed = Extract<ClientEvent, { type: 'catalog.changed' }>;
const isChange = (event: ClientEvent): event is Changed => event.type === 'catalog.changed';

forEachEngine((engine) => {
  describe('the number of events', () => {
    const opened = useDatabase(engine);
    const announced = async (minutes: number): Promise<number> => {
      const store = opened();
      const merchant = await store.newMerchant();
      for (let second = 0; second < minutes * 60; second += 1) {
        if (second % 2 === 0) await importDrafts(store, merchant, [[draft('P', { title: String(second) })]]);
        await announceChanges(store);
        store.passTime(SECOND_MS);
      }
      return (
        (await store.database.first(countAnnouncements, { merchantId: merchant.id }))?.count ?? Number.NaN
      );
    };

    it('is small for a burst: at most 20 for a catalog that changes for ten minutes', async () => {
      const count = await announced(10);
      assert.ok(count >= 10 && count <= 20, String(count));
    });

    it('is one at once for a single change, also soon after another one', async () => {
      const store = opened();
      const { id } = await store.newMerchant();
      const change = async (title: string): Promise<number> => {
        await importDrafts(store, { id }, [[draft('P', { title })]]);
        await announceChanges(store);
        return (await store.database.first(countAnnouncements, { merchantId: id }))?.count ?? 0;
      };
      assert.equal(await change('A'), 1);
      assert.equal(await change('B'), 1, 'within a second');
      store.passTime(SECOND_MS);
      await announceChanges(store);
      assert.equal(await change('B'), 2);
      store.passTime(10 * MINUTE_MS);
      assert.equal(await change('C'), 3, 'after a pause, at once');
    });

    it('is none for changes of nothing, of campaigns and of other merchants', async () => {
      const store = opened();
      const [one, other] = [await store.newMerchant(), await store.newMerchant()];
      for (let round = 0; round < 3; round += 1) {
        await importDrafts(store, one, [[draft('P')]]);
        store.passTime(MINUTE_MS);
        await announceChanges(store);
      }
      for (const [{ id }, expected] of [
        [one, 1],
        [other, 0],
      ] as const)
        assert.equal((await store.database.first(countAnnouncements, { merchantId: id }))?.count, expected);
    });
  });

  describe('the service', () => {
    const service = useService(engine);
    const untilAnnounced = ({ id }: { id: number }): Promise<unknown> =>
      until(async () => {
        // The intervals are of the service’s clock.
        service().passTime(MINUTE_MS);
        return (await service().database.first(findMark, { merchantId: id }))?.unannounced === 0;
      });
    const since = async (merchant: TestMerchant, cursor: string): Promise<string[]> => {
      const response = await service().get('/products', merchant, { changed_since: cursor });
      assert.equal(response.status, 200, response.text);
      return response.json<{ results: Product[] }>().results.map(({ identifier }) => identifier);
    };

    it('an event’s cursor returns exactly the changes since the event before', async () => {
      const merchant = await service().newMerchant();
      const feed = await FeedReader.open(service());
      const next = async (): Promise<Changed> => {
        await untilAnnounced(merchant);
        const events = (await feed.readOf(merchant)).filter(isChange);
        assert.equal(events.length, 1);
        return events[0] ?? assert.fail();
      };
      await importDrafts(service(), merchant, [['A', 'B', 'C'].map((name) => draft(name))]);
      const first = await next();
      assert.deepEqual(await since(merchant, first.data.changed_since), ['A', 'B', 'C']);
      await importDrafts(service(), merchant, [[draft('D'), draft('B', { title: 'changed' }), draft('A')]]);
      const second = await next();
      assert.deepEqual((await since(merchant, second.data.changed_since)).toSorted(), ['B', 'D']);
      assert.ok((second.revision ?? 0) > (first.revision ?? 0));
      assert.deepEqual(
        (await since(merchant, first.data.changed_since)).toSorted(),
        ['A', 'B', 'C', 'D'],
        'an older cursor returns all changes since then',
      );
    });

    it('a test side has events and cursors of its own', async () => {
      const merchant = await service().newMerchant();
      const { token } = await service().newTestKey(merchant);
      const feed = await FeedReader.open(service());
      const form = { access_token: token, identifier: 'TEST', title: 'T' };
      assert.equal((await service().request('POST', '/products', { form })).status, 200);
      await untilAnnounced({ id: -merchant.id });
      const [event] = (await feed.readOf(merchant)).filter(isChange);
      assert.equal(event?.test, true);
      const cursor = event?.data.changed_since ?? '';
      const response = await service().get('/products', { token }, { changed_since: cursor });
      assert.equal(response.json<{ results: unknown[] }>().results.length, 1);
      assert.equal((await service().get('/products', merchant, { changed_since: cursor })).status, 400);
    });

    it('a copy that reads changes only after events, from their cursors, becomes equal to the catalog', async () => {
      const merchant = await service().newMerchant();
      const feed = await FeedReader.open(service());
      const random = newRandom();
      let isWriting = true;
      let events = 0;
      const write = async (): Promise<void> => {
        for (let round = 0; round < 40 || events < 2; round += 1) {
          const drafts = Array.from({ length: 5 }, () =>
            draft(`P-${random.whole(0, 30)}`, { title: String(random.whole(0, 1e9)) }),
          );
          await importDrafts(service(), merchant, [drafts]);
        }
      };
      const mirror = new Mirror(service(), merchant);
      const follow = async (): Promise<void> => {
        for (const event of (await feed.page()).results) {
          if (!isChange(event) || event.merchant !== String(merchant.id)) continue;
          events += 1;
          mirror.cursor = event.data.changed_since;
          await mirror.follow(7);
        }
        // Events of a burst come at once, because the time of their intervals has passed.
        service().passTime(MINUTE_MS);
      };
      const following = (async () => {
        while (isWriting) await follow();
      })();
      await Promise.all([write(), write()]);
      isWriting = false;
      await following;
      await untilAnnounced(merchant);
      const whole = new Mirror(service(), merchant);
      await whole.follow(1_000);
      await until(async () => {
        await follow();
        try {
          assert.deepEqual(mirror.inOrder(), whole.inOrder());
          return true;
        } catch {
          return false;
        }
      });
    });
  });
});
