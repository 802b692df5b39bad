import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Competition } from '../../src/placements/competition/competition.ts';
import { Rests } from '../../src/placements/follow/rests.ts';
import { SellRates, UNTRIED } from '../../src/placements/follow/sell-rates.ts';

const SECOND_MS = 1_000;

/** A merchant with a campaign of one product, and a clock that stands still. */
function open() {
  const competition = new Competition();
  const clock = { now: 0 };
  const rests = new Rests(competition, () => clock.now);
  competition.setMerchant({ merchantId: 1, currency: 'USD', isActive: true });
  competition.setCampaign({
    merchantId: 1,
    campaignId: 'c',
    name: 'Spring',
    type: 'Banner',
    status: 'Active',
    bid: 10_000,
    createdAt: 0,
  });
  competition.setProduct({
    merchantId: 1,
    productId: 7,
    campaignName: 'Spring',
    status: 'in_stock',
    category: ['Home', ''],
    schedulingFeeBid: null,
    maxDailySchedules: null,
    quality: 1,
  });
  const isResting = (): boolean =>
    competition.rank({ key: 'k', currency: 'USD', type: null, category: [], products: null, exclude: [] })
      .remaining === 0;
  const pass = (seconds: number): void => {
    clock.now += seconds * SECOND_MS;
    rests.endDue();
  };
  return { rests, isResting, pass };
}

describe('a rest', () => {
  it('takes two seconds, and twice as long after each refusal, up to a minute', () => {
    for (const kind of ['campaign', 'product']) {
      const { rests, isResting, pass } = open();
      const refuse = (): void =>
        kind === 'campaign'
          ? rests.restCampaign(1, 'c', 'daily_budget')
          : rests.restProduct(1, 7, 'max_daily_schedules');
      for (const seconds of [2, 4, 8, 16, 32, 60, 60]) {
        refuse();
        pass(seconds - 0.5);
        assert.ok(isResting(), `${kind}: ${seconds} s`);
        // What was chosen before the rest began is refused too.
        refuse();
        pass(0.5);
        assert.ok(!isResting(), `${kind}: ${seconds} s`);
      }
      pass(60);
      refuse();
      pass(2);
      assert.ok(!isResting(), `${kind}: two seconds again, because it was not refused for a minute`);
    }
  });

  it('ends with a change of the campaign or the product', () => {
    const { rests, isResting } = open();
    rests.restCampaign(1, 'c', 'lifetime_budget');
    rests.endAfterCampaign(1, 'another');
    assert.ok(isResting());
    rests.endAfterCampaign(1, 'c');
    assert.ok(!isResting());
    rests.restProduct(1, 7, 'daily_budget_per_product');
    rests.endAfterCampaign(1, 'c');
    assert.ok(!isResting());
    rests.restProduct(1, 7, 'max_daily_schedules');
    rests.endAfterProduct(1, 8);
    assert.ok(isResting());
    rests.endAfterProduct(1, 7);
    assert.ok(!isResting());
  });

  it('of a merchant that is not known does nothing', () => {
    const { rests, isResting, pass } = open();
    rests.restCampaign(2, 'c', 'daily_budget');
    rests.restProduct(2, 7, 'max_daily_schedules');
    pass(2);
    assert.ok(!isResting());
  });
});

describe('a quality', () => {
  const category = ['Home', 'Vases'] as const;

  it('is the sell rate, smoothed with the category’s, which is smoothed with that of all', () => {
    const rates = new SellRates(10);
    rates.add(category, { tries: 70, sold: 20 });
    rates.add(['Garden', ''], { tries: 20, sold: 4 });
    rates.add(category, { tries: 8, sold: 0 });
    const all = 25 / 100;
    const ofCategory = (20 + 10 * all) / 88;
    const untried = { schedules: UNTRIED, placements: UNTRIED };
    assert.equal(rates.qualityOf(['Office', ''], untried), all);
    assert.equal(rates.qualityOf(category, untried), ofCategory);
    const schedules = { tries: 30, sold: 30 };
    const scheduled = (30 + 10 * ofCategory) / 40;
    assert.equal(rates.qualityOf(category, { schedules, placements: UNTRIED }), scheduled);
    const placements = { tries: 90, sold: 0 };
    assert.equal(rates.qualityOf(category, { schedules, placements }), (10 * scheduled) / 100);
  });

  it('is above 0 and at most 1, whatever was tried and sold', () => {
    const rates = new SellRates(1);
    rates.add(category, { tries: 2 ** 40, sold: 0 });
    for (const tries of [0, 1, 2 ** 31])
      for (const sold of [0, 1, 2 ** 31]) {
        const quality = rates.qualityOf(category, {
          schedules: { tries, sold },
          placements: { tries, sold },
        });
        assert.ok(Math.fround(quality) > 0 && quality <= 1, `${sold} of ${tries}: ${quality}`);
      }
  });
});
