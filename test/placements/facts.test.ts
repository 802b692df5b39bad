import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { StreamSummary } from '../../src/operator/streams/stream-schema.ts';
import { forEachEngine } from '../support/engines.ts';
import { useService } from '../support/service.ts';
import { Advertiser, type Fact } from './placements-support.ts';

forEachEngine((engine) => {
  const service = useService(engine);

  describe('POST /merchants/{external_id}/placements', () => {
    it('facts are spent, whatever the budgets are, and change in place', async () => {
      const advertiser = await Advertiser.open(service(), { daily_budget: 0.3 });
      const post = async (...facts: readonly Fact[]): Promise<StreamSummary> => {
        const body = facts.map((fact) => `${JSON.stringify(advertiser.lineOf(fact))}\n`).join('');
        const path = `/merchants/${advertiser.merchant.id}/placements`;
        const headers = { 'content-type': 'application/x-ndjson' };
        const response = await service().operator('POST', path, advertiser.operatorToken, { body, headers });
        assert.equal(response.status, 200, response.text);
        return response.json();
      };
      assert.equal((await post({ placement_id: 'a' }, { placement_id: 'b', price: 7 })).created, 2);
      const again = await post({ placement_id: 'a' }, { placement_id: 'b', price: 0.5 });
      assert.deepEqual([again.updated, again.unchanged], [1, 1]);
      const [total] = await advertiser.performance();
      assert.deepEqual(total, {
        day: null,
        product_identifier: null,
        placements: 2,
        spend: 0.75,
        orders: 0,
        revenue: 0,
        sell_rate: 0,
        cost_per_order: null,
        return_on_spend: 0,
      });
    });

    const invalid: [what: string, fact: Fact, field: string, reason: RegExp][] = [
      ['an unknown campaign', { placement_id: 'a', campaign_id: 'x' }, 'campaign_id', /no campaign/],
      [
        'an unknown product',
        { placement_id: 'a', product_identifier: 'CUP' },
        'product_identifier',
        /no product/,
      ],
      [
        'more decimals than the currency has',
        { placement_id: 'a', price: 0.125 },
        'price',
        /2 decimals of USD/,
      ],
      ['a negative price', { placement_id: 'a', price: -1 }, 'price', /from 0 to/],
      ['a price above the highest', { placement_id: 'a', price: 1_000_001 }, 'price', /from 0 to/],
      ['a time without an offset', { placement_id: 'a', delivered_at: '2026-02-11' }, 'delivered_at', /./],
      ['an ID with a line break', { placement_id: 'a\nb' }, 'placement_id', /expected 1 to 100/],
    ];
    for (const [what, fact, field, reason] of invalid) {
      it(`refuses ${what}, and says so`, async () => {
        const advertiser = await Advertiser.open(service());
        const { created, rejections } = await advertiser.state(fact, { placement_id: 'valid' });
        assert.equal(created, 1);
        assert.equal(rejections[0]?.column, field);
        assert.match(rejections[0]?.reason ?? '', reason);
      });
    }

    it('a reserved placement is no fact', async () => {
      const advertiser = await Advertiser.open(service());
      const placement_id = await advertiser.reserve(0.5);
      const { rejections } = await advertiser.state({ placement_id });
      assert.match(rejections[0]?.reason ?? '', /report its outcome with POST placements\/outcomes/);
      assert.equal((await advertiser.list())[0]?.state, 'reserved');
    });

    it('the prices of a currency without decimals are whole', async () => {
      const advertiser = await Advertiser.open(service());
      const path = `/merchants/${advertiser.merchant.id}`;
      const changed = await service().operator('PUT', path, advertiser.operatorToken, {
        json: { currency: 'JPY' },
      });
      assert.equal(changed.status, 200, changed.text);
      const { rejections } = await advertiser.state({ placement_id: 'a' }, { placement_id: 'b', price: 25 });
      assert.match(rejections[0]?.reason ?? '', /expected a whole number of JPY/);
      assert.deepEqual(
        (await advertiser.list()).map(({ placement_id, price }) => [placement_id, price]),
        [['b', 25]],
      );
    });

    it('days and prices keep their meaning: the time zone and the currency stay once there are placements', async () => {
      const advertiser = await Advertiser.open(service());
      const put = (json: object) =>
        service().operator('PUT', `/merchants/${advertiser.merchant.id}`, advertiser.operatorToken, { json });
      assert.equal((await put({ time_zone: 'Asia/Tokyo' })).status, 200);
      await advertiser.state({ placement_id: 'a' });
      for (const change of [{ time_zone: 'UTC' }, { currency: 'EUR' }]) {
        const response = await put(change);
        assert.equal(response.status, 400, response.text);
        assert.match(response.text, /merchant with placements cannot change/);
      }
    });
  });

  describe('POST /placements/outcomes', () => {
    it('delivers and releases, and gives what is released back to the budgets', async () => {
      const advertiser = await Advertiser.open(service(), { daily_budget: 1 });
      const first = await advertiser.reserve(0.75);
      await assert.rejects(advertiser.reserve(0.5), /daily_budget/);
      const released = await advertiser.report({ placement_id: first, outcome: 'released' });
      assert.equal(released.json<{ updated: number }>().updated, 1, released.text);
      const second = await advertiser.reserve(0.5);
      await advertiser.report({ placement_id: second, outcome: 'delivered' });
      const states = (await advertiser.list()).map(({ state, price }) => [state, price]);
      assert.deepEqual(states, [
        ['released', 0.75],
        ['delivered', 0.5],
      ]);
    });

    it('refuses times before the reservation, by more than clocks may differ', async () => {
      const advertiser = await Advertiser.open(service());
      const reserved = service().now();
      const [first, second] = [await advertiser.reserve(0.5), await advertiser.reserve(0.5)];
      const line = (placement_id: string, outcome: string, minutes: number): object => {
        const at = new Date(reserved - minutes * 60_000).toISOString();
        return { placement_id, outcome, at };
      };
      const response = await advertiser.report(
        line(first, 'delivered', 6),
        line(first, 'delivered', 4),
        line(first, 'delivered', 6),
        line(second, 'released', 600_000),
        line(second, 'released', 0),
      );
      const { results } = response.json<{
        results: { result: string; errors: { name: string; reason: string }[] }[];
      }>();
      assert.deepEqual(
        results.map(({ result }) => result),
        ['rejected', 'updated', 'unchanged', 'rejected', 'updated'],
      );
      for (const { name, reason } of results.flatMap(({ errors }) => errors)) {
        assert.equal(name, 'at');
        assert.match(reason, /^expected a time after the reservation of the placement, at 20\d\d-/);
      }
    });

    it('refuses unknown placements, contradictions, times in the future and unreadable lines, each by itself', async () => {
      const advertiser = await Advertiser.open(service());
      const placement_id = await advertiser.reserve(0.5);
      const later = new Date(service().now() + 3_600_000).toISOString();
      const response = await advertiser.report(
        { placement_id, outcome: 'delivered', at: later },
        { placement_id, outcome: 'delivered' },
        { placement_id, outcome: 'delivered' },
        { placement_id, outcome: 'released' },
        {
          placement_id: `${advertiser.merchant.id}.0197a000-0000-7000-8000-000000000000`,
          outcome: 'released',
        },
        { placement_id: '999999.0197a000-0000-7000-8000-000000000000', outcome: 'released' },
        { placement_id: 'x', outcome: 'released' },
        { placement_id, outcome: 'lost' },
      );
      const { results } = response.json<{ results: { result: string; errors: { reason: string }[] }[] }>();
      assert.deepEqual(
        results.map(({ result, errors: [error] }) => `${result} ${error?.reason ?? ''}`.trim().slice(0, 36)),
        [
          'rejected expected a time that is not',
          'updated',
          'unchanged',
          'rejected the placement was delivered',
          'rejected there is no reserved placem',
          'rejected there is no reserved placem',
          'rejected there is no reserved placem',
          'rejected expected one of delivered, ',
        ],
        response.text,
      );
    });

    it('a placement of a deleted product, of an ended campaign or of a suspended merchant can still be delivered', async () => {
      const advertiser = await Advertiser.open(service());
      const placement_id = await advertiser.reserve(0.5);
      const { merchant, campaign, operatorToken } = advertiser;
      const form = { access_token: merchant.token };
      await service().request('POST', '/products/delete', { form: { ...form, identifier: 'VASE' } });
      await service().request('POST', '/campaigns/end', { form: { ...form, internal_id: campaign } });
      const path = `/merchants/${merchant.id}`;
      await service().operator('PUT', path, operatorToken, { json: { state: 'suspended' } });
      const response = await advertiser.report({ placement_id, outcome: 'delivered' });
      assert.equal(response.json<{ updated: number }>().updated, 1, response.text);
      await service().operator('PUT', path, operatorToken, { json: { state: 'active' } });
      assert.deepEqual(
        (await advertiser.performance()).map((each) => ({ ...each })),
        await advertiser.performance({ by: 'total' }),
      );
      assert.equal((await advertiser.list())[0]?.state, 'delivered');
    });
  });
});
