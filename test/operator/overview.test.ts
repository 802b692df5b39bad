import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { OPERATOR_ID } from '../../src/database/sides.ts';
import { statement } from '../../src/database/statement.ts';
import { runVerb } from '../../src/database/write-context.ts';
import type { OperatorOverview } from '../../src/operator/overview/read-overview.ts';
import { deleteOldRequests } from '../../src/requests/retention.ts';
import type { ScheduleDraft } from '../../src/sales/schedule-draft.ts';
import { createWebhook } from '../../src/webhooks/manage-webhooks.ts';
import { setFailing } from '../../src/webhooks/queries.ts';
import { draft, importDrafts, importFactDrafts, importScheduleDrafts } from '../support/catalog.ts';
import { createEndpointCampaigns } from '../support/endpoints.ts';
import { forEachEngine } from '../support/engines.ts';
import { type TestMerchant, useService } from '../support/service.ts';
import { until } from '../support/until.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** Longer than any overview is kept. */
const KEPT_MS = 10 * 60 * 1000;

/** Returns the parts of a figure, all of it in the last one. */
function parts(count: number, last = 0): number[] {
  return [...Array<number>(count - 1).fill(0), last];
}

/** Calls, and merchants with calls, are written independently of each other. */
const countTotals = statement<unknown, { requests: number; merchants: number }>(
  `SELECT CAST(coalesce(sum(requests), 0) AS bigint) AS requests,
     (SELECT count(DISTINCT merchant_id) FROM usage_hours WHERE merchant_id > 0) AS merchants
   FROM call_totals`,
);

