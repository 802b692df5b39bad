import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { allFigures, type Explanation } from '../../src/explain/explain-figure.ts';
import type { FactDraft } from '../../src/placements/facts/fact-draft.ts';
import type { ScheduleDraft } from '../../src/sales/schedule-draft.ts';
import { draft, importDrafts, importFactDrafts, importScheduleDrafts } from '../support/catalog.ts';
import type { ClientResponse } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import { expectError } from '../support/expect.ts';
import { orderDraft, pushDrafts } from '../support/orders.ts';
import { type TestMerchant, useService } from '../support/service.ts';

forEachEngine((engine) => {
  const service = useService(engine);

  const get = (merchant: TestMerchant, query: Record<string, string>): Promise<ClientResponse> =>
    service().get('/explain', merchant, query);

  async function explain(merchant: TestMerchant, query: Record<string, string>): Promise<Explanation> {
    const response = await get(merchant, query);
    assert.equal(response.status, 200, response.text);
    return response.json<Explanation>();
  }

  /** A merchant with the product VASE, which is in a campaign. */
  async function open(timeZone = 'Europe/Berlin'): Promise<{ merchant: TestMerchant; internal_id: string }> {
    const merchant = await service().newMerchant(timeZone);
    await importDrafts(service(), merchant, [[draft('VASE', { campaign_name: 'Spring' })]]);
    const headers = { authorization: `Bearer ${merchant.token}` };
    const json = { name: 'Spring', type: 'AuctionCampaign' };
    const created = await service().request('POST', '/campaigns', { json, headers });
    return { merchant, internal_id: created.json<{ internal_id: string }>().internal_id };
  }

  const schedule = (schedule_id: string, time: string, sale_price: number | null): ScheduleDraft => ({
    ...{ merchant: null, schedule_id, product_identifier: 'VASE', scheduled_at: Date.parse(time) },
    ...{ sold: sale_price !== null, sale_price, rating: null },
  });
  const fact = (placement_id: string, campaign_id: string): FactDraft => ({
    ...{ merchant: null, placement_id, campaign_id, product_identifier: 'VASE' },
    ...{ delivered_at: service().now(), price: 2_500 },
  });

  describe('GET /explain', () => {
    it('200: returns the explanation, keys in the documented order', async () => {
      const { merchant } = await open();
      // In Berlin, the first one is in February.
      const drafts = [
        schedule('1', '2026-01-31T23:30:00Z', 1_001),
        schedule('2', '2026-02-11T12:00:00Z', 2_000),
        schedule('3', '2026-02-11T12:00:00Z', null),
      ];
      await importScheduleDrafts(service(), merchant, [drafts]);
      const { revision, ...explanation } = await explain(merchant, {
        figure: 'sales.asp',
        month: '2026-02',
      });
      assert.equal(
        JSON.stringify(explanation),
        '{"figure":"sales.asp","value":15.01,"unit":"amount","currency":"USD",' +
          '"formula":"The sum of `sale_price` ÷ the number of schedules with `sold`. Null if none sold.",' +
          '"time_zone":"Europe/Berlin","rounding":"half up to 2 decimals","lines":3,' +
          '"address":"schedules?month=2026-02"}',
      );
      assert.match(revision, /^[\w-]+$/);
    });

    it('200: without any lines, sums are 0 and other figures null', async () => {
      const { merchant, internal_id } = await open();
      const selections: Record<string, Record<string, string>> = {
        sales: { month: '2026-02' },
        product_sales: { product_identifier: 'VASE', duration: 'last_week' },
        performance: { internal_id, product_identifier: 'VASE' },
        campaigns: { name: 'Spring' },
      };
      const values: Record<string, number | null> = {};
      for (const figure of allFigures.keys()) {
        const [group = ''] = figure.split('.');
        const { value, lines, unit, currency } = await explain(merchant, { figure, ...selections[group] });
        values[figure] = value;
        assert.equal(lines, figure === 'campaigns.products' ? 1 : 0, figure);
        assert.equal(currency, unit === 'amount' ? 'USD' : null);
      }
      assert.deepEqual(values, {
        'sales.schedules': 0,
        'sales.sell_rate': null,
        'sales.asp': null,
        'sales.product_rating': null,
        'sales.total_sales': 0,
        'product_sales.schedules': 0,
        'product_sales.orders': 0,
        'product_sales.revenue': 0,
        'product_sales.sell_rate': null,
        'product_sales.asp': null,
        'product_sales.fees': null,
        'performance.placements': 0,
        'performance.spend': 0,
        'performance.orders': 0,
        'performance.revenue': 0,
        'performance.sell_rate': null,
        'performance.cost_per_order': null,
        'performance.return_on_spend': null,
        'campaigns.products': 1,
        'campaigns.spend_today': 0,
        'campaigns.spend': 0,
        'campaigns.placements': 0,
      });
    });

    it('200: the changes since the revision of a figure are those of its lines', async () => {
      const { merchant, internal_id } = await open();
      const day = new Date(service().now()).toISOString();
      const sold = { product_identifier: 'VASE', duration: 'today' };
      const figures = [
        {
          query: { figure: 'product_sales.revenue', ...sold },
          list: '/schedules',
          change: (id: string) => importScheduleDrafts(service(), merchant, [[schedule(id, day, 100)]]),
        },
        {
          query: { figure: 'campaigns.spend', internal_id },
          list: '/placements',
          change: (id: string) => importFactDrafts(service(), merchant, [[fact(id, internal_id)]]),
        },
        {
          query: { figure: 'campaigns.products', internal_id },
          list: '/products',
          change: (id: string) =>
            importDrafts(service(), merchant, [[draft(id, { campaign_name: 'Spring' })]]),
        },
        {
          query: { figure: 'product_sales.fees', ...sold },
          list: '/orders',
          change: (id: string) =>
            pushDrafts(service(), merchant, [orderDraft(id, { product_identifier: 'VASE' })]),
        },
      ];
      for (const { query, list, change } of figures) {
        const changes = async (changed_since: string): Promise<object[]> => {
          const response = await service().get(list, merchant, { changed_since });
          assert.equal(response.status, 200, response.text);
          return response.json<{ results: object[] }>().results;
        };
        for (const id of ['a', 'b']) {
          const { revision } = await explain(merchant, query);
          assert.equal((await explain(merchant, query)).revision, revision, query.figure);
          assert.deepEqual(await changes(revision), [], query.figure);
          await change(id);
          assert.equal((await changes(revision)).length, 1, query.figure);
          assert.notEqual((await explain(merchant, query)).revision, revision, query.figure);
        }
      }
    });

    it('200: explains the sales of a product on any days, as in its periods', async () => {
      const { merchant } = await open();
      const drafts = ['1', '2', '3'].map((id, index) => schedule(id, `2026-02-1${index}T12:00:00Z`, 1_000));
      await importScheduleDrafts(service(), merchant, [drafts]);
      const figure = { figure: 'product_sales.revenue', product_identifier: 'VASE' };
      const found = await explain(merchant, { ...figure, from: '2026-02-11', to: '2026-02-28' });
      assert.equal(found.value, 20);
      assert.equal(found.lines, 2);
      assert.equal(found.address, 'schedules?product_identifier=VASE&from=2026-02-11&to=2026-02-28');
      for (const [query, message] of [
        [{ from: '2026-02-11' }, /duration: missing, expected one of/],
        [{ from: '2026-02-11', to: '2026-02-10' }, 'to: expected 2026-02-11 or a later day.'],
        [{ duration: 'today', to: '2026-02-10' }, 'to: not used with duration.'],
      ] as const)
        expectError(await get(merchant, { ...figure, ...query }), 400, message);
    });

    it('400: names the parameters that a figure requires, and those that it does not use', async () => {
      const { merchant, internal_id } = await open();
      for (const [query, message] of [
        [{}, /^figure: missing, expected one of sales\.schedules, /],
        [{ figure: 'sale.asp' }, /^figure: did you mean sales\.asp\? Otherwise expected one of sales\.sch/],
        [{ figure: 'x' }, /^figure: expected one of sales\.schedules, .*, campaigns\.placements, not "x"\.$/],
        [{ figure: 'sales.asp' }, 'month: missing, expected a month, such as 2026-01.'],
        [
          { figure: 'sales.asp', month: '2026-02', from: '2026-02-01' },
          'from: not used by sales.asp, which takes month.',
        ],
        [
          { figure: 'product_sales.asp' },
          /product_identifier: missing, .*duration: missing, expected one of/,
        ],
        [{ figure: 'campaigns.spend' }, /^internal_id: missing, expected the internal_id or the name/],
        [
          { figure: 'campaigns.spend', internal_id, month: '2026-02' },
          'month: not used by campaigns.spend, which takes internal_id, name.',
        ],
        [
          { figure: 'performance.spend', internal_id, from: '2026-02-02', to: '2026-02-01' },
          'to: expected 2026-02-02 or a later day.',
        ],
      ] as const)
        expectError(await get(merchant, query), 400, message);
    });

    it('404: another merchant’s campaign or product is not there', async () => {
      const { internal_id } = await open();
      const stranger = await service().newMerchant();
      for (const [query, message] of [
        [{ figure: 'campaigns.spend', internal_id }, /There is no campaign/],
        [{ figure: 'performance.spend', internal_id }, /There is no campaign/],
        [{ figure: 'product_sales.asp', product_identifier: 'VASE', duration: 'today' }, /VASE/],
      ] as const)
        expectError(await get(stranger, query), 404, message);
    });
  });

  describe('the lists of lines', () => {
    const list = async (
      merchant: TestMerchant,
      path: string,
      query: Record<string, string>,
    ): Promise<ClientResponse> => service().get(path, merchant, query);

    it('GET /schedules: from and to select the days of a product in the merchant’s time zone', async () => {
      const { merchant } = await open();
      const drafts = [
        schedule('1', '2026-03-28T22:59:59.999Z', null),
        schedule('2', '2026-03-28T23:00:00Z', null),
        // The day has 23 hours.
        schedule('3', '2026-03-29T21:59:59.999Z', null),
        schedule('4', '2026-03-29T22:00:00Z', null),
      ];
      await importScheduleDrafts(service(), merchant, [drafts]);
      const ids = async (days: Record<string, string>): Promise<string[]> => {
        const response = await list(merchant, '/schedules', { product_identifier: 'VASE', ...days });
        const { results } = response.json<{ results: { schedule_id: string }[] }>();
        return results.map(({ schedule_id }) => schedule_id);
      };
      assert.deepEqual(await ids({ from: '2026-03-29', to: '2026-03-29' }), ['2', '3']);
      assert.deepEqual(await ids({ from: '2026-03-29' }), ['2', '3', '4']);
      assert.deepEqual(await ids({ to: '2026-03-28' }), ['1']);
    });

    it('400: names what cannot be combined, and a range that ends before it begins', async () => {
      const { merchant, internal_id: campaign } = await open();
      const [from, to, identifier] = ['2026-02-02', '2026-02-01', { product_identifier: 'VASE' }];
      for (const [path, query, message] of [
        ['/schedules', { month: '2026-02', from }, 'from: expected only with product_identifier.'],
        ['/schedules', { changed_since: 'start', to }, 'to: expected only with product_identifier.'],
        ['/schedules', { ...identifier, from, to }, 'to: expected 2026-02-02 or a later day.'],
        ['/placements', { state: 'reserved' }, /^changed_since: expected either changed_since, or some of/],
        ['/placements', { campaign, from, to }, 'to: expected 2026-02-02 or a later day.'],
        ['/placements', { campaign, day: to, from }, 'day: cannot be combined with from and to.'],
        [
          '/placements',
          { changed_since: 'start', state: 'delivered' },
          'state: cannot be combined with changed_since.',
        ],
        ['/placements', { campaign, state: 'spent' }, /^state: expected one of reserved, delivered, rel/],
        ['/products/search', {}, /^query: missing, expected text of 1 to 500 .*, or campaign_name\.$/],
        ['/orders', { paid_from: from, paid_to: to }, 'paid_to: expected 2026-02-02 or a later day.'],
        ['/orders', { ...identifier, order_ids: '1' }, /^product_identifier: cannot be combined with order/],
        ['/orders', { ...identifier, changed_since: 'start' }, /^product_identifier: cannot be combined/],
      ] as const)
        expectError(await list(merchant, path, query), 400, message);
      expectError(await list(merchant, '/orders', { product_identifier: 'CUP' }), 404, /CUP/);
    });

    it('400: a cursor of a list continues no list that selects other lines', async () => {
      const { merchant, internal_id: campaign } = await open();
      const ofProduct = { product_identifier: 'VASE' };
      for (const [path, query, others] of [
        ['/schedules', ofProduct, { from: '2026-02-01' }],
        ['/placements', { campaign }, { to: '2026-02-01' }],
        ['/placements', { campaign }, { state: 'released' }],
      ] as const) {
        const { cursor } = (await list(merchant, path, query)).json<{ cursor: string }>();
        const response = await list(merchant, path, { ...query, ...others, after: cursor });
        expectError(response, 400, /^after: a cursor of another list/);
      }
    });

    it('GET /products/search: campaign_name selects products with or without a query', async () => {
      const { merchant } = await open();
      await importDrafts(service(), merchant, [
        [
          draft('CUP', { campaign_name: 'Spring', title: 'Clay cup' }),
          draft('POT', { campaign_name: 'spring', title: 'Clay pot' }),
        ],
      ]);
      const found = async (query: Record<string, string>): Promise<string[]> => {
        const response = await list(merchant, '/products/search', query);
        assert.equal(response.status, 200, response.text);
        return response.json<{ identifier: string }[]>().map(({ identifier }) => identifier);
      };
      assert.deepEqual((await found({ campaign_name: 'Spring' })).sort(), ['CUP', 'VASE']);
      assert.deepEqual(await found({ campaign_name: 'Spring', query: 'clay' }), ['CUP']);
      assert.deepEqual(await found({ campaign_name: 'Autumn' }), []);
    });
  });
});
