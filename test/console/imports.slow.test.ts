import assert from 'node:assert/strict';
import { readdir, rm, stat } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { ConsoleImport, ProductCounts } from '../../src/console/catalog-api.ts';
import { statement } from '../../src/database/statement.ts';
import { ImportFiles } from '../../src/imports/import-files.ts';
import { sweepImports } from '../../src/imports/sweep-imports.ts';
import { auditLogOf } from '../support/audit.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import { type ConsoleClient, signedIn } from '../support/console.ts';
import { checkFile, importFile, productLines, sendFile, untilState } from '../support/console-imports.ts';
import { forEachEngine } from '../support/engines.ts';
import { startTestService, type TestService, useService } from '../support/service.ts';
import { until } from '../support/until.ts';

const MB = 1024 * 1024;

const markChecking = statement<{ id: string; aliveAt: number }, never>(
  `UPDATE imports SET state = 'checking', alive_at = :aliveAt WHERE id = :id`,
);

async function filesOf({ config }: TestService): Promise<string[]> {
  return await readdir(join(config.dataDirectory, 'imports'));
}

async function productsOf(client: ConsoleClient): Promise<number> {
  return (await client.get('/products/counts')).json<ProductCounts>().all;
}

forEachEngine((engine) => {
  describe('a file uploaded to the console', () => {
    const service = useService(engine, { environment: { MAX_UPLOAD: '2' } });
    const newClient = async (): Promise<ConsoleClient> => {
      // Sign-in attempts are limited per minute.
      service().passTime(60_000);
      return await signedIn(service(), await service().newMerchant());
    };

    it('400: no other endpoint accepts a streamed body, which would let it skip the request queue', async () => {
      const client = await newClient();
      const headers = { 'content-type': 'application/octet-stream' };
      for (const [method, path] of [
        ['GET', '/overview'],
        ['GET', '/products?per_page=25'],
        ['POST', '/keys?name=ERP'],
      ] as const) {
        const response = await client.request(method, path, { headers, body: 'x' });
        assert.equal(response.status, 400, path);
        assert.match(response.message, /Content-Type/);
      }
    });

    it('is checked without changing anything, and is imported only on request', async () => {
      const merchant = await service().newMerchant();
      const client = await signedIn(service(), merchant);
      await importDrafts(service(), merchant, [[draft('P-1', { title: 'Pot no. 1' }), draft('P-2')]]);
      const text = `${productLines(3)}{"identifier":"P-4","cost_basis":"=1+1"}\nnonsense\n`;
      const checked = await checkFile(client, 'pots.ndjson', text);
      const counts = { created: 1, updated: 2, unchanged: 0, rejected: 2, repeated: 0 };
      const summary = { ...counts, changed_fields: { category: 2, title: 1 } };
      assert.deepEqual(checked.summary, summary);
      assert.deepEqual(
        [checked.name, checked.bytes, checked.format, checked.progress, checked.failure],
        ['pots.ndjson', Buffer.byteLength(text), 'ndjson', 1, null],
      );
      assert.equal(checked.more_rejections, false);
      assert.deepEqual(
        checked.rejections.map(({ line, column }) => [line, column]),
        [
          [4, 'cost_basis'],
          [5, ''],
        ],
      );
      assert.equal(await productsOf(client), 2);
      assert.equal((await client.post(`/imports/${checked.id}/import`)).status, 200);
      const done = await untilState(client, checked.id, 'done');
      assert.deepEqual(done.summary, summary);
      assert.equal(await productsOf(client), 3);
      assert.equal((await client.post(`/imports/${checked.id}/import`)).status, 409);
      const entries = await auditLogOf(service(), client);
      assert.deepEqual(
        [entries[0]?.action, entries[0]?.subject],
        ['products.imported', 'pots.ndjson: 1 new, 2 changed (category 2, title 1)'],
      );
      assert.deepEqual((await checkFile(client, 'again.ndjson', productLines(3))).summary, {
        ...summary,
        created: 0,
        updated: 0,
        unchanged: 3,
        rejected: 0,
        changed_fields: {},
      });
    });

    it('lists all of its rejected rows in a CSV file without formulas', async () => {
      const client = await newClient();
      const rows = [
        'identifier,cost_basis',
        ...Array.from({ length: 150 }, (_, index) => `P-${index},=1+${index}`),
      ];
      const { id, rejections, more_rejections } = await checkFile(
        client,
        'café "pots".csv',
        `${rows.join('\n')}\nP-1,-5\n`,
      );
      assert.deepEqual([rejections.length, more_rejections], [100, true]);
      const response = await client.get(`/imports/${id}/rejects.csv`);
      assert.equal(response.status, 200);
      assert.equal(response.header('content-type'), 'text/csv; charset=utf-8');
      assert.equal(
        response.header('content-disposition'),
        `attachment; filename="caf_ _pots_.csv.rejects.csv"; filename*=UTF-8''caf%C3%A9%20%22pots%22.csv.rejects.csv`,
      );
      const lines = response.text.trimEnd().split('\n');
      assert.equal(lines.length, 152);
      assert.match(lines[1] ?? '', /^2,cost_basis,'=1\+0,/);
      assert.match(lines[151] ?? '', /^152,cost_basis,-5,/);
      const none = await checkFile(client, 'good.ndjson', productLines(1));
      const nothing = await client.get(`/imports/${none.id}/rejects.csv`);
      assert.deepEqual([nothing.status, nothing.message], [404, 'No row of good.ndjson was rejected.']);
      const directory = join(service().config.dataDirectory, 'imports');
      for (const file of await filesOf(service())) await rm(join(directory, file));
      const elsewhere = await client.get(`/imports/${id}/rejects.csv`);
      assert.equal(elsewhere.text, response.text);
    });

    it('may be gzip', async () => {
      const done = await importFile(await newClient(), 'pots.ndjson.gz', gzipSync(productLines(50)));
      assert.equal(done.summary?.created, 50);
    });

    it('may unpack to ten times the upload limit, and no more', async () => {
      const client = await newClient();
      const row = `{"identifier":"P-1","title":"${'x'.repeat(5000)}"}\n`;
      const rows = (bytes: number): Buffer => gzipSync(row.repeat(Math.floor(bytes / row.length)));
      await checkFile(client, 'pots.ndjson.gz', rows(20 * MB));
      const { failure } = await checkFile(client, 'pots.ndjson.gz', rows(20 * MB + 10_000), 'failed');
      assert.equal(failure, 'pots.ndjson.gz: The file unpacks to more than the limit of 20 MB.');
    });

    it('is stored where only the service can read it, and only as long as needed', async () => {
      const client = await newClient();
      const { id } = await checkFile(client, 'pots.ndjson', productLines(3));
      const [name = ''] = (await filesOf(service())).filter((file) => file.endsWith(id));
      const directory = join(service().config.dataDirectory, 'imports');
      assert.equal((await stat(directory)).mode & 0o777, 0o700);
      assert.equal((await stat(join(directory, name))).mode & 0o777, 0o600);
      await client.post(`/imports/${id}/import`);
      await untilState(client, id, 'done');
      await until(async () => !(await filesOf(service())).includes(name));
      const other = await checkFile(client, 'pots.ndjson', productLines(3));
      assert.equal((await client.request('DELETE', `/imports/${other.id}`)).status, 200);
      assert.equal((await client.get(`/imports/${other.id}`)).status, 404);
      assert.deepEqual(
        (await filesOf(service())).filter((file) => file.endsWith(other.id)),
        [],
      );
    });

    for (const [kind, bytes, failure] of [
      [
        'a damaged workbook',
        Buffer.from('PK\x03\x04 xl/workbook.xml'),
        /^prices\.xlsx: The workbook is damaged or incomplete \(.*\)\.$/,
      ],
      ['an empty file', Buffer.alloc(0), /^prices\.xlsx: The file is empty\.$/],
      [
        'UTF-16',
        Buffer.from('\ufeffidentifier', 'utf16le'),
        /^prices\.xlsx: Not UTF-8 text but UTF-16; save the file as UTF-8\.$/,
      ],
      ['a damaged gzip', gzipSync(productLines(2000)).subarray(0, 3000), /^prices\.xlsx: .*\.$/],
    ] as const) {
      it(`fails with a reason, without its path on the server, if it is ${kind}`, async () => {
        const client = await newClient();
        const found = await checkFile(client, 'prices.xlsx', bytes, 'failed');
        assert.match(found.failure ?? '', failure);
        assert.ok(!found.failure?.includes(service().config.dataDirectory));
        assert.equal((await client.post(`/imports/${found.id}/import`)).status, 409);
      });
    }

    it('is rejected if it is too large, even if its size is not announced, and leaves nothing behind', async () => {
      const client = await newClient();
      const before = await filesOf(service());
      const message = 'The file is larger than the limit of 2 MB.';
      const response = await sendFile(client, 'big', Buffer.alloc(2 * MB + 1, 'x'));
      assert.deepEqual([response.status, response.message], [400, message]);
      const chunked = await client.request('POST', '/imports?name=big', {
        body: Buffer.alloc(3 * MB, 'x'),
        headers: {
          'content-type': 'application/octet-stream',
          'transfer-encoding': 'chunked',
          'content-length': [],
        },
      });
      assert.deepEqual([chunked.status, chunked.message], [400, message]);
      assert.deepEqual(await filesOf(service()), before);
    });

    it('is rejected without a name, or with another content type', async () => {
      const client = await newClient();
      assert.equal(
        (await sendFile(client, '', 'x')).message,
        'name: missing, expected text of 1 to 255 characters.',
      );
      const form = await client.post('/imports?name=x', {});
      assert.deepEqual(
        [form.status, form.message],
        [400, 'Send the file itself, as application/octet-stream.'],
      );
    });

    it('leaves nothing behind if the connection is cut, and can be uploaded again at once', async () => {
      const client = await newClient();
      const before = await filesOf(service());
      const cookie = [...client.cookies].map((pair) => pair.join('=')).join('; ');
      const { origin } = service().client;
      const sending = request({
        host: origin.hostname,
        port: origin.port,
        method: 'POST',
        path: '/console/api/imports?name=cut',
        rejectUnauthorized: false,
        headers: {
          cookie,
          'sec-fetch-site': 'same-origin',
          'content-type': 'application/octet-stream',
          'content-length': String(MB),
        },
      });
      sending.on('error', () => {});
      sending.write(Buffer.alloc(1000));
      await until(async () => (await filesOf(service())).length > before.length);
      const second = await sendFile(client, 'second', productLines(1));
      assert.deepEqual(
        [second.status, second.message],
        [409, 'Another file is being uploaded, checked or imported. Try again when it has finished.'],
      );
      sending.destroy();
      await until(async () => (await filesOf(service())).length === before.length);
      await checkFile(client, 'pots.ndjson', productLines(1));
    });

    it('404: an invalid ID, and 400 for one that no text can be', async () => {
      const client = await newClient();
      for (const [id, status] of [
        ['%00', 400],
        ['a%00b', 400],
        ['..%2f..', 404],
        ['%F0%9F%98%80', 404],
        ['x'.repeat(5000), 404],
      ] as const) {
        for (const [method, path] of [
          ['GET', `/imports/${id}`],
          ['POST', `/imports/${id}/import`],
          ['GET', `/imports/${id}/rejects.csv`],
          ['DELETE', `/imports/${id}`],
        ] as const) {
          assert.equal((await client.request(method, path)).status, status, `${method} ${path}`);
        }
      }
    });

    it('409: while another file of the same merchant is in progress, but not for other merchants', async () => {
      const [client, others] = [await newClient(), await newClient()];
      const first = await sendFile(client, 'first', productLines(5000));
      const second = await sendFile(client, 'second', productLines(1));
      assert.deepEqual([first.status, second.status], [200, 409]);
      const other = await sendFile(others, 'other', productLines(1));
      assert.equal(other.status, 200);
      const { id } = first.json<ConsoleImport>();
      await untilState(client, id, 'checked');
      assert.equal((await client.post(`/imports/${id}/import`)).status, 200);
      assert.equal((await client.request('DELETE', `/imports/${id}`)).status, 409);
      assert.equal((await sendFile(client, 'third', productLines(1))).status, 409);
      await untilState(client, id, 'done');
    });
  });

  it('an import that a restart interrupted is reported as failed, and the file can be sent again', async () => {
    const directory = await engine.environment();
    await using first = await startTestService({ name: engine.name, environment: async () => directory });
    const merchant = await first.newMerchant();
    const client = await signedIn(first, merchant);
    // Large enough to be stopped in time, however fast the machine.
    const { id } = await checkFile(client, 'pots.ndjson', productLines(8_000));
    await client.post(`/imports/${id}/import`);
    await until(async () => (await productsOf(client)) > 0);
    const environment = { ...directory, DATA_DIR: first.config.dataDirectory };
    await first.stop();
    await using second = await startTestService({ name: engine.name, environment: async () => environment });
    const again = await signedIn(second, merchant);
    const found = (await again.get(`/imports/${id}`)).json<ConsoleImport>();
    assert.equal(found.state, 'failed');
    assert.match(
      found.failure ?? '',
      /^The import was interrupted, for example by a restart of the server\. The rows imported before/,
    );
    const products = await productsOf(again);
    assert.ok(products > 0 && products < 8_000, String(products));
    const { summary } = await importFile(again, 'pots.ndjson', productLines(products + 10));
    assert.deepEqual([summary?.unchanged, summary?.created], [products, 10]);
  });

  it('an import is reported as failed if its process is no longer alive', async () => {
    await using service = await startTestService(engine);
    const client = await signedIn(service, await service.newMerchant());
    const { id } = await checkFile(client, 'pots.ndjson', productLines(1));
    const aliveAt = service.now() - 20_000;
    await service.database.transaction((connection) => connection.run(markChecking, { id, aliveAt }));
    const found = (await client.get(`/imports/${id}`)).json<ConsoleImport>();
    assert.deepEqual(
      [found.state, found.failure],
      [
        'failed',
        'Reading the file was interrupted, for example by a restart of the server. Nothing was changed: upload it again.',
      ],
    );
    assert.equal((await sendFile(client, 'other', productLines(1))).status, 200);
  });

  it('an import is deleted after a day, and a file without an import sooner', async () => {
    await using service = await startTestService(engine);
    const client = await signedIn(service, await service.newMerchant());
    const { id } = await checkFile(client, 'pots.ndjson', '{"identifier":1}\n');
    const files = new ImportFiles(service.config);
    const lost = { merchantId: 1, id: '01a1fe4d-7ee8-7b5f-8ec9-1415d7de7fe4' };
    const source = { stream: Readable.from([Buffer.from('x')]), abort: () => {} };
    await files.receive(lost, source, { fileBytes: MB, merchantBytes: MB });
    const { database } = service;
    const now = Date.now();
    await sweepImports({ database, files, now: () => now });
    assert.equal((await filesOf(service)).length, 2);
    await sweepImports({ database, files, now: () => now + 6 * 60_000 });
    assert.deepEqual(
      (await filesOf(service)).filter((name) => !name.includes(id)),
      [],
    );
    await sweepImports({ database, files, now: () => now + 24 * 3_600_000 + 60_000 });
    assert.deepEqual(await filesOf(service), []);
    assert.equal((await client.get(`/imports/${id}`)).status, 404);
  });
});