forEachEngine((engine) => {
  const service = useService(engine);
  let token: string;
  before(async () => {
    token = await service().newOperatorToken();
  });

  const read = async (): Promise<OperatorOverview> => {
    const response = await service().operator('GET', '/overview', token);
    assert.equal(response.status, 200, response.text);
    const overview = response.json<OperatorOverview>();
    // What doctor finds depends on the machine, whose clock the test leaves behind.
    const attention = overview.attention.filter(({ concern }) => !concern.startsWith('installation_'));
    return { ...overview, attention };
  };
  const readAnew = async (): Promise<OperatorOverview> => {
    service().passTime(KEPT_MS);
    return await read();
  };
  const newMerchant = async (name: string, currency: string): Promise<TestMerchant> => {
    const put = await service().operator('PUT', `/merchants/${name}`, token, { json: { name, currency } });
    assert.equal(put.status, 201, put.text);
    const { id } = put.json<{ id: number }>();
    const key = { json: { name: 'ERP' } };
    const created = await service().operator('POST', `/merchants/${name}/keys`, token, key);
    const { id: keyId, access_token } = created.json<{ id: string; access_token: string }>();
    return { id, keyId, token: access_token };
  };
  const sell = async (merchant: TestMerchant, sales: [ago: number, price: number][]): Promise<void> => {
    const drafts = sales.map(
      ([ago, price], index): ScheduleDraft => ({
        schedule_id: `S-${index}`,
        product_identifier: 'POT-1',
        scheduled_at: service().now() - ago,
        sold: true,
        merchant: null,
        sale_price: price * 100,
        rating: null,
      }),
    );
    const { rejections } = await importScheduleDrafts(service(), merchant, [drafts]);
    assert.deepEqual(rejections, []);
  };

  describe('GET /overview', () => {
    it('has no figures but merchants in a new marketplace', async () => {
      // The operator's own key may have an event.
      await until(async () => (await readAnew()).queues.events.waiting === 0);
      const { at: _, periods, ...rest } = await read();
      assert.deepEqual(rest, {
        attention: [],
        merchants: { active: 0, suspended: 0, calls_failing: 0, webhooks_failing: 0 },
        queues: {
          events: { waiting: 0, oldest_seconds: 0 },
          webhooks: { enabled: 0, failing: 0, disabled: 0, waiting: 0, oldest_seconds: 0 },
          mails: { waiting: 0, oldest_seconds: 0 },
          imports: { running: 0 },
        },
        ad_spend_today: [],
      });
      assert.deepEqual(
        periods.map(({ period, calls, sales, ad_spend }) => [period, calls, sales, ad_spend]),
        [
          ['day', { current: 0, previous: 0, parts: parts(24) }, [], []],
          ['week', { current: 0, previous: 0, parts: parts(7) }, [], []],
        ],
      );
    });

    it('is kept for some seconds', async () => {
      const { at, merchants } = await readAnew();
      await newMerchant('kept', 'EUR');
      assert.deepEqual((await read()).merchants, merchants);
      const later = await readAnew();
      assert.equal(later.merchants.active, merchants.active + 1);
      assert.ok(later.at > at);
    });

    it('counts calls with live keys, failed ones and active merchants, and compares them', async () => {
      const merchant = await service().newMerchant();
      const test = await service().newTestKey(merchant);
      await service().get('/account.json', merchant);
      await service().get('/products.json', merchant, { per_page: 'many' });
      await service().get('/account.json', { token: test.token });
      const stored = () => service().database.first(countTotals);
      await until(async () => isDeepStrictEqual({ ...(await stored()) }, { requests: 2, merchants: 1 }));
      const [day, week] = (await readAnew()).periods;
      assert.deepEqual(
        [day?.calls, day?.failed_calls, day?.active_merchants],
        [
          { current: 2, previous: 0, parts: parts(24, 2) },
          { current: 1, previous: 0, parts: parts(24, 1) },
          { current: 1, previous: 0, parts: [] },
        ],
      );
      assert.deepEqual(week?.calls, { current: 2, previous: 0, parts: parts(7, 2) });
      service().passTime(DAY_MS + HOUR_MS);
      const [nextDay, sameWeek] = (await readAnew()).periods;
      assert.deepEqual(
        [nextDay?.calls, nextDay?.failed_calls, nextDay?.active_merchants],
        [
          { current: 0, previous: 2, parts: parts(24) },
          { current: 0, previous: 1, parts: parts(24) },
          { current: 0, previous: 1, parts: [] },
        ],
      );
      assert.deepEqual(sameWeek?.calls, { current: 2, previous: 0, parts: [0, 0, 0, 0, 0, 2, 0] });
      service().passTime(7 * DAY_MS);
      assert.deepEqual((await readAnew()).periods[1]?.calls, { current: 0, previous: 2, parts: parts(7) });
      service().passTime(8 * DAY_MS);
      await deleteOldRequests(service().database, service().now());
      assert.equal((await stored())?.requests, 0);
    });

    it('adds up sales by currency, without future ones', async () => {
      const [euros, dollars] = [await newMerchant('euros', 'EUR'), await newMerchant('dollars', 'USD')];
      for (const merchant of [euros, dollars]) await importDrafts(service(), merchant, [[draft('POT-1')]]);
      const days = (count: number): number => count * DAY_MS;
      await sell(euros, [
        [HOUR_MS, 10.5],
        [days(1) + HOUR_MS, 20],
        [days(5), 30],
        [days(8), 40],
        [days(15), 50],
        [-days(1), 60],
      ]);
      await sell(dollars, [[HOUR_MS, 1]]);
      const [day, week] = (await readAnew()).periods;
      assert.deepEqual(day?.sales, [
        {
          currency: 'EUR',
          sold: { current: 1, previous: 1, parts: [] },
          amount: { current: 10.5, previous: 20, parts: [] },
        },
        {
          currency: 'USD',
          sold: { current: 1, previous: 0, parts: [] },
          amount: { current: 1, previous: 0, parts: [] },
        },
      ]);
      assert.deepEqual(week?.sales[0], {
        currency: 'EUR',
        sold: { current: 3, previous: 1, parts: [] },
        amount: { current: 60.5, previous: 40, parts: [0, 30, 0, 0, 0, 20, 10.5] },
      });
    });

    it('adds up what ads cost on whole days, and today, by currency', async () => {
      const merchant = await newMerchant('ads', 'EUR');
      await importDrafts(service(), merchant, [[draft('POT-1')]]);
      await createEndpointCampaigns(service(), merchant);
      const noon = Math.floor(service().now() / DAY_MS) * DAY_MS + 12 * HOUR_MS;
      service().passTime(noon + HOUR_MS - service().now() + DAY_MS);
      const costs: [days: number, price: number][] = [
        [0, 1],
        [1, 2],
        [2, 4],
        [7, 8],
        [8, 16],
        [14, 32],
        [15, 64],
      ];
      const facts = costs.map(([days, price]) => ({
        placement_id: `P-${days}`,
        campaign_id: 'C-1',
        product_identifier: 'POT-1',
        delivered_at: noon + DAY_MS - days * DAY_MS,
        price: price * 10_000,
      }));
      const { rejections } = await importFactDrafts(service(), merchant, [
        facts.map((fact) => ({ ...fact, merchant: null })),
      ]);
      assert.deepEqual(rejections, []);
      const { periods, ad_spend_today } = await readAnew();
      assert.deepEqual(ad_spend_today, [{ currency: 'EUR', amount: 1 }]);
      assert.deepEqual(
        periods.map(({ ad_spend }) => ad_spend),
        [
          [{ currency: 'EUR', amount: { current: 2, previous: 4, parts: [] } }],
          [
            {
              currency: 'EUR',
              amount: { current: 14, previous: 48, parts: [8, 0, 0, 0, 0, 4, 2] },
            },
          ],
        ],
      );
      const day = (days: number): string =>
        new Date(noon + DAY_MS - days * DAY_MS).toISOString().slice(0, 10);
      assert.deepEqual(
        periods.map(({ ad_spend_from, ad_spend_to }) => [ad_spend_from, ad_spend_to]),
        [
          [day(1), day(1)],
          [day(7), day(1)],
        ],
      );
    });

    it('says what needs attention, with the call that lists it', async () => {
      const merchant = await service().newMerchant();
      for (let call = 0; call < 5; call += 1)
        await service().get('/products.json', merchant, { per_page: 'many' });
      const fields = { url: 'https://market.example/', types: [], description: '' };
      for (const owner of [OPERATOR_ID, merchant.id]) {
        const { id } = await runVerb(service(), service().webhooksOf(owner), createWebhook, fields);
        await service().database.transaction((connection) =>
          connection.run(setFailing, { id, failingSince: service().now() }),
        );
      }
      const failing = async (): Promise<unknown[]> =>
        (await service().operator('GET', '/merchants?failing=calls', token)).json<{ results: [] }>().results;
      await until(async () => (await failing()).length === 1);
      const attention = (await readAnew()).attention.map(
        ({ concern, count, call }) => [concern, count, call] as const,
      );
      assert.deepEqual(attention, [
        ['operator_webhooks_failing', 1, 'webhooks'],
        ['merchants_calls_failing', 1, 'merchants?failing=calls'],
        ['merchants_webhooks_failing', 1, 'merchants?failing=webhooks'],
      ]);
      for (const [, count, call] of attention) {
        const { results } = (await service().operator('GET', `/${call}`, token)).json<{ results: [] }>();
        assert.equal(results.length, count);
      }
      const { merchants } = await read();
      assert.deepEqual([merchants.calls_failing, merchants.webhooks_failing], [1, 1]);
    });
  });
});
