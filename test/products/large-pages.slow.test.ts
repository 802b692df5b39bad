import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { allProducts, draft, importDrafts } from '../support/catalog.ts';
import type { ClientResponse } from '../support/client.ts';
import { signedIn } from '../support/console.ts';
import { forEachEngine } from '../support/engines.ts';
import { parseSamples, startHealthServer } from '../support/health.ts';
import { enlargeRecords, ReadWatch } from '../support/large-records.ts';
import { expectedBody } from '../support/listing-model.ts';
import { type TestMerchant, type TestService, useService } from '../support/service.ts';
import { requestAndStall } from '../support/stalled-requests.ts';
import { until } from '../support/until.ts';

const MB = 1024 * 1024;
/** Enough that a page takes more than one statement and exceeds the limit of the cache. */
const PRODUCTS = 30;
const RECORD_BYTES = 600_000;
const query = { status: undefined, category: undefined, sort: 'created_at_descending' };

async function newCatalog(service: TestService, bytes = RECORD_BYTES): Promise<TestMerchant> {
  const merchant = await service.newMerchant();
  const drafts = Array.from({ length: PRODUCTS }, (_, index) =>
    draft(`P${index}`, { title: `no. ${index}` }),
  );
  await importDrafts(service, merchant, [drafts]);
  await enlargeRecords(service, merchant, bytes);
  return merchant;
}

async function untilStatus(status: number, request: () => Promise<ClientResponse>): Promise<ClientResponse> {
  const hasStatus = async (): Promise<ClientResponse | false> => {
    const response = await request();
    return response.status === status && response;
  };
  return await until(hasStatus, { timeoutMs: 100_000, message: `no response has status ${status}` });
}

