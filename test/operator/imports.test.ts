import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { before, describe, it } from 'node:test';
import { statement } from '../../src/database/statement.ts';
import { endInterruptedImports } from '../../src/imports/end-interrupted-imports.ts';
import type { ImportKey } from '../../src/imports/import-files.ts';
import { insertImport } from '../../src/imports/queries.ts';
import type { MerchantImport, MerchantImportPage } from '../../src/operator/imports/import-schema.ts';
import { auditLogOf, whoOf } from '../support/audit.ts';
import { signedIn } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { importFileByApi, retrieveImport } from '../support/imports.ts';
import { type TestMerchant, useService } from '../support/service.ts';

const setState = statement<ImportKey & { state: string; progress: number; format: string | null }, never>(
  `UPDATE imports SET state = :state, progress = :progress, format = :format
   WHERE merchant_id = :merchantId AND id = :id`,
);

forEachEngine((engine) => {
  const service = useService(engine);
  let token: string;
  let merchant: TestMerchant;

  before(async () => {
    token = await service().newOperatorToken(['catalog']);
    merchant = await service().newMerchant();
  });

  const list = async (query: Record<string, string> = {}): Promise<MerchantImportPage> => {
    const response = await service().operator('GET', `/imports?${new URLSearchParams(query)}`, token);
    assert.equal(response.status, 200, response.text);
    return response.json<MerchantImportPage>();
  };
  const idsOf = async (query: Record<string, string> = {}): Promise<string[]> =>
    (await list(query)).results.map(({ id }) => id);

  /** The IDs of one millisecond are in no order. */
  const newestFirst = (...ids: string[]): string[] => ids.toSorted().reverse();

  /** Stores an import that no process works on. */
  async function store(
    { id: merchantId }: { id: number },
    change: { state?: string; progress?: number; format?: string | null; isBulk?: number } = {},
  ): Promise<string> {
    const { state = 'importing', progress = 0, format = null, isBulk = 0 } = change;
    const id = randomUUIDv7();
    const stored = { merchantId, id, name: 'stock.csv', bytes: 9, state: 'importing', isBulk } as const;
    await service().database.transaction(
      async (connection) => {
        await connection.run(insertImport, {
          ...stored,
          dryRun: 0,
          reading: null,
          createdBy: 'key 1-1',
          now: service().now(),
        });
        await connection.run(setState, { merchantId, id, state, progress, format });
      },
      { merchantId },
    );
    return id;
  }

  describe('the imports of all merchants', () => {
    it('are listed newest first, by state and by source, page by page', async () => {
      const other = await service().newMerchant();
      const { id: done } = await importFileByApi(service(), merchant, 'identifier,title\nPOT-1,Pot\n');
      const waiting = await store(other);
      const running = await store(merchant, { progress: 0.5, format: 'shopify' });
      const failed = await store(other, { state: 'failed', format: 'csv' });
      const bulk = await store(merchant, { state: 'done', format: 'ndjson', isBulk: 1 });
      const test = await store({ id: -merchant.id }, { state: 'done', format: 'ndjson' });
      assert.deepEqual(await idsOf(), newestFirst(test, bulk, failed, running, waiting, done));
      assert.deepEqual(await idsOf({ state: 'waiting' }), [waiting]);
      assert.deepEqual(await idsOf({ state: 'running' }), [running]);
      assert.deepEqual(await idsOf({ state: 'finished' }), newestFirst(test, bulk, failed, done));
      assert.deepEqual(await idsOf({ state: 'failed' }), [failed]);
      assert.deepEqual(await idsOf({ source: 'csv' }), newestFirst(failed, done));
      assert.deepEqual(await idsOf({ source: 'csv', state: 'failed' }), [failed]);
      assert.deepEqual(await idsOf({ source: 'ndjson' }), [test]);
      assert.deepEqual(await idsOf({ source: 'bulk' }), [bulk]);
      const pages: string[] = [];
      let next: string | null = '';
      while (next !== null) {
        const page: MerchantImportPage = await list({ limit: '4', ...(next !== '' && { after: next }) });
        pages.push(...page.results.map(({ id }) => id));
        next = page.next;
      }
      assert.deepEqual(pages, await idsOf());
      const one = (await list()).results.find(({ id }) => id === done) as MerchantImport;
      assert.deepEqual(
        [one.merchant.external_id, one.test, one.source, one.status, one.created],
        [String(merchant.id), false, 'csv', 'done', 1],
      );
    });

    it('have failed if their process is gone', async () => {
      const lost = await store(await service().newMerchant(), { state: 'checking' });
      service().passTime(60_000);
      assert.ok((await idsOf({ state: 'failed' })).includes(lost));
      assert.ok((await idsOf({ state: 'finished' })).includes(lost));
      assert.deepEqual(await idsOf({ state: 'waiting' }), []);
    });

    it('say what can be done about an interruption: nobody has the file of an undo', async () => {
      const owner = await service().newMerchant();
      for (const [change, expected] of [
        [
          { state: 'importing' },
          /^The import was interrupted, .*: upload the file again to import the rest\.$/,
        ],
        [
          { state: 'importing', isBulk: 1 },
          /^The change was interrupted, .*: start it again to change the rest\.$/,
        ],
        [
          { state: 'checking', isBulk: 1 },
          /^The check was interrupted, .* Nothing was changed: start it again\.$/,
        ],
      ] as const) {
        const id = await store(owner, change);
        service().passTime(60_000);
        const { status, failure } = await retrieveImport(service(), owner, id);
        assert.equal(status, 'failed');
        assert.match(failure ?? '', expected);
        await endInterruptedImports(service());
        assert.match((await retrieveImport(service(), owner, id)).failure ?? '', expected);
      }
    });
  });

  describe('canceling an import of a merchant', () => {
    it('stops it, and the merchant’s audit log says who did', async () => {
      const owner = await service().newMerchant();
      const console = await signedIn(service(), owner);
      for (const id of [await store(owner), await store({ id: -owner.id })]) {
        const path = `/merchants/${owner.id}/imports/${id}/cancel`;
        for (const _ of ['first', 'repeated']) {
          const response = await service().operator('POST', path, token);
          assert.equal(response.status, 200, response.text);
          assert.equal(response.json<MerchantImport>().status, 'canceled');
        }
      }
      const entries = await auditLogOf(service(), console);
      const canceled = entries.filter(({ action }) => action === 'import.canceled');
      assert.deepEqual(
        canceled.map(({ subject, ...by }) => [whoOf(by), subject]),
        [['operator', 'stock.csv']],
      );
    });

    it('404: finds no import of another merchant', async () => {
      const id = await store(await service().newMerchant());
      const path = `/merchants/${merchant.id}/imports/${id}/cancel`;
      expectError(await service().operator('POST', path, token), 404, /^There is no import/);
    });
  });
});
