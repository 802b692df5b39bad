import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readdir } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { ConsoleImport, ImportList } from '../../src/console/catalog-api.ts';
import type { Import } from '../../src/imports/import-record.ts';
import { auditLogOf } from '../support/audit.ts';
import { allProducts, draft, importDrafts } from '../support/catalog.ts';
import type { ClientResponse } from '../support/client.ts';
import { signedIn } from '../support/console.ts';
import { checkFile, importFile, productLines, untilState } from '../support/console-imports.ts';
import { forEachEngine, sqlite } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import {
  importFileByApi,
  multipartFile,
  postFile,
  retrieveImport,
  startFile,
  untilEnded,
} from '../support/imports.ts';
import { createKey } from '../support/keys.ts';
import { startTestService, type TestMerchant, type TestService, useService } from '../support/service.ts';
import { until } from '../support/until.ts';

const MB = 1024 * 1024;
const NDJSON = { headers: { 'content-type': 'application/x-ndjson' } };
const LARGE = 100_000;

const csv = (count: number): string =>
  `identifier,title\n${Array.from({ length: count }, (_, index) => `P-${index},Pot no. ${index}`).join('\n')}\n`;
const SHOPIFY = 'Handle,Title,Variant SKU,Variant Inventory Qty\npot,Pot,POT-S,3\npot,,POT-L,4\n';

/** The file of an import is deleted shortly after the import has ended. */
async function filesOf({ config }: TestService): Promise<string[]> {
  return await readdir(join(config.dataDirectory, 'imports'));
}

async function identifiersOf(service: TestService, merchant: TestMerchant): Promise<string[]> {
  return (await allProducts(service, merchant)).map(({ identifier }) => identifier).sort();
}

function countsOf({ created, updated, unchanged, rejected, repeated }: Import): number[] {
  return [created, updated, unchanged, rejected, repeated];
}

