import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { draft, importDrafts } from '../support/catalog.ts';
import type { ClientResponse } from '../support/client.ts';
import { forEachEngine, sqlite } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { enlargeRecords } from '../support/large-records.ts';
import { type TestMerchant, useService } from '../support/service.ts';
import { accepted, postAs } from '../support/writes.ts';

interface Batch {
  results: {
    line: number;
    identifier: string | null;
    result: string;
    errors: { name: string; reason: string }[];
  }[];
  created: number;
  updated: number;
  unchanged: number;
  rejected: number;
}

forEachEngine((engine) => {
  const service = useService(engine, { environment: { BUDGETS: 'categories=4' } });
  let merchant: TestMerchant;
  before(async () => {
    merchant = await service().newMerchant();
  });

  const send = (
    body: string | Buffer,
    { type = 'application/x-ndjson', token = merchant.token, headers = {} } = {},
  ): Promise<ClientResponse> =>
    service().request('POST', '/products/batch', {
      body,
      headers: { 'content-type': type, authorization: `Bearer ${token}`, ...headers },
    });
  const ndjson = (lines: unknown[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const apply = async (...lines: unknown[]): Promise<Batch> => accepted(await send(ndjson(lines)));
  const outcomes = ({ results }: Batch): string[] => results.map(({ result }) => result);
  const errorsOf = ({ results }: Batch): string[] =>
    results.flatMap(({ line, errors }) => errors.map(({ name, reason }) => `${line} ${name}: ${reason}`));
  const retrieve = async (identifier: string): Promise<Record<string, unknown>> =>
    accepted(await service().get('/products/retrieve', merchant, { identifier }));
  const post = postAs(service, () => merchant);

  describe('POST products/batch', () => {
    it('200: a blank or null variation counts as not sent', async () => {
      const written = await apply(
        { identifier: 'BLANK', title: 'One', variation: '' },
        { identifier: 'BLANK', brand: 'B', variation: null },
      );
      assert.deepEqual(outcomes(written), ['created', 'updated']);
    });

    it('200: creates, updates and leaves products, in order, and sets stock', async () => {
      const created = await apply(
        { identifier: 'A1', title: 'One', variations: { 'A1-S': { quantity: 3 } } },
        { identifier: 'A2', title: 'Two', starting_bid: 2 },
        { identifier: 'A1', brand: 'B' },
        { identifier: 'A1', title: 'One' },
        { identifier: 'A1', variation: 'A1-S', quantity_change: -2, quantity_was: 3 },
        { identifier: 'A1', variation: 'A1-S', quantity: 1 },
      );
      assert.deepEqual(outcomes(created), [
        'created',
        'created',
        'updated',
        'unchanged',
        'updated',
        'unchanged',
      ]);
      assert.deepEqual(Object.keys(created), ['results', 'created', 'updated', 'unchanged', 'rejected']);
      assert.deepEqual(Object.values(created).slice(1), [2, 2, 2, 0]);
      assert.deepEqual(created.results[4], { line: 5, identifier: 'A1', result: 'updated', errors: [] });
      const one = await retrieve('A1');
      assert.deepEqual(
        [one.title, one.brand, one.available_quantity, one.status],
        ['One', 'B', 1, 'low_inventory'],
      );
      assert.equal((await retrieve('A2')).minimum_bid_amount, 2);
      const again = await apply(
        one,
        { ...one, brand: null },
        { identifier: 'A2', variations: [{ identifier: 'A2-S' }] },
      );
      assert.deepEqual(outcomes(again), ['unchanged', 'updated', 'updated']);
      assert.equal((await retrieve('A1')).brand, null);
    });

    it('200: a rejected line says why, as the single calls do, and changes nothing; the others are stored', async () => {
      await importDrafts(service(), merchant, [
        [
          draft('R-GONE', { deleted_at: '2026-01-01T00:00:00Z' }),
          draft('R-OTHER', {}, [{ identifier: 'R-O-S' }]),
        ],
      ]);
      await post('/products', {
        identifier: 'R1',
        title: 'T',
        'variations[R1-S][quantity]': '2',
        brand: 'B',
      });
      const lines: [line: unknown, errors: RegExp[]][] = [
        [{ identifier: 'R1', colour: 'red', retail_price: -1 }, [/^colour: unrecognized/, /^retail_price: /]],
        [{ identifier: 'R1', slug: 's' }, [/^slug: read-only/]],
        [
          { identifier: 'R1', sales_count: 7, status: 'banned' },
          [/^status: read-only/, /^sales_count: read-only/],
        ],
        [{ identifier: 'R1', title: null }, [/^title: expected text, not null/]],
        [{ identifier: 'R1', variations: { 'R-O-S': {} } }, [/^variations\[R-O-S\]: .*another product/]],
        [{ identifier: 'R2' }, [/^title: missing/]],
        [{ title: 'T' }, [/^identifier: missing/]],
        [{ identifier: '?', title: 'T' }, [/^identifier: expected letters/]],
        [{ identifier: 'R-GONE', title: 'T' }, [/^identifier: the product R-GONE is deleted/]],
        [{ identifier: 'R2', variation: 'X', quantity: 1 }, [/^identifier: there is no product .* R2$/]],
        [
          { identifier: 'R1', variation: 'R-O-S', quantity: 1 },
          [/^variation: the product R1 has no variation/],
        ],
        [
          { identifier: 'R1', variation: 'R1-S', quantity_change: -3 },
          [/^quantity_change: the current quantity is 2/],
        ],
        [
          { identifier: 'R1', variation: 'R1-S', quantity: 3, quantity_was: 1 },
          [/^quantity_was: the current/],
        ],
        [{ identifier: 'R1', variation: 'R1-S' }, [/^quantity: missing/]],
        [{ identifier: 'R1', primary_image: 'data:,' }, [/^primary_image: expected a URL that starts/]],
        [
          { identifier: 'R1', variations: { 'R1-M': { quantity: 2147483646 } } },
          [/^available_quantity: expected at most 2147483647, found 2147483648 as the sum/],
        ],
        [
          { identifier: 'R1', variation: 'R1-S', quantity: 1, quantity_change: 1 },
          [/^quantity_change: send exactly/],
        ],
        [{ identifier: 'R1', variation: 'R1-S', quantity: 1, title: 'T' }, [/^title: unrecognized/]],
        [{ identifier: 'R1', access_token: merchant.token }, [/^access_token: unrecognized/]],
        ['text', [/^: expected a JSON object$/]],
        [[], [/^: expected a JSON object$/]],
        [{ identifier: 'R3', title: 'T' }, []],
      ];
      const before = await retrieve('R1');
      const batch = await apply(...lines.map(([line]) => line));
      for (const [index, [line, patterns]] of lines.entries()) {
        const { errors, result } = batch.results[index] ?? assert.fail();
        const shown = errors.map(({ name, reason }) => `${name}: ${reason}`);
        assert.equal(shown.length, patterns.length, `${JSON.stringify(line)}: ${shown.join(' ')}`);
        for (const [place, pattern] of patterns.entries()) assert.match(shown[place] ?? '', pattern);
        assert.equal(result, patterns.length === 0 ? 'created' : 'rejected');
      }
      assert.equal(batch.rejected, lines.length - 1);
      assert.deepEqual(batch.results.at(7)?.identifier, null);
      assert.deepEqual(await retrieve('R1'), before);
      assert.equal((await retrieve('R3')).title, 'T');
      const missing = await service().get('/products/retrieve', merchant, { identifier: 'R2' });
      expectError(missing, 404, /R2/);
    });

    it('200: lines that are not JSON are rejected by their number; blank lines count', async () => {
      const text = `{"identifier":"N1","title":"T"}\r\n\n{"identifier":"N2"\n${'['.repeat(101)}\n\n{"identifier":"N1"}`;
      const batch: Batch = accepted(await send(text));
      assert.deepEqual(
        batch.results.map(({ line, result }) => [line, result]),
        [
          [1, 'created'],
          [3, 'rejected'],
          [4, 'rejected'],
          [6, 'unchanged'],
        ],
      );
      assert.match(errorsOf(batch).join(), /^3 : .*not valid JSON,4 : expected at most 100 levels/);
    });

    it('200: a JSON array has the same result; an empty batch changes nothing', async () => {
      const list =
        ' [{"identifier":"J1","title":"a,b]"}, 7 ,"x", [1], null, {"identifier":"J1","brand":"B"} ] ';
      const batch: Batch = accepted(await send(list, { type: 'application/json; charset=utf-8' }));
      assert.deepEqual(outcomes(batch), ['created', ...Array(4).fill('rejected'), 'updated']);
      assert.equal((await retrieve('J1')).title, 'a,b]');
      for (const empty of ['', '[]', ' [ ] '])
        assert.equal(
          (await send(empty, { type: 'application/json' })).text,
          '{"results":[],"created":0,"updated":0,"unchanged":0,"rejected":0}',
        );
    });

    it('400: rejects a body of another kind, over 1,000 lines, over 1 MiB, or not UTF-8; 401: has no token', async () => {
      const line = (index: number): unknown => ({ identifier: `M${index}`, title: 'T' });
      const many = (count: number): string =>
        ndjson(Array.from({ length: count }, (_, index) => line(index)));
      for (const [body, type, message] of [
        [many(1_001), 'application/x-ndjson', /it has more than 1,000 lines/],
        ['{"identifier":"M0"}', 'application/json', /the JSON must be a list/],
        ['[{"identifier":"M0"', 'application/json', /not valid JSON/],
        [
          'identifier=M0',
          'application/x-www-form-urlencoded',
          /Content-Type must be application\/x-ndjson or/,
        ],
        [Buffer.from([0x7b, 0xff, 0x7d]), 'application/x-ndjson', /it is not UTF-8/],
        [' '.repeat(1024 * 1024 + 1), 'application/x-ndjson', /larger than 1 MiB/],
      ] as const) {
        expectError(await send(body, { type }), 400, message);
      }
      const headers = { 'content-type': 'application/x-ndjson' };
      const body = ndjson([{ access_token: merchant.token }]);
      expectError(await service().request('POST', '/products/batch', { body, headers }), 401, /is required/);
      const inQuery = `/products/batch.json?access_token=${merchant.token}`;
      assert.equal(
        accepted<Batch>(await service().request('POST', inQuery, { body: many(1_000), headers })).created,
        1_000,
      );
      const query = new URLSearchParams({ access_token: merchant.token, page: '1' });
      const unknown = await service().request('POST', `/products/batch?${query}`, { body, headers });
      expectError(unknown, 400, /^The following parameters were provided but are not recognized: page/);
    });

    it('200: accepts a line of 256 KB, and lists at most 20 errors of a line', async () => {
      const variations = Array.from({ length: 4_000 }, (_, index) => ({
        identifier: `L-${index}-${'x'.repeat(25)}`,
        quantity: 1,
      }));
      const long = { identifier: 'L1', title: 'T', description: 'é'.repeat(20_000), variations };
      assert.ok(JSON.stringify(long).length > 256 * 1024);
      const batch = await apply(long, { identifier: 'L2', title: 'T', variations: Array(1_000).fill({}) });
      assert.deepEqual(outcomes(batch), ['created', 'rejected']);
      assert.equal(batch.results[1]?.errors.length, 20);
      assert.equal((await retrieve('L1')).available_quantity, 4_000);
    });

    it('200: lines whose products have more than 32 MiB of records are rejected; the others are stored', async () => {
      const own = await service().newMerchant();
      const names = Array.from({ length: 36 }, (_, index) => `BIG-${index}`);
      await importDrafts(service(), own, [names.map((name) => draft(name))]);
      await enlargeRecords(service(), own, 1024 * 1024);
      const lines = [...names, 'BIG-0'].flatMap((identifier, index) => [
        { identifier, retail_price: 1 },
        { identifier: `NEW-${index}`, title: 'T' },
      ]);
      const batch: Batch = accepted(await send(ndjson(lines), { token: own.token }));
      assert.deepEqual(
        batch.results.flatMap(({ identifier, result }) => (result === 'rejected' ? [identifier] : [])),
        names.slice(27),
      );
      assert.match(
        errorsOf(batch)[0] ?? '',
        /^55 identifier: .* exceed 32 MiB; send this product in another/,
      );
      const rest = ndjson(names.slice(27).map((identifier) => ({ identifier, retail_price: 1 })));
      assert.equal(accepted<Batch>(await send(rest, { token: own.token })).updated, 9);
    });

    // Of this process, with either database.
    if (engine === sqlite)
      it('200: a thousand changes of a product with many variations cost little more than one', async () => {
        const own = await service().newMerchant();
        const sku = (index: number): string => `V${index}`;
        const variations = Object.fromEntries(
          Array.from({ length: 10_000 }, (_, index) => [sku(index), { quantity: 1, size: 'S' }]),
        );
        const measure = async (lines: unknown[]): Promise<number> => {
          const before = process.cpuUsage();
          const batch: Batch = accepted(await send(ndjson(lines), { token: own.token }));
          assert.equal(batch.rejected, 0);
          const { user } = process.cpuUsage(before);
          return user;
        };
        const once = await measure([{ identifier: 'A', title: 'T', variations }]);
        const indexes = Array.from({ length: 1_000 }, (_, index) => index);
        const changes: ((attempt: number) => unknown[])[] = [
          () => indexes.map((index) => ({ identifier: 'A', variation: sku(index), quantity_change: 1 })),
          (attempt) =>
            indexes.map((index) => ({ identifier: 'A', variation: sku(index), quantity: 2 + attempt })),
          (attempt) => indexes.map((index) => ({ identifier: 'A', brand: sku(index + attempt) })),
        ];
        for (const lines of changes) {
          // The least of three, because other processes slow this one down.
          const costs = [];
          for (const attempt of [1, 2, 3]) costs.push(await measure(lines(attempt)));
          // At least 10 times as much, if each line copied and compared the variations field by field.
          assert(Math.min(...costs) < 6 * once, `${costs.join(', ')} µs, and ${once} µs for one change`);
        }
      });

    it('200: the budget of categories applies to each line', async () => {
      const own = await service().newMerchant();
      const lines = ['a', 'b', 'c', 'd', 'e', 'a'].map((category, index) => ({
        identifier: `C${index}`,
        title: 'T',
        category,
      }));
      const batch: Batch = accepted(await send(ndjson(lines), { token: own.token }));
      assert.deepEqual(outcomes(batch), ['created', 'created', 'created', 'created', 'rejected', 'created']);
      assert.match(errorsOf(batch)[0] ?? '', /^5 category: Budget categories exceeded/);
    });

    it('200: with the same Idempotency-Key, applies once; 400 for other lines', async () => {
      await post('/products', { identifier: 'I1', title: 'T', 'variations[I1-S][quantity]': '9' });
      const body = ndjson([{ identifier: 'I1', variation: 'I1-S', quantity_change: -1 }]);
      const headers = { 'idempotency-key': 'batch' };
      const [first, second] = [await send(body, { headers }), await send(body, { headers })];
      assert.equal(first.status, 200, first.text);
      assert.equal(second.text, first.text);
      assert.equal((await retrieve('I1')).available_quantity, 8);
      expectError(await send(`${body}${body}`, { headers }), 400, /^Idempotency-Key: .*different request/);
    });

    it('200: another merchant’s products are new to a merchant', async () => {
      const other = await service().newMerchant();
      const batch: Batch = accepted(
        await send(ndjson([{ identifier: 'A1', brand: 'X' }]), { token: other.token }),
      );
      assert.deepEqual(outcomes(batch), ['rejected']);
      assert.match(errorsOf(batch)[0] ?? '', /^1 title: missing/);
    });
  });
});
