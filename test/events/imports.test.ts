import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { ClientEvent } from '../../src/events/event-types.ts';
import { insertImport } from '../../src/imports/queries.ts';
import { signedIn } from '../support/console.ts';
import { checkFile, importFile, productLines } from '../support/console-imports.ts';
import { forEachEngine } from '../support/engines.ts';
import { FeedReader } from '../support/events.ts';
import { importFileByApi, postFile, retrieveImport, untilEnded } from '../support/imports.ts';
import { type TestMerchant, useService } from '../support/service.ts';
import { until } from '../support/until.ts';

type Finished = Extract<ClientEvent, { type: 'import.finished' }>;

forEachEngine((engine) => {
  const service = useService(engine, { environment: { MAX_UPLOAD: '8' }, pollMs: 0 });
  const finished = async (feed: FeedReader, merchant: TestMerchant): Promise<Finished['data'][]> =>
    (await feed.readOf(merchant)).flatMap((event) => (event.type === 'import.finished' ? [event.data] : []));
  /** The last report of a step may come after the record of its end. */
  const untilFinished = async (feed: FeedReader, merchant: TestMerchant): Promise<Finished['data']> => {
    const [event, ...others] = await until(async () => {
      const events = await finished(feed, merchant);
      return events.length > 0 && events;
    });
    assert.deepEqual(others, []);
    return event ?? assert.fail();
  };

  describe('import.finished', () => {
    it('has the counts of a file that was sent to the API', async () => {
      const merchant = await service().newMerchant();
      const feed = await FeedReader.open(service());
      const file = 'identifier,cost_basis\nP-1,3\nP-2,much\nP-3,4\n';
      const { id, name } = await importFileByApi(service(), merchant, file);
      assert.deepEqual(await untilFinished(feed, merchant), {
        id,
        name,
        state: 'done',
        failure: null,
        created: 2,
        updated: 0,
        unchanged: 0,
        rejected: 1,
      });
    });

    it('is recorded for a file that was imported in the console, and not for one that was only checked', async () => {
      const merchant = await service().newMerchant();
      const console = await signedIn(service(), merchant);
      const feed = await FeedReader.open(service());
      const { id } = await importFile(console, 'shop.ndjson', productLines(3));
      const event = await untilFinished(feed, merchant);
      assert.deepEqual([event.id, event.name, event.state, event.created], [id, 'shop.ndjson', 'done', 3]);
      await checkFile(console, 'checked.ndjson', productLines(3));
      await importFileByApi(service(), merchant, productLines(3), {
        query: { dry_run: 'true' },
        headers: { 'content-type': 'application/x-ndjson' },
      });
      await service().newKey(merchant);
      assert.deepEqual(await finished(feed, merchant), []);
    });

    it('says why an import failed', async () => {
      const merchant = await service().newMerchant();
      const feed = await FeedReader.open(service());
      const cutOff = gzipSync(productLines(5_000)).subarray(0, -1_000);
      const record = await importFileByApi(service(), merchant, cutOff, {
        headers: { 'content-type': 'application/gzip' },
      });
      assert.equal(record.status, 'failed');
      const event = await untilFinished(feed, merchant);
      assert.deepEqual([event.state, event.failure], ['failed', record.failure]);
    });

    it('is recorded when an import is canceled', async () => {
      const merchant = await service().newMerchant();
      const feed = await FeedReader.open(service());
      const response = await postFile(service(), merchant, productLines(30_000), {
        headers: { 'content-type': 'application/x-ndjson' },
      });
      const { id } = response.json<{ id: string }>();
      const form = { access_token: merchant.token, id };
      assert.equal((await service().request('POST', '/imports/cancel', { form })).status, 200);
      assert.equal((await untilEnded(service(), merchant, id)).status, 'canceled');
      const event = await untilFinished(feed, merchant);
      assert.deepEqual([event.id, event.state, event.failure], [id, 'canceled', null]);
    });

    it('is recorded when the process of an import is gone', async () => {
      const merchant = await service().newMerchant();
      const feed = await FeedReader.open(service());
      const id = '0198a2b4-7c1e-7f00-9d3a-5b6c7d8e9f00';
      const row = {
        id,
        name: 'catalog.csv',
        bytes: 1,
        dryRun: 0,
        isBulk: 0,
        reading: null,
        createdBy: 'x',
        state: 'importing',
      } as const;
      await service().database.transaction((connection) =>
        connection.run(insertImport, { ...row, merchantId: merchant.id, now: service().now() - 60_000 }),
      );
      const event = await untilFinished(feed, merchant);
      assert.equal(event.state, 'failed');
      assert.match(event.failure ?? '', /^The import was interrupted/);
      const record = await retrieveImport(service(), merchant, id);
      assert.deepEqual([record.status, record.failure], ['failed', event.failure]);
      assert.notEqual(record.finished_at, null);
    });
  });
});
