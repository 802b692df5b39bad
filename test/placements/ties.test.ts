import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { forEachEngine } from '../support/engines.ts';
import { fc } from '../support/seed.ts';
import { useService } from '../support/service.ts';
import { runs } from '../support/thorough.ts';
import { Advertiser } from './placements-support.ts';

interface Step {
  kind: 'fact' | 'schedule';
  id: 'a' | 'b';
  /** Of a schedule. */
  placement: 'a' | 'b' | null;
  sold: boolean;
  price: number;
}

const anyStep: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('fact', 'schedule'),
  id: fc.constantFrom('a', 'b'),
  placement: fc.constantFrom(null, null, 'a', 'b'),
  sold: fc.boolean(),
  price: fc.integer({ min: 1, max: 99 }),
});

forEachEngine((engine) => {
  const service = useService(engine);

  describe('schedules of placements', () => {
    it('a schedule that names a placement delivers it, and its sale is the campaign’s', async () => {
      const advertiser = await Advertiser.open(service());
      const placement_id = await advertiser.reserve(0.5);
      const sold = await advertiser.sell({ schedule_id: 's1', placement_id });
      assert.equal(sold.created, 1);
      const [placement] = await advertiser.list();
      assert.deepEqual(
        [placement?.state, placement?.schedule_id, placement?.revenue],
        ['delivered', 's1', 20],
      );
      const [total] = await advertiser.performance();
      assert.deepEqual(total, {
        day: null,
        product_identifier: null,
        placements: 1,
        spend: 0.5,
        orders: 1,
        revenue: 20,
        sell_rate: 1,
        cost_per_order: 0.5,
        return_on_spend: 40,
      });
      const listed = await service().get('/schedules', advertiser.merchant, { changed_since: 'start' });
      const { results } = listed.json<{ results: { placement_id: string }[] }>();
      assert.equal(results[0]?.placement_id, placement_id, listed.text);
    });

    it('a schedule that is corrected to be unsold takes its sale back', async () => {
      const advertiser = await Advertiser.open(service());
      await advertiser.state({ placement_id: 'a' });
      await advertiser.sell({ schedule_id: 'a' });
      await advertiser.sell({ schedule_id: 'a', sold: false, sale_price: null });
      const [placement] = await advertiser.list();
      assert.deepEqual([placement?.schedule_id, placement?.revenue], ['a', null]);
    });

    it('a schedule that is sent again does not list its placement as changed', async () => {
      const advertiser = await Advertiser.open(service());
      await advertiser.state({ placement_id: 'a' });
      await advertiser.sell({ schedule_id: 'a', scheduled_at: '2026-01-01T00:00:00Z' });
      const changed = (since: string) =>
        service().get('/placements', advertiser.merchant, { changed_since: since });
      const { cursor } = (await changed('start')).json<{ cursor: string }>();
      await advertiser.sell({ schedule_id: 'a', scheduled_at: '2026-01-01T00:00:00Z' });
      assert.deepEqual((await changed(cursor)).json<{ results: object[] }>().results, []);
    });

    it('after a placement expired, a schedule charges it only as far as the budgets allow', async () => {
      const advertiser = await Advertiser.open(service(), { daily_budget: 1 });
      const late = await advertiser.reserve(0.75);
      await advertiser.report({ placement_id: late, outcome: 'released' });
      await advertiser.reserve(0.75);
      await advertiser.sell({ schedule_id: 's1', placement_id: late });
      const placements = await advertiser.list();
      const placement = placements.find(({ placement_id }) => placement_id === late);
      assert.deepEqual(
        [placement?.state, placement?.late, placement?.price, placement?.revenue],
        ['delivered', true, 0, 20],
      );
    });

    const invalid: [what: string, schedule: object, reason: RegExp][] = [
      ['an unknown placement', { placement_id: 'x' }, /no placement with this ID/],
      [
        'a placement of another product',
        { placement_id: 'a', product_identifier: 'BOWL' },
        /the placement a is of another product/,
      ],
      [
        'a placement of another schedule',
        { placement_id: 'b' },
        /the placement b already belongs to the schedule b/,
      ],
    ];
    for (const [what, schedule, reason] of invalid) {
      it(`refuses ${what}`, async () => {
        const advertiser = await Advertiser.open(service());
        await advertiser.state({ placement_id: 'a' }, { placement_id: 'b' });
        await advertiser.sell({ schedule_id: 'b' });
        const { rejected, rejections } = await advertiser.sell({ schedule_id: 's1', ...schedule });
        assert.equal(rejected, 1);
        assert.match(rejections[0]?.reason ?? '', reason);
      });
    }

    it('a fact cannot be moved to another product than that of its schedule', async () => {
      const advertiser = await Advertiser.open(service());
      await advertiser.sell({ schedule_id: 'a' });
      const { rejections } = await advertiser.state({ placement_id: 'a', product_identifier: 'BOWL' });
      assert.match(rejections[0]?.reason ?? '', /expected the product of the schedule/);
    });

    it('placements and their schedules are tied in the same way, whichever is stated first', async () => {
      const advertiser = await Advertiser.open(service());
      let count = 0;
      const property = fc.asyncProperty(fc.array(anyStep, { minLength: 1, maxLength: 12 }), async (steps) => {
        // Each run has its own IDs.
        count += 1;
        const run = `run ${count}`;
        const placements = new Set<string>();
        const schedules = new Map<string, { placement: string | null; revenue: number | null }>();
        const placementOf = (id: string): string => schedules.get(id)?.placement ?? id;
        const scheduleOf = (placement: string): string | undefined =>
          [...schedules.keys()].find((id) => placementOf(id) === placement);
        for (const { kind, id, placement, sold, price } of steps) {
          if (kind === 'fact') {
            await advertiser.state({ placement_id: `${run}-${id}`, price: price / 100 });
            placements.add(id);
            continue;
          }
          const named = placement ?? schedules.get(id)?.placement ?? null;
          const holder = scheduleOf(named ?? id);
          const isFree = !placements.has(named ?? id) || holder === undefined || holder === id;
          const isValid = (named === null || placements.has(named)) && isFree;
          const { rejected } = await advertiser.sell({
            schedule_id: `${run}-${id}`,
            ...(placement !== null && { placement_id: `${run}-${placement}` }),
            sold,
            sale_price: sold ? price : null,
          });
          assert.equal(rejected, isValid ? 0 : 1);
          if (isValid) schedules.set(id, { placement: named, revenue: sold ? price : null });
        }
        const listed = (await advertiser.list({ campaign: advertiser.campaign, per_page: '1000' }))
          .filter(({ placement_id }) => placement_id.startsWith(`${run}-`))
          .map(({ placement_id, schedule_id, revenue }) => [placement_id, schedule_id, revenue]);
        const expected = [...placements].toSorted().map((id) => {
          const schedule = scheduleOf(id);
          return [
            `${run}-${id}`,
            schedule === undefined ? null : `${run}-${schedule}`,
            schedules.get(schedule ?? '')?.revenue ?? null,
          ];
        });
        assert.deepEqual(listed.toSorted(), expected);
      });
      await fc.assert(property, { numRuns: runs(30) });
    });
  });
});
