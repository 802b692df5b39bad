import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { CallGroupList, FailedCallPage } from '../../src/operator/calls/call-schema.ts';
import { MAX_COUNTED_FAILURES } from '../../src/requests/group-failures.ts';
import { insertFailedRequest } from '../../src/requests/queries.ts';
import { idPrefix } from '../../src/requests/retention.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { type TestMerchant, useService } from '../support/service.ts';
import { until } from '../support/until.ts';

const HOUR_MS = 60 * 60 * 1000;

forEachEngine((engine) => {
  const service = useService(engine);
  let token: string;
  let merchants: TestMerchant[];

  before(async () => {
    token = await service().newOperatorToken(['merchants']);
    merchants = [await service().newMerchant(), await service().newMerchant()];
  });

  const groupsOf = async (query: Record<string, string> = {}): Promise<CallGroupList> => {
    const response = await service().operator('GET', `/calls?${new URLSearchParams(query)}`, token);
    assert.equal(response.status, 200, response.text);
    return response.json<CallGroupList>();
  };

  async function store(merchantId: number, count: number, { at, path }: { at: number; path: string }) {
    const rows = Array.from({ length: count }, (_, index) => ({
      merchant_id: merchantId,
      id: `${idPrefix(at)}-${index.toString(16).padStart(10, '0')}-${path.length}`,
      ...{ at, path, key_id: 1, client: 'Ledger 7', method: 'GET', parameters: '[]' },
      ...{ status: 404, error: 'not_found', message: 'There is nothing here.', request_id: 'r' },
    }));
    await service().database.transaction(async (connection) => connection.send(insertFailedRequest, rows), {
      merchantId,
    });
  }

  describe('the failed calls of all merchants', () => {
    it('are grouped by cause and endpoint, with the merchants that they affect, most affected first', async () => {
      const [one, other] = merchants;
      assert.ok(one !== undefined && other !== undefined);
      const fail = async ({ token: access_token }: TestMerchant, times: number): Promise<void> => {
        for (let count = 0; count < times; count += 1)
          await service().get('/products', { token: access_token }, { page: '0' });
      };
      await fail(one, 1);
      await fail(other, 2);
      await service().get('/variations/retrieve', one, { identifier: 'none' });
      const { groups, calls, more } = await until(async () => {
        const list = await groupsOf();
        return list.calls === 4 && list;
      });
      assert.equal(more, false);
      assert.equal(calls, 4);
      assert.deepEqual(
        groups.map(({ status, error, method, path, calls, merchants: count, affected }) => ({
          ...{ status, error, method, path, calls, merchants: count },
          affected: affected.map(({ external_id, calls }) => [external_id, calls]),
        })),
        [
          {
            ...{ status: 400, error: 'invalid_parameters', method: 'GET', path: '/v1/products' },
            ...{ calls: 3, merchants: 2 },
            affected: [
              [String(other.id), 2],
              [String(one.id), 1],
            ],
          },
          {
            ...{ status: 404, error: 'variation_not_found', method: 'GET', path: '/v1/variations/retrieve' },
            ...{ calls: 1, merchants: 1 },
            affected: [[String(one.id), 1]],
          },
        ],
      );
      assert.equal(groups[0]?.last_at, new Date(service().now()).toISOString());
      const [bounded, ...others] = (await groupsOf({ error: 'invalid_parameters', affected: '1' })).groups;
      assert.deepEqual([bounded?.merchants, bounded?.affected.length, others], [2, 1, []]);
      assert.equal((await groupsOf({ limit: '1' })).more, true);
    });

    it('are in the log of their merchant, which has the same filters', async () => {
      const [one] = merchants;
      const list = async (query: string): Promise<FailedCallPage> =>
        (
          await service().operator('GET', `/merchants/${one?.id}/calls${query}`, token)
        ).json<FailedCallPage>();
      const all = await list('');
      assert.deepEqual(
        all.results.map(({ error }) => error),
        ['variation_not_found', 'invalid_parameters'],
      );
      const first = await list('?limit=1');
      assert.deepEqual(first.results, all.results.slice(0, 1));
      assert.deepEqual((await list(`?limit=1&after=${first.next}`)).results, all.results.slice(1));
      const found = await list('?error=invalid_parameters&method=GET&path=/v1/products&status=400');
      assert.deepEqual(found.results, all.results.slice(1));
      expectError(await service().operator('GET', '/merchants/nobody/calls', token), 404, /no merchant/);
    });

    it('include test keys, and nothing from before the hours', async () => {
      const [one] = merchants;
      assert.ok(one !== undefined);
      const path = '/v1/elsewhere';
      await store(-one.id, 1, { at: service().now(), path });
      await store(one.id, 1, { at: service().now() - 2 * HOUR_MS, path });
      assert.deepEqual(
        (await groupsOf({ path, hours: '1' })).groups.map(({ calls, merchants: count }) => [calls, count]),
        [[1, 1]],
      );
      const [both] = (await groupsOf({ path, hours: '3' })).groups;
      assert.deepEqual([both?.calls, both?.merchants, both?.affected[0]?.calls], [2, 1, 2]);
    });

    it('are at most the newest 10,000: the response says since when', async () => {
      const [one] = merchants;
      assert.ok(one !== undefined);
      service().passTime(24 * HOUR_MS);
      const at = service().now();
      const path = '/v1/flood';
      await store(one.id, 10, { at: at - HOUR_MS, path });
      assert.equal((await groupsOf({ path })).since, new Date(at - 24 * HOUR_MS).toISOString());
      await store(one.id, MAX_COUNTED_FAILURES, { at, path });
      const { since, calls } = await groupsOf({ path });
      assert.deepEqual([since, calls], [new Date(at).toISOString(), MAX_COUNTED_FAILURES]);
    });
  });
});