forEachEngine((engine) => {
  describe('a file sent to POST imports', () => {
    const service = useService(engine, { environment: { MAX_UPLOAD: '2' } });

    for (const [format, content] of [
      ['csv', csv(20)],
      ['ndjson', productLines(20)],
      ['shopify', SHOPIFY],
    ] as const) {
      for (const [kind, body] of [
        ['plain', Buffer.from(content)],
        ['gzipped', gzipSync(content)],
      ] as const) {
        it(`202: ${format}, ${kind}, is imported, and Location leads to its record`, async () => {
          const merchant = await service().newMerchant();
          const products = format === 'shopify' ? 1 : 20;
          for (const path of ['/imports', '/imports.json', '/products/upload', '/products/upload.json']) {
            const response = await postFile(service(), merchant, body, { path, query: { name: 'my file' } });
            assert.equal(response.status, 202, response.text);
            const record = response.json<Import>();
            assert.deepEqual(
              [record.status, record.name, record.dry_run, record.bytes, record.finished_at],
              ['importing', 'my file', false, body.length, null],
            );
            assert.equal(record.created_by, `key ${merchant.keyId}`);
            const url = new URL(
              response.header('location'),
              `https://host${service().config.basePath}${path}`,
            );
            assert.equal(url.pathname, `${service().config.basePath}/imports/retrieve`);
            assert.equal(url.searchParams.get('id'), record.id);
            const done = await untilEnded(service(), merchant, record.id);
            assert.deepEqual(
              [done.status, done.format, done.progress, done.failure],
              ['done', format, 1, null],
            );
            const isFirst = path === '/imports';
            assert.deepEqual(countsOf(done), isFirst ? [products, 0, 0, 0, 0] : [0, 0, products, 0, 0]);
            assert.ok(Date.parse(done.finished_at ?? '') >= Date.parse(done.created_at));
          }
          assert.equal((await identifiersOf(service(), merchant)).length, products);
          await until(async () => (await filesOf(service())).length === 0);
        });
      }
    }

    it('202: may be a field of a multipart body, with the token and parameters before it', async () => {
      const merchant = await service().newMerchant();
      for (const [fields, file, name] of [
        [[], { name: 'pots.csv', content: csv(3) }, 'pots.csv'],
        [[], { name: 'a\0b.csv', content: csv(3) }, 'a\ufffdb.csv'],
        [[['name', 'café']], { name: 'pots.csv', content: csv(3) }, 'café'],
        [[['dry_run', 'true']], { content: gzipSync(csv(3)) }, 'upload'],
      ] as [[string, string][], { name?: string; content: string | Buffer }, string][]) {
        const { body, headers } = multipartFile([['access_token', merchant.token], ...fields], file);
        const response = await service().request('POST', '/imports', { body, headers });
        assert.equal(response.status, 202, response.text);
        const record = response.json<Import>();
        assert.deepEqual([record.name, record.bytes], [name, Buffer.byteLength(file.content)]);
        const { status } = await untilEnded(service(), merchant, record.id);
        assert.equal(status, fields[0]?.[0] === 'dry_run' ? 'checked' : 'done');
        await service().request('POST', `/imports/cancel?id=${record.id}&access_token=${merchant.token}`);
      }
      assert.deepEqual(await identifiersOf(service(), merchant), ['P-0', 'P-1', 'P-2']);
    });

    it('400: a multipart body that is malformed, or has no file or two, leaves nothing behind', async () => {
      const merchant = await service().newMerchant();
      const token: [string, string] = ['access_token', merchant.token];
      const content = csv(3000);
      const { body, headers } = multipartFile([token], { name: 'a', content });
      const send = (sent: { body: Buffer; headers: Record<string, string> }): Promise<ClientResponse> =>
        service().request('POST', '/imports', sent);
      expectError(await send({ body: body.subarray(0, -12), headers }), 400, /not valid multipart/);
      expectError(await send(multipartFile([token], { content }, [['file', 'x']])), 400, /file twice/);
      expectError(await send(multipartFile([token], { name: 'a', content, field: 'other' })), 400, /other/);
      expectError(await send(multipartFile([token], { content: 'x', field: 'name' })), 400, /^file: missing/);
      expectError(
        await send(multipartFile([token, ['colour', '1']], { content })),
        400,
        /not recognized: .*colour/,
      );
      expectError(await send(multipartFile([['name', 'x'.repeat(70_000)]], { content })), 400, /64 KiB/);
      const form = { form: { access_token: merchant.token } };
      expectError(await service().request('POST', '/imports', form), 400, /^file: missing/);
      const sentAsForm = {
        body: `identifier,title\n${'x'.repeat(5_000)}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      };
      const path = `/imports?${new URLSearchParams([token])}`;
      expectError(
        await service().request('POST', path, sentAsForm),
        400,
        /^The following parameters were provided but are not recognized: .{300}…\. A file has to be .* such as text\/csv or application\/octet-stream\.$/s,
      );
      expectError(
        await service().request('POST', path, {
          ...sentAsForm,
          body: `identifier,title\n${'x'.repeat(70_000)}`,
        }),
        400,
        /larger than 64 KiB; a file needs a type such as text\/csv\.$/,
      );
      expectError(await service().request('POST', path), 400, /^file: missing/);
      await until(async () => (await filesOf(service())).length === 0);
      assert.deepEqual(await identifiersOf(service(), merchant), []);
    });

    for (const [kind, body, reason] of [
      ['an empty file', '', /^file: The file is empty/],
      ['a workbook', 'PK\x03\x04 xl/workbook.xml', /^file: The workbook is damaged or incomplete/],
      ['UTF-16', Buffer.from('\ufeffidentifier', 'utf16le'), /^file: Not UTF-8/],
      ['a JSON array', '[{"identifier":"P"}]', /^file: /],
      ['CSV without identifiers', 'name,price\nPot,3\n', /^file: .*identifier/],
      ['gzip of nothing', gzipSync(''), /^file: The file is empty/],
    ] as const) {
      it(`400: ${kind} is rejected by name and stored nowhere`, async () => {
        const merchant = await service().newMerchant();
        const { body: form, headers } = multipartFile([], { content: body });
        for (const sent of [
          await postFile(service(), merchant, body),
          await postFile(service(), merchant, form, { headers }),
        ]) {
          expectError(sent, 400, reason);
          assert.ok(!sent.message.includes(service().config.dataDirectory));
        }
        await until(async () => (await filesOf(service())).length === 0);
        assert.deepEqual((await service().get('/imports', merchant)).json(), []);
      });
    }

    it('checks a file without changing anything with dry_run; the console can then import it', async () => {
      service().passTime(60_000);
      const merchant = await service().newMerchant();
      const console = await signedIn(service(), merchant);
      const checked = await importFileByApi(service(), merchant, csv(7), { query: { dry_run: '1' } });
      assert.deepEqual(
        [checked.status, checked.dry_run, countsOf(checked)],
        ['checked', true, [7, 0, 0, 0, 0]],
      );
      assert.deepEqual(await identifiersOf(service(), merchant), []);
      const { state, created_by } = (await console.get(`/imports/${checked.id}`)).json<ConsoleImport>();
      assert.deepEqual([state, created_by], ['checked', `key ${merchant.keyId}`]);
      assert.equal((await console.post(`/imports/${checked.id}/import`)).status, 200);
      await untilState(console, checked.id, 'done');
      const done = await retrieveImport(service(), merchant, checked.id);
      assert.deepEqual([done.status, done.dry_run, countsOf(done)], ['done', false, [7, 0, 0, 0, 0]]);
      assert.equal((await identifiersOf(service(), merchant)).length, 7);
    });

    it('lists the imports of the API and the console with who made them, newest first, page by page', async () => {
      service().passTime(60_000);
      const merchant = await service().newMerchant();
      const console = await signedIn(service(), merchant);
      const ids: string[] = [];
      for (let index = 0; index < 4; index += 1) {
        const { id } =
          index % 2 === 0
            ? await importFileByApi(service(), merchant, csv(1))
            : await importFile(console, 'pots.csv', csv(1));
        ids.unshift(id);
      }
      const all = (await service().get('/imports.json', merchant)).json<Import[]>();
      assert.deepEqual(
        all.map(({ id }) => id),
        ids,
      );
      assert.match(all[0]?.created_by ?? '', /^User \d+ <user\d+@example\.com>$/);
      assert.equal(all[1]?.created_by, `key ${merchant.keyId}`);
      const { imports } = (await console.get('/imports')).json<ImportList>();
      assert.deepEqual(
        imports.map(({ id, created_by }) => [id, created_by]),
        all.map(({ id, created_by }) => [id, created_by]),
      );
      const page = await service().get('/imports.json', merchant, {
        page: '2',
        per_page: '3',
        pagination: 'true',
      });
      const { results, ...place } = page.json<{ results: Import[] }>();
      assert.deepEqual(results, all.slice(3));
      assert.deepEqual(place, { from: 4, to: 4, page: 2, per_page: 3, total_entries: 4 });
      assert.match(page.header('link'), /page=1[^>]*>; rel="prev"/);
      const entries = await auditLogOf(service(), console);
      const imported = entries.filter(({ action }) => action === 'products.imported');
      assert.equal(imported.length, 4);
      assert.deepEqual(
        [imported[1]?.who_kind, imported[1]?.who, imported[1]?.subject],
        ['merchant_key', merchant.keyId, 'upload'],
      );
    });

    it('lists the rejected rows with line, name, value and reason, which the console shows too', async () => {
      service().passTime(60_000);
      const merchant = await service().newMerchant();
      const rows = Array.from({ length: 130 }, (_, index) => `P-${index},=${index}`);
      const file = `identifier,cost_basis\nGOOD,3\n${rows.join('\n')}\nthree,cells,here\n`;
      const { id, status, created, rejected } = await importFileByApi(service(), merchant, file);
      assert.deepEqual([status, created, rejected], ['done', 1, 131]);
      const list = (query: Record<string, string>): Promise<ClientResponse> =>
        service().get('/imports/rejects', merchant, { id, ...query });
      type Row = { line: number; name: string | null; value: string; reason: string };
      const all = (await list({ per_page: '1000' })).json<Row[]>();
      assert.equal(all.length, 131);
      assert.deepEqual(
        all.slice(0, 130).map(({ line, name, value }) => [line, name, value]),
        rows.map((_, index) => [index + 3, 'cost_basis', `=${index}`]),
      );
      assert.match(all[0]?.reason ?? '', /number/);
      assert.deepEqual([all[130]?.line, all[130]?.name], [133, null]);
      const page = (await list({ page: '3', per_page: '60', pagination: '1' })).json<{ results: Row[] }>();
      assert.deepEqual(page, {
        results: all.slice(120),
        from: 121,
        to: 131,
        page: 3,
        per_page: 60,
        total_entries: 131,
      });
      const console = await signedIn(service(), merchant);
      const download = await console.get(`/imports/${id}/rejects.csv`);
      assert.equal(download.text.trimEnd().split('\n').length, 132);
      const none = await importFileByApi(service(), merchant, csv(1));
      assert.deepEqual((await service().get('/imports/rejects', merchant, { id: none.id })).json(), []);
      // The first row can be read, and the second one cannot.
      const mixed = await importFileByApi(service(), merchant, 'identifier,status\nA,banned\nB,enabled,x\n');
      const inOrder = (await service().get('/imports/rejects', merchant, { id: mixed.id })).json<Row[]>();
      assert.deepEqual(
        inOrder.map(({ line }) => line),
        [2, 3],
      );
    });

    it('fails with a reason if it is damaged after its beginning', async () => {
      const merchant = await service().newMerchant();
      const damaged = gzipSync(productLines(3_000)).subarray(0, -2000);
      const { status, failure, created } = await importFileByApi(service(), merchant, damaged);
      assert.equal(status, 'failed');
      assert.match(failure ?? '', /^upload: .* The rows before that are in the catalog\.$/);
      assert.equal((await identifiersOf(service(), merchant)).length, created);
    });

    it('has the merchant’s authority, never the operator’s', async () => {
      const merchant = await service().newMerchant();
      await importDrafts(service(), merchant, [[draft('P-1', { status: 'banned', sales_count: 3 })]]);
      const [banned] = await allProducts(service(), merchant);
      const file = '{"identifier":"P-1","status":"in_stock"}\n{"identifier":"P-1","sales_count":9}\n';
      const { rejected } = await importFileByApi(service(), merchant, file, NDJSON);
      assert.equal(rejected, 2);
      assert.deepEqual((await allProducts(service(), merchant))[0], banned);
    });

    it('changes only test data if it is sent with a test key, and only test keys see the import', async () => {
      const merchant = await service().newMerchant();
      const test = await service().newTestKey(merchant);
      const { id, status, created } = await importFileByApi(service(), test, csv(3));
      assert.deepEqual([status, created], ['done', 3]);
      assert.equal((await service().get('/products', test)).json<unknown[]>().length, 3);
      assert.deepEqual(await identifiersOf(service(), merchant), []);
      assert.equal((await service().get('/imports/retrieve', merchant, { id })).status, 404);
      await until(async () => (await filesOf(service())).length === 0);
    });

    it('401: a wrong or missing token is refused before anything of the file is stored', async () => {
      for (const token of ['wrong', '']) {
        const sending = startFile(
          service(),
          { token },
          { 'content-type': 'text/csv', 'content-length': String(1024 * MB) },
        );
        // Much less than the file, and more than buffers hold.
        sending.write(Buffer.alloc(MB, 'x'));
        const [response] = (await once(sending, 'response')) as [IncomingMessage];
        assert.equal(response.statusCode, 401);
        await until(async () => (await filesOf(service())).length === 0);
        sending.destroy();
      }
      const { body, headers } = multipartFile([['access_token', 'wrong']], { content: csv(3) });
      expectError(await service().request('POST', '/imports', { body, headers }), 401, /not valid/);
      await until(async () => (await filesOf(service())).length === 0);
    });

    it('401: a key without the scope write cannot import or cancel', async () => {
      const merchant = await service().newMerchant();
      const reader = { merchantId: merchant.id, name: 'reader', scopes: ['read'] as const, expiresAt: null };
      const key = await createKey(service(), reader);
      expectError(await postFile(service(), key, csv(1)), 401, /write/);
      const { id } = await importFileByApi(service(), merchant, csv(1));
      const cancel = await service().request('POST', `/imports/cancel?id=${id}&access_token=${key.token}`);
      expectError(cancel, 401, /write/);
      assert.equal((await retrieveImport(service(), key, id)).status, 'done');
      await until(async () => (await filesOf(service())).length === 0);
    });

    it('413: a file that is too large, announced or not, leaves nothing behind', async () => {
      const merchant = await service().newMerchant();
      const content = Buffer.alloc(2 * MB + 1, 'x');
      const message = 'The file is larger than the limit of 2 MB.';
      expectError(await postFile(service(), merchant, content), 413, message);
      const sending = startFile(service(), merchant, {
        'content-type': 'text/csv',
        'transfer-encoding': 'chunked',
      });
      sending.end(content);
      const [response] = (await once(sending, 'response')) as [IncomingMessage];
      assert.equal(response.statusCode, 413);
      response.resume();
      const { body, headers } = multipartFile([], { content });
      expectError(await postFile(service(), merchant, body, { headers }), 413, message);
      await until(async () => (await filesOf(service())).length === 0);
      await importFileByApi(service(), merchant, csv(1));
    });

    it('fails with a reason if it unpacks to more than ten times the limit', async () => {
      const merchant = await service().newMerchant();
      const row = `{"identifier":"P-1","title":"${'x'.repeat(5000)}"}\n`;
      const bomb = gzipSync(row.repeat(Math.ceil((20 * MB) / row.length)) + row);
      const { status, failure } = await importFileByApi(service(), merchant, bomb);
      assert.equal(status, 'failed');
      assert.match(
        failure ?? '',
        /^upload: The file unpacks to more than the limit of 20 MB\. The rows before/,
      );
    });

    for (const kind of ['raw', 'multipart'] as const) {
      it(`leaves nothing behind if a ${kind} request is cut off, and can be sent again at once`, async () => {
        const merchant = await service().newMerchant();
        await until(async () => (await filesOf(service())).length === 0);
        const type = kind === 'raw' ? 'text/csv' : 'multipart/form-data; boundary=limit';
        const sending = startFile(service(), merchant, {
          'content-type': type,
          'content-length': String(MB),
        });
        if (kind === 'multipart')
          sending.write('--limit\r\nContent-Disposition: form-data; name="file"\r\n\r\n');
        sending.write(Buffer.alloc(1000, 'x'));
        await until(async () => (await filesOf(service())).length > 0);
        const second = await postFile(service(), merchant, csv(1));
        expectError(second, 400, /^Another file is being uploaded/);
        assert.equal(second.header('retry-after'), '5');
        sending.destroy();
        await until(async () => (await filesOf(service())).length === 0);
        await until(async () => (await postFile(service(), merchant, csv(1))).status === 202);
        const [record] = (await service().get('/imports', merchant)).json<Import[]>();
        await untilEnded(service(), merchant, record?.id ?? '');
      });
    }

    it('429: the budgets of the console’s uploads apply', async () => {
      await using limited = await startTestService(engine, { environment: { BUDGETS: 'imports_per_day=2' } });
      const merchant = await limited.newMerchant();
      await importFileByApi(limited, merchant, csv(1));
      expectError(await postFile(limited, merchant, ''), 400, /^file: /);
      await importFileByApi(limited, merchant, csv(1));
      expectError(await postFile(limited, merchant, csv(1)), 429, /imports_per_day/);
      await until(async () => (await filesOf(limited)).length === 0);
    });

    it('400: a multipart body is read without a token only up to 256 KiB, and only while its parts are well-formed', async () => {
      const { body, headers } = multipartFile([], { content: csv(3) });
      for (const [before, message] of [
        [`${'x'.repeat(400 * 1024)}\r\n`, /apart from the field file, it is larger than 256 KiB/],
        ['--limit\r\nx\r\n'.repeat(100), /not valid multipart/],
        ['--limit\r\n'.repeat(100), /not valid multipart/],
      ] as const) {
        const sent = { body: Buffer.concat([Buffer.from(before), body]), headers };
        expectError(await service().request('POST', '/imports', sent), 400, message);
      }
    });

    it('404: another merchant’s import behaves exactly like an unknown one', async () => {
      const [merchant, other] = [await service().newMerchant(), await service().newMerchant()];
      const { id } = await importFileByApi(service(), merchant, csv(1));
      for (const [method, path] of [
        ['GET', 'retrieve'],
        ['GET', 'rejects'],
        ['POST', 'cancel'],
      ] as const) {
        for (const unknown of [
          id,
          id.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
          'x',
          '../x',
          '%00'.repeat(9),
        ]) {
          const query = new URLSearchParams({ id: unknown, access_token: other.token });
          const response = await service().request(method, `/imports/${path}?${query}`);
          expectError(
            response,
            404,
            `There is no import with the ID ${unknown}. Imports are kept for a day.`,
          );
        }
      }
      assert.deepEqual((await service().get('/imports', other)).json(), []);
    });
  });

  describe('an Idempotency-Key of an import', () => {
    const service = useService(engine);
    const send = (
      merchant: TestMerchant,
      body: string | Buffer,
      key: string,
      query: Record<string, string> = {},
    ): Promise<ClientResponse> =>
      postFile(service(), merchant, body, { query, headers: { 'idempotency-key': key } });

    it('gets the first response again, and imports nothing, also while the first import is in progress', async () => {
      const merchant = await service().newMerchant();
      const file = productLines(3_000);
      const first = await send(merchant, file, 'A');
      const { id } = first.json<Import>();
      for (const path of ['/imports', '/products/upload.json']) {
        const headers = { 'idempotency-key': 'A' };
        const again = await postFile(service(), merchant, file, { headers, path });
        assert.deepEqual([again.status, again.text], [202, first.text]);
        assert.match(again.header('location'), new RegExp(`imports/retrieve\\?id=${id}$`));
      }
      await untilEnded(service(), merchant, id);
      const { body, headers } = multipartFile([], { content: file });
      const multipart = await postFile(service(), merchant, body, {
        headers: { ...headers, 'idempotency-key': 'A' },
      });
      assert.equal(multipart.text, first.text);
      assert.equal((await service().get('/imports', merchant)).json<Import[]>().length, 1);
      await until(async () => (await filesOf(service())).length === 0);
    });

    it('400: is bound to the content of the file and to the parameters', async () => {
      const merchant = await service().newMerchant();
      const { id } = (await send(merchant, csv(3), 'A')).json<Import>();
      await untilEnded(service(), merchant, id);
      expectError(await send(merchant, csv(4), 'A'), 400, /different request/);
      expectError(await send(merchant, csv(3), 'A', { dry_run: '1' }), 400, /different request/);
      expectError(await send(merchant, csv(3), 'A', { name: 'other' }), 400, /different request/);
      assert.equal((await service().get('/imports', merchant)).json<Import[]>().length, 1);
      const other = await service().newMerchant();
      assert.equal((await send(other, csv(4), 'A')).status, 202);
    });

    it('can be used again if the first request was rejected', async () => {
      const merchant = await service().newMerchant();
      expectError(await send(merchant, 'name\nx\n', 'A'), 400, /^file/);
      assert.equal((await send(merchant, csv(1), 'A')).status, 202);
    });
  });

  describe('an import on several nodes that share a database', () => {
    let one: TestService;
    let other: TestService;
    before(async () => {
      const base = await engine.environment();
      const shared = await mkdtemp(join(tmpdir(), 'tradepost-'));
      // Nodes with one PostgreSQL database are different machines, each with its own files.
      const start = async (): Promise<TestService> => {
        const DATA_DIR = engine.name === 'sqlite' ? shared : await mkdtemp(join(tmpdir(), 'tradepost-'));
        return await startTestService({
          name: engine.name,
          environment: async () => ({ ...base, DATA_DIR }),
        });
      };
      one = await start();
      other = await start();
    });
    after(async () => {
      await other.stop();
      await one.close();
    });
    const cancelAt = (node: TestService, { token }: TestMerchant, id: string): Promise<ClientResponse> =>
      node.request('POST', '/imports/cancel', { form: { access_token: token, id } });

    it('shows its status, its counts, its list and its rejected rows on every node', async () => {
      const merchant = await one.newMerchant();
      const file = `${productLines(3)}{"identifier":"X","cost_basis":"much"}\n`;
      const { id } = await importFileByApi(one, merchant, file, NDJSON);
      for (const node of [one, other]) {
        assert.deepEqual(countsOf(await retrieveImport(node, merchant, id)), [3, 0, 0, 1, 0]);
        const rejects = (await node.get('/imports/rejects', merchant, { id })).json<{ line: number }[]>();
        assert.deepEqual(
          rejects.map(({ line }) => line),
          [4],
        );
        assert.equal((await node.get('/imports', merchant)).json<Import[]>().length, 1);
      }
    });

    it('can be canceled on every node: nothing is imported after that, and its counts are what it committed', async () => {
      for (const [sendingTo, cancelingAt] of [
        [one, other],
        [one, one],
      ] as const) {
        const merchant = await one.newMerchant();
        const { id } = (await postFile(sendingTo, merchant, productLines(LARGE), NDJSON)).json<Import>();
        await until(async () => (await retrieveImport(other, merchant, id)).created > 0, {
          timeoutMs: 120_000,
        });
        const canceled = await cancelAt(cancelingAt, merchant, id);
        assert.equal(canceled.status, 200, canceled.text);
        assert.equal(canceled.json<Import>().status, 'canceled');
        assert.notEqual(canceled.json<Import>().finished_at, null);
        const stored = (await identifiersOf(one, merchant)).length;
        // The step records its counts once it has noticed the cancellation.
        await until(async () => (await filesOf(sendingTo)).length === 0);
        await until(async () => (await retrieveImport(one, merchant, id)).created === stored);
        await importFileByApi(cancelingAt, merchant, csv(1));
        assert.equal((await identifiersOf(one, merchant)).length, stored + 1);
        assert.ok(stored > 0 && stored < LARGE, String(stored));
        assert.equal((await cancelAt(one, merchant, id)).json<Import>().status, 'canceled');
      }
    });

    it('does not change when it is canceled after its end; a finished dry run is discarded', async () => {
      const merchant = await one.newMerchant();
      const done = await importFileByApi(one, merchant, csv(2));
      assert.deepEqual((await cancelAt(other, merchant, done.id)).json<Import>(), done);
      const dryRun = await importFileByApi(one, merchant, csv(3), { query: { dry_run: 'true' } });
      assert.equal((await filesOf(one)).length, 1);
      const discarded = (await cancelAt(one, merchant, dryRun.id)).json<Import>();
      assert.deepEqual([discarded.status, discarded.created], ['canceled', 1]);
      await until(async () => (await filesOf(one)).length === 0);
    });

    it('400: a file of a merchant is refused on every node while another one is imported', async () => {
      const merchant = await one.newMerchant();
      const { id } = (await postFile(one, merchant, productLines(LARGE), NDJSON)).json<Import>();
      expectError(await postFile(other, merchant, csv(1)), 400, /^Another file is being uploaded/);
      await cancelAt(other, merchant, id);
    });

    it('one Idempotency-Key used on two nodes imports once', async () => {
      const merchant = await one.newMerchant();
      const headers = { 'idempotency-key': 'A' };
      const responses = await Promise.all(
        [one, other, one, other].map((node) => postFile(node, merchant, csv(30), { headers })),
      );
      const accepted = responses.filter(({ status }) => status === 202);
      assert.equal(new Set(accepted.map(({ text }) => text)).size, 1);
      for (const { status } of responses) assert.ok(status === 202 || status === 400);
      await untilEnded(one, merchant, accepted[0]?.json<Import>().id ?? '');
      assert.equal((await one.get('/imports', merchant)).json<Import[]>().length, 1);
      const again = await postFile(other, merchant, csv(30), { headers });
      assert.equal(again.text, accepted[0]?.text);
      for (const node of [one, other]) await until(async () => (await filesOf(node)).length === 0);
    });
  });

  it('an import that a restart interrupts is reported as failed on every node, and its file is removed', async () => {
    const environment = await engine.environment();
    const first = await startTestService({ name: engine.name, environment: async () => environment });
    const merchant = await first.newMerchant();
    const { id } = (await postFile(first, merchant, productLines(LARGE), NDJSON)).json<Import>();
    await until(async () => (await retrieveImport(first, merchant, id)).created > 0, { timeoutMs: 120_000 });
    await first.stop();
    const settings = first.environment;
    await using second = await startTestService({ name: engine.name, environment: async () => settings });
    const { status, failure, created } = await retrieveImport(second, merchant, id);
    assert.equal(status, 'failed');
    assert.match(failure ?? '', /^The import was interrupted/);
    const stored = (await identifiersOf(second, merchant)).length;
    assert.ok(stored > 0 && stored < LARGE && created <= stored, `${created} of ${stored}`);
    await until(async () => (await filesOf(second)).length === 0);
    assert.equal((await importFileByApi(second, merchant, productLines(stored), NDJSON)).unchanged, stored);
  });

  it('the console and the API apply the same limit of one file at a time, and cancel each other’s', async () => {
    await using service = await startTestService(engine);
    service.passTime(60_000);
    const merchant = await service.newMerchant();
    const console = await signedIn(service, merchant);
    const { id } = await checkFile(console, 'pots', productLines(1));
    assert.equal((await retrieveImport(service, merchant, id)).status, 'checked');
    const byApi = (await postFile(service, merchant, productLines(LARGE), NDJSON)).json<Import>();
    assert.equal((await console.post(`/imports/${id}/import`)).status, 409);
    const canceled = await console.post(`/imports/${byApi.id}/cancel`);
    assert.deepEqual([canceled.status, canceled.json<ConsoleImport>().state], [200, 'canceled']);
    assert.equal((await retrieveImport(service, merchant, byApi.id)).status, 'canceled');
  });
});

it('does not hold more than a little of a file in memory', async () => {
  await using large = await startTestService(sqlite, { environment: { MAX_UPLOAD: '200' } });
  const merchant = await large.newMerchant();
  for (const type of ['text/csv', 'multipart/form-data; boundary=limit']) {
    const sending = startFile(large, merchant, { 'content-type': type, 'transfer-encoding': 'chunked' });
    if (type !== 'text/csv') sending.write('--limit\r\nContent-Disposition: form-data; name="file"\r\n\r\n');
    const before = process.memoryUsage().rss;
    let peak = 0;
    const chunk = Buffer.alloc(MB, 'x,y\n');
    for (let sent = 0; sent < 150; sent += 1) {
      if (!sending.write(chunk)) await once(sending, 'drain');
      peak = Math.max(peak, process.memoryUsage().rss - before);
    }
    assert.ok(peak < 120 * MB, `${Math.round(peak / MB)} MB`);
    sending.destroy();
    await until(async () => (await filesOf(large)).length === 0);
  }
});