forEachEngine((engine) => {
  const watch = new ReadWatch();
  const service = useService(engine, {
    environment: { BUDGETS: 'unread_bytes=8000000' },
    wrap: (database) => watch.wrap(database),
  });

  it('a page of large records equals the model’s, and no statement reads all of it', async () => {
    const merchant = await newCatalog(service());
    const products = await allProducts(service(), merchant);
    for (const [page, perPage, summary] of [
      [1, 1000, false],
      [1, 1000, true],
      [2, 7, true],
      [5, 7, false],
      [6, 7, true],
    ] as const) {
      watch.largestJoin = 0;
      const response = await service().get('/products.json', merchant, {
        page: String(page),
        per_page: String(perPage),
        pagination: String(summary),
      });
      assert.equal(response.status, 200);
      assert.equal(response.text, expectedBody(products, { ...query, page, perPage, summary }));
      assert.ok(watch.largestJoin <= 4 * MB, `${watch.largestJoin} bytes in one statement`);
    }
    assert.ok(watch.offLoop > 0);
  });

  it('a large page leaves no file behind', async () => {
    const merchant = await newCatalog(service());
    await service().get('/products.json', merchant, { per_page: '1000' });
    assert.deepEqual(readdirSync(join(service().config.dataDirectory, 'spool')), []);
  });

  it('a large page is sent compressed, without a body for HEAD, and as 304 if it has not changed', async () => {
    const merchant = await newCatalog(service());
    const path = `/products.json?access_token=${merchant.token}&per_page=1000`;
    const expected = expectedBody(await allProducts(service(), merchant), {
      ...query,
      page: 1,
      perPage: 1000,
      summary: false,
    });
    const decoders = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync };
    for (const [encoding, decode] of Object.entries(decoders)) {
      const response = await service().request('GET', path, { headers: { 'accept-encoding': encoding } });
      assert.equal(response.header('content-encoding'), encoding);
      assert.equal(decode(response.bytes).toString(), expected);
      assert.equal(response.header('vary'), 'Accept-Encoding, Tradepost-Fields');
    }
    const plain = await service().request('GET', path);
    const head = await service().request('HEAD', path);
    assert.equal(head.status, 200);
    assert.equal(head.bytes.length, 0);
    for (const name of ['content-length', 'etag', 'cache-control', 'content-type'])
      assert.equal(head.header(name), plain.header(name), name);
    const again = await service().request('GET', path, {
      headers: { 'if-none-match': plain.header('etag') },
    });
    assert.deepEqual([again.status, again.bytes.length], [304, 0]);
  });

  it('a page far from any known start is read off the event loop', async () => {
    const merchant = await service().newMerchant();
    const drafts = Array.from({ length: 2_000 }, (_, index) =>
      draft(`P${String(index).padStart(5, '0')}`, { available_quantity: index % 2 }),
    );
    await importDrafts(service(), merchant, [drafts]);
    const products = await allProducts(service(), merchant);
    watch.offLoop = 0;
    const sorted = { ...query, status: 'low_inventory', sort: 'unique_id_ascending' };
    // Skipping this many rows, each with a lookup, would be too slow.
    for (const page of [90, 91, 50, 101]) {
      const response = await service().get('/products.json', merchant, {
        status: sorted.status,
        sort: sorted.sort,
        page: String(page),
        per_page: '10',
      });
      assert.equal(response.text, expectedBody(products, { ...sorted, page, perPage: 10, summary: false }));
    }
    assert.ok(watch.offLoop >= 1, `${watch.offLoop} snapshots`);
  });

  describe('a merchant whose clients do not read', () => {
    it('429: gets no more large pages, with a message that names the budget, and others are served', async () => {
      const [slow, other] = [await newCatalog(service()), await newCatalog(service())];
      const path = `${service().config.basePath}/products.json?per_page=1000&access_token=${slow.token}`;
      const stalled: TLSSocket[] = [];
      for (let number = 0; number < 4; number += 1) {
        const socket = await requestAndStall(service(), path);
        stalled.push(socket);
        // Part of the page has arrived, and the rest stays unread.
        await until(() => socket.bytesRead > 10_000);
      }
      const rejected = await service().get('/products.json', slow, { per_page: '1000' });
      assert.equal(rejected.status, 429);
      assert.match(rejected.message, /^Budget large_pages exceeded: at most 4 large pages/);
      assert.equal(rejected.header('retry-after'), '1');
      assert.equal((await service().get('/products.json', slow, { per_page: '2' })).status, 200);
      assert.equal((await service().get('/products.json', other, { per_page: '1000' })).status, 200);
      for (const socket of stalled) socket.destroy();
      await untilStatus(200, () => service().get('/products.json', slow, { per_page: '1000' }));
    });

    it('429: gets no more pages while too many bytes are unread, and others are served', async () => {
      // Pages of 7 MB are cached, and exceed the system's buffers for a connection.
      const [slow, other] = [await newCatalog(service(), 220_000), await newCatalog(service(), 220_000)];
      const path = `${service().config.basePath}/products.json?per_page=1000&access_token=${slow.token}`;
      const stalled: TLSSocket[] = [];
      const rejected = await untilStatus(429, async () => {
        const socket = await requestAndStall(service(), path);
        stalled.push(socket);
        await until(() => socket.bytesRead > 0);
        return await service().request('HEAD', `/products.json?per_page=1&access_token=${slow.token}`);
      });
      assert.equal(rejected.status, 429);
      assert.ok(stalled.length >= 2, `${stalled.length} connections`);
      assert.match(
        (await service().get('/products.json', slow)).message,
        /^Budget unread_bytes exceeded: at most 8,000,000 bytes of unread responses/,
      );
      assert.equal((await service().get('/products.json', other)).status, 200);
      for (const socket of stalled) socket.destroy();
      await untilStatus(200, () => service().get('/products.json', slow));
    });

    it('429: gets only a few of many large pages that it requests concurrently and does not read', async () => {
      const slow = await newCatalog(service(), 220_000);
      const stalled = await Promise.all(
        Array.from({ length: 20 }, (_, index) => {
          const path = `${service().config.basePath}/products.json?per_page=${1000 - index}`;
          return requestAndStall(service(), `${path}&access_token=${slow.token}`);
        }),
      );
      const beginnings = await Promise.all(
        stalled.map(async (socket) => {
          const [chunk] = await once(socket.resume(), 'data');
          socket.pause();
          return String(chunk).slice(0, 'HTTP/1.1 200'.length);
        }),
      );
      for (const socket of stalled) socket.destroy();
      assert.deepEqual([...new Set(beginnings)].sort(), ['HTTP/1.1 200', 'HTTP/1.1 429']);
      const sent = beginnings.filter((beginning) => beginning.endsWith('200')).length;
      // One page above the budget may be in the middle of being read, and another of being compressed.
      assert.ok(sent <= 5, `${sent} pages of 7 MB`);
    });

    it('a client that left before its page was read does not count as a slow reader', async () => {
      const hasty = await newCatalog(service(), 220_000);
      for (let perPage = 1000; perPage > 990; perPage -= 1) {
        const path = `${service().config.basePath}/products.json?per_page=${perPage}`;
        const socket = await requestAndStall(service(), `${path}&access_token=${hasty.token}`);
        await once(socket.end(), 'finish');
        socket.destroy();
      }
      // These requests wait for the earlier ones.
      for (let perPage = 990; perPage > 980; perPage -= 1) {
        await untilStatus(200, () => service().get('/products.json', hasty, { per_page: String(perPage) }));
      }
    });

    it('bytes queued behind another response on a connection do not count once the connection is closed', async () => {
      const hasty = await newCatalog(service(), 220_000);
      const path = `/products.json?access_token=${hasty.token}&per_page=`;
      const probe = (): Promise<ClientResponse> => service().request('HEAD', `${path}1`);
      const { basePath } = service().config;
      const pages = [`${basePath}${path}1000`, `${basePath}${path}999`];
      let socket = await requestAndStall(service(), pages);
      let probes = 0;
      // A single page is below the budget.
      await untilStatus(429, async () => {
        probes += 1;
        if (probes % 100 === 0) {
          // Under load, the second page may have been refused.
          socket.destroy();
          socket = await requestAndStall(service(), pages);
        }
        return await probe();
      });
      socket.destroy();
      await untilStatus(200, probe);
    });

    it('a response of the console that its client does not read is no request in progress', async (t) => {
      const merchant = await newCatalog(service());
      const client = await signedIn(service(), merchant);
      const cookie = [...client.cookies].map((pair) => pair.join('=')).join('; ');
      const fetchMetrics = await startHealthServer(t, service().health);
      const inProgress = async () =>
        parseSamples((await fetchMetrics('/metrics')).text).get('tradepost_requests_under_way');
      // From memory, and from a file.
      for (const perPage of [5, 30]) {
        const socket = await requestAndStall(service(), `/console/api/products?per_page=${perPage}`, cookie);
        await until(() => socket.bytesRead > 10_000);
        await until(async () => (await inProgress()) === 0, {
          message: `a page of ${perPage} is in progress`,
        });
        assert.ok(socket.bytesRead < 2 * MB, `${socket.bytesRead} bytes were read`);
        socket.destroy();
      }
    });

    it('a client that leaves before or while its page is sent causes no error', async () => {
      const merchant = await newCatalog(service());
      const client = await signedIn(service(), merchant);
      const cookie = [...client.cookies].map((pair) => pair.join('=')).join('; ');
      const { basePath } = service().config;
      for (const path of [
        `${basePath}/products.json?access_token=${merchant.token}&per_page=30`,
        '/console/api/products?per_page=30',
      ]) {
        for (const [name, isTime] of [
          ['before', () => watch.offLoop > 0],
          ['while', (socket: TLSSocket) => socket.bytesRead > 10_000],
        ] as const) {
          watch.offLoop = 0;
          const socket = await requestAndStall(service(), path, cookie);
          await until(() => isTime(socket));
          socket.destroy();
          const response = await untilStatus(200, () => client.get('/products?per_page=30'));
          assert.ok(response.text.length > 10 * MB, name);
        }
      }
      assert.deepEqual(
        service().log.filter((line) => JSON.parse(line).level >= 50),
        [],
      );
    });
  });
});
