import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { intercept } from '../../src/database/intercept.ts';
import { findMerchantByExternalId } from '../../src/merchants/queries.ts';
import type { StreamSummary } from '../../src/operator/streams/stream-schema.ts';
import type { ClientResponse, RequestOptions } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { startTestService, type TestMerchant, useService } from '../support/service.ts';
import { until } from '../support/until.ts';

const NDJSON = { 'content-type': 'application/x-ndjson' };
const lines = (objects: readonly object[]): string =>
  objects.map((each) => `${JSON.stringify(each)}\n`).join('');
const products = (from: number, count: number, fields = {}): object[] =>
  Array.from({ length: count }, (_, index) => ({ identifier: `P-${from + index}`, title: 'Pot', ...fields }));

forEachEngine((engine) => {
  const service = useService(engine);
  let token: string;
  before(async () => {
    token = await service().newOperatorToken();
  });

  const post = (
    { id }: { id: number | string },
    body: string | Buffer,
    kind = 'products',
    headers: Record<string, string> = {},
  ): Promise<ClientResponse> =>
    service().operator('POST', `/merchants/${id}/${kind}`, token, {
      body,
      headers: { ...NDJSON, ...headers },
    });
  const countProducts = async ({ token: own }: TestMerchant): Promise<number> => {
    const response = await service().get(
      '/products.json',
      { token: own },
      { pagination: 'true', per_page: '1' },
    );
    return response.json<{ total_entries: number }>().total_entries;
  };

  async function open({ id }: { id: number }): Promise<ClientRequest> {
    const ca = await readFile(join(service().config.dataDirectory, 'tls-cert.pem'), 'utf8');
    const { hostname, port } = service().client.origin;
    const request = httpsRequest({
      host: hostname,
      port,
      ca,
      method: 'POST',
      path: `/operator/v1/merchants/${id}/products`,
      headers: { ...NDJSON, authorization: `Bearer ${token}` },
    });
    request.on('error', () => {});
    request.flushHeaders();
    return request;
  }
  async function answered(request: ClientRequest): Promise<{ status: number; text: string }> {
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    let text = '';
    for await (const chunk of response) text += chunk;
    return { status: response.statusCode ?? 0, text };
  }

  describe('POST /merchants/{external_id}/products', () => {
    it('imports lines with the operator’s authority, and names what it rejects', async () => {
      const merchant = await service().newMerchant();
      const sent = [
        ...products(0, 3, { status: 'banned', sales_count: 7 }),
        { identifier: 'P-3', retail_price: 'free', color: 'red' },
        { identifier: 'P-4', merchant: merchant.id },
        { identifier: 'P-5', merchant: 'another' },
        { identifier: 'P-0', title: 'Vase' },
      ];
      const response = await post(merchant, `${lines(sent)}\nnot json\n`);
      assert.equal(response.status, 200);
      const { rejections, ...counts } = response.json<StreamSummary>();
      assert.deepEqual(counts, {
        created: 4,
        updated: 1,
        unchanged: 0,
        rejected: 3,
        repeated: 1,
        unlisted_rejections: 0,
      });
      assert.deepEqual(
        rejections.map(({ line, name, value }) => [line, name, value]),
        [
          [4, 'retail_price', 'free'],
          [4, 'color', 'red'],
          [6, 'merchant', 'another'],
          [9, null, 'not json'],
        ],
      );
      const query = { identifier: 'P-0' };
      const product = await service().get('/products/retrieve.json', merchant, query);
      const { title, status, sales_count } = product.json<Record<string, unknown>>();
      assert.deepEqual({ title, status, sales_count }, { title: 'Vase', status: 'banned', sales_count: 7 });
    });

    it('can be repeated: lines that are stored are unchanged; compressed or not', async () => {
      const merchant = await service().newMerchant();
      const body = lines(products(0, 10));
      assert.equal((await post(merchant, body)).json<StreamSummary>().created, 10);
      assert.equal((await post(merchant, body)).json<StreamSummary>().unchanged, 10);
      const headers = { 'content-encoding': 'gzip' };
      const compressed = await post(merchant, gzipSync(body), 'products', headers);
      assert.equal(compressed.json<StreamSummary>().unchanged, 10);
      expectError(
        await post(merchant, body, 'products', headers),
        400,
        /^The post data cannot be read: The gzip/,
      );
      const truncated = gzipSync(lines(products(10, 10))).subarray(0, -12);
      expectError(await post(merchant, truncated, 'products', headers), 400, /gzip data is truncated/);
    });

    it('lists the first 1,000 reasons for rejecting lines, and how many more there are', async () => {
      const merchant = await service().newMerchant();
      const response = await post(merchant, '{"identifier": ""}\n'.repeat(1_200));
      const { rejected, rejections, unlisted_rejections } = response.json<StreamSummary>();
      assert.deepEqual([rejected, rejections.length, unlisted_rejections], [1_200, 1_000, 200]);
    });

    it('makes every 4,000 lines durable while the stream continues, and other requests are served', async () => {
      const merchant = await service().newMerchant();
      const request = await open(merchant);
      request.write(lines(products(0, 4_000)));
      // A batch ends with the chunk of the stream in which the 4,000th line ends.
      await until(async () => (await countProducts(merchant)) >= 4_000);
      request.end(lines(products(4_000, 10)));
      const { status, text } = await answered(request);
      assert.equal(status, 200, text);
      assert.equal((JSON.parse(text) as StreamSummary).created, 4_010);
      assert.equal(await countProducts(merchant), 4_010);
    });

    it('lets other merchants write while it is imported', async () => {
      const [merchant, other] = [await service().newMerchant(), await service().newMerchant()];
      let isDone = false;
      const streamed = post(merchant, lines(products(0, 30_000))).finally(() => {
        isDone = true;
      });
      let written = 0;
      for (; !isDone; written += 1) {
        const form = { name: 'N', type: 'T', access_token: other.token };
        const response = await service().request('POST', '/campaigns', { form });
        assert.equal(response.status, 200, response.text);
      }
      assert.equal((await streamed).json<StreamSummary>().created, 30_000);
      assert.ok(written > 0);
    });

    it('keeps what is durable if the connection breaks, and accepts the stream again', async () => {
      const merchant = await service().newMerchant();
      const request = await open(merchant);
      request.write(lines(products(0, 4_000)));
      await until(async () => (await countProducts(merchant)) >= 4_000);
      request.write(lines(products(4_000, 1)).slice(0, -5));
      request.destroy();
      await until(() => service().log.some((line) => line.includes('"status":499')));
      assert.equal(await countProducts(merchant), 4_000);
      const again = (await post(merchant, lines(products(0, 4_001)))).json<StreamSummary>();
      assert.deepEqual([again.created, again.unchanged], [1, 4_000]);
    });

    it('409: stops when the merchant is suspended, and refuses its streams until it is active', async () => {
      const merchant = await service().newMerchant();
      const setState = (state: string) =>
        service().operator('PUT', `/merchants/${merchant.id}`, token, { json: { state } });
      const request = await open(merchant);
      request.write(lines(products(0, 4_000)));
      await until(async () => (await countProducts(merchant)) >= 4_000);
      await setState('suspended');
      request.write(lines(products(4_000, 4_000)));
      const { status, text } = await answered(request);
      assert.equal(status, 409);
      assert.match(text, /The merchant is suspended/);
      expectError(await post(merchant, lines(products(0, 1))), 409, /^The merchant is suspended/);
      await setState('active');
      assert.equal(await countProducts(merchant), 4_000);
      assert.equal((await post(merchant, lines(products(0, 1)))).status, 200);
    });

    it('503: if 4 streams are in progress; other merchants’ requests are not affected', async () => {
      const merchant = await service().newMerchant();
      const requests = await Promise.all([1, 2, 3, 4, 5].map(() => open(merchant)));
      const answers = requests.map((request) => answered(request));
      assert.equal((await Promise.race(answers)).status, 503);
      const refused = await post(merchant, lines(products(0, 1)));
      expectError(refused, 503, /^Too many streams in progress/);
      assert.equal(refused.header('retry-after'), '5');
      assert.equal((await service().get('/products.json', await service().newMerchant())).status, 200);
      for (const request of requests) request.end(lines(products(1, 1)));
      const statuses = (await Promise.all(answers)).map(({ status }) => status);
      assert.deepEqual(statuses.sort(), [200, 200, 200, 200, 503]);
      assert.equal((await post(merchant, lines(products(0, 1)))).status, 200);
    });

    it('does not wait for the lines of a client that disconnected before its stream began', async () => {
      const released = Promise.withResolvers<void>();
      let held = 0;
      await using slow = await startTestService(engine, {
        wrap: (database) =>
          intercept(database, {
            first: async (statement, ...parameters) => {
              if ((statement as unknown) === findMerchantByExternalId) {
                held += 1;
                await released.promise;
              }
              return await database.first(statement, ...parameters);
            },
          }),
      });
      const { id } = await slow.newMerchant();
      const operatorToken = await slow.newOperatorToken();
      const send = (options: RequestOptions = {}): Promise<ClientResponse> =>
        slow.operator('POST', `/merchants/${id}/products`, operatorToken, {
          body: lines(products(0, 1)),
          headers: NDJSON,
          ...options,
        });
      const leaving = new AbortController();
      const left = Array.from({ length: 4 }, () => assert.rejects(send({ signal: leaving.signal })));
      await until(() => held === 4);
      leaving.abort();
      await Promise.all(left);
      await until(() => slow.log.filter((line) => line.includes('"status":499')).length === 4);
      released.resolve();
      // The places would otherwise be free after 30 seconds.
      await until(async () => (await send()).status === 200, { timeoutMs: 15_000 });
    });

    it('400 and 404: for other post data, parameters and an unknown merchant', async () => {
      const merchant = await service().newMerchant();
      const body = lines(products(0, 1));
      const type = /^The post data cannot be read: its Content-Type must be application\/x-ndjson\.$/;
      for (const contentType of ['application/json', 'text/csv', 'application/x-ndjsonx'])
        expectError(await post(merchant, body, 'products', { 'content-type': contentType }), 400, type);
      expectError(await post(merchant, '', 'products', { 'content-type': 'text/plain' }), 400, type);
      expectError(
        await post(merchant, body, 'products', { 'content-encoding': 'br' }),
        400,
        /other than gzip/,
      );
      expectError(
        await post(merchant, body, 'products?dry_run=1'),
        400,
        /^The following parameters were provided but are not recognized: dry_run\.$/,
      );
      expectError(await post({ id: 'nobody' }, body), 404, /^There is no merchant/);
      assert.equal(await countProducts(merchant), 0);
      const none = (await post(merchant, '\n')).json<StreamSummary>();
      assert.deepEqual([none.created, none.rejected], [0, 0]);
    });
  });

  describe('POST /merchants/{external_id}/schedules', () => {
    it('imports schedules, which determine the monthly sales', async () => {
      const merchant = await service().newMerchant();
      await post(merchant, lines(products(0, 1)));
      const schedule = {
        schedule_id: 'S-1',
        product_identifier: 'P-0',
        scheduled_at: '2026-01-10T10:00:00Z',
        sold: true,
        sale_price: 12.5,
      };
      const sent = lines([schedule, { ...schedule, schedule_id: 'S-2', product_identifier: 'P-9' }]);
      const response = await post(merchant, sent, 'schedules');
      const { created, rejected, rejections } = response.json<StreamSummary>();
      assert.deepEqual([created, rejected], [1, 1]);
      assert.deepEqual(rejections[0]?.name, 'product_identifier');
      const sales = (await service().get('/performance/sales.json', merchant)).json<
        { total_sales: number }[]
      >();
      assert.deepEqual(
        sales.map(({ total_sales }) => total_sales),
        [12.5],
      );
    });
  });
});
