import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { draft, importDrafts, importFactDrafts } from '../support/catalog.ts';
import type { ClientResponse } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { type TestMerchant, useService } from '../support/service.ts';

interface Changes {
  results: { identifier?: string; schedule_id?: string; name?: string }[];
  cursor: string;
  more: boolean;
}

const LISTS = ['products', 'schedules', 'campaigns', 'placements'];

forEachEngine((engine) => {
  const service = useService(engine);
  let token: string;
  let merchant: TestMerchant;
  before(async () => {
    token = await service().newOperatorToken();
    merchant = await service().newMerchant();
    await importDrafts(service(), merchant, [[draft('A'), draft('B')], [draft('C')]]);
    for (const name of ['one', 'two', 'three']) {
      const form = { name, type: 'T', access_token: merchant.token };
      assert.equal((await service().request('POST', '/campaigns', { form })).status, 200);
    }
    const schedules = ['A', 'B', 'C'].map((product_identifier) => ({
      schedule_id: product_identifier,
      product_identifier,
      scheduled_at: '2026-01-01T00:00:00Z',
      sold: false,
    }));
    const sent = await service().operator('POST', `/merchants/${merchant.id}/schedules`, token, {
      body: schedules.map((each) => `${JSON.stringify(each)}\n`).join(''),
      headers: { 'content-type': 'application/x-ndjson' },
    });
    assert.equal(sent.status, 200);
    const campaigns = (await service().get('/campaigns', merchant)).json<{ internal_id: string }[]>();
    const facts = campaigns.map(({ internal_id: campaign_id }) => ({
      ...{ merchant: null, placement_id: campaign_id, campaign_id, product_identifier: 'A' },
      ...{ delivered_at: service().now(), price: 2_500 },
    }));
    assert.equal((await importFactDrafts(service(), merchant, [facts])).created, 3);
  });

  const get = (
    list: string,
    query: Record<string, string>,
    headers = {},
    { id }: { id: number | string } = merchant,
  ): Promise<ClientResponse> =>
    service().operator('GET', `/merchants/${id}/${list}?${new URLSearchParams(query)}`, token, { headers });

  for (const list of LISTS) {
    describe(`GET /merchants/{external_id}/${list}?changed_since=`, () => {
      it('lists what v1 lists, with the same cursors', async () => {
        let cursor = 'start';
        let listed = 0;
        for (;;) {
          const query = { changed_since: cursor, per_page: '2' };
          const response = await get(list, query);
          assert.equal(response.status, 200, response.text);
          assert.equal(response.text, (await service().get(`/${list}`, merchant, query)).text);
          const page = response.json<Changes>();
          listed += page.results.length;
          cursor = page.cursor;
          if (!page.more) break;
        }
        assert.equal(listed, 3);
        const [last] = [await get(list, { changed_since: cursor })];
        assert.deepEqual(last.json<Changes>().results, []);
        const headers = { 'if-none-match': last.header('etag') };
        assert.equal((await get(list, { changed_since: cursor }, headers)).status, 304);
      });

      it('400 and 404: without changed_since, with other parameters, and for an unknown merchant', async () => {
        expectError(await get(list, {}), 400, /^changed_since: missing/);
        expectError(await get(list, { changed_since: 'x' }), 400, /^changed_since: not a complete cursor/);
        expectError(
          await get(list, { changed_since: 'start', page: '1' }),
          400,
          /^The following parameters were provided but are not recognized: page/,
        );
        expectError(
          await get(list, { changed_since: 'start', per_page: '1001' }),
          400,
          /^per_page: expected/,
        );
        expectError(await get(list, { changed_since: 'start' }, {}, { id: 'nobody' }), 404, /no merchant/);
        const stranger = await service().newMerchant();
        const { cursor } = (await get(list, { changed_since: 'start' })).json<Changes>();
        expectError(await get(list, { changed_since: cursor }, {}, stranger), 400, /another merchant/);
      });
    });
  }
});
