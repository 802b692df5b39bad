import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isScheduled, slotIn } from '../../src/campaigns/schedule-slots.ts';
import { Competition } from '../../src/placements/competition/competition.ts';
import { ScheduledCampaigns } from '../../src/placements/competition/scheduled-campaigns.ts';

const HOUR_MS = 60 * 60 * 1000;
const NIGHT = '00111111';
const MERCHANT = { merchantId: 1, currency: 'USD', isActive: true };
const PRODUCT = {
  merchantId: 1,
  productId: 1,
  campaignName: 'Spring',
  status: 'in_stock',
  category: ['', ''],
  schedulingFeeBid: null,
  maxDailySchedules: null,
  quality: 1,
} as const;
const CAMPAIGN = {
  merchantId: 1,
  campaignId: 'high',
  name: 'Spring',
  type: 'AuctionCampaign',
  status: 'Active',
  bid: 200,
  createdAt: 0,
} as const;
const REQUEST = { key: 'k', currency: 'USD', type: null, category: [], products: null, exclude: [] };

describe('the slots of a day', () => {
  it('are three hours each by the clock of the time zone, on days of 23 and 25 hours too', () => {
    const slotOf = slotIn('Europe/Berlin');
    const slots = (from: string, hours: number): number[] =>
      Array.from({ length: hours }, (_, hour) => slotOf(Date.parse(from) + hour * HOUR_MS));
    const countOf = (found: readonly number[]): number[] =>
      [0, 1, 2, 3, 4, 5, 6, 7].map((slot) => found.filter((each) => each === slot).length);
    assert.deepEqual(countOf(slots('2026-03-28T23:00:00Z', 23)), [2, 3, 3, 3, 3, 3, 3, 3]);
    assert.deepEqual(countOf(slots('2026-10-24T22:00:00Z', 25)), [4, 3, 3, 3, 3, 3, 3, 3]);
    assert.equal(slotIn('Asia/Kathmandu')(Date.parse('2026-06-01T18:14:59Z')), 7);
    assert.equal(slotIn('Asia/Kathmandu')(Date.parse('2026-06-01T18:15:00Z')), 0);
  });

  it('are all open to a campaign without a schedule', () => {
    assert.deepEqual(
      [isScheduled(null, 0), isScheduled(NIGHT, 1), isScheduled(NIGHT, 2)],
      [true, false, true],
    );
  });
});

describe('a campaign with a schedule in the competition', () => {
  const at = (time: string): number => Date.parse(`2026-06-01T${time}Z`);
  const open = (now: number): { competition: Competition; scheduled: ScheduledCampaigns } => {
    const competition = new Competition();
    competition.setMerchant(MERCHANT);
    const scheduled = new ScheduledCampaigns(competition);
    scheduled.set({ ...CAMPAIGN, hourlySchedule: NIGHT }, 'UTC', now);
    competition.setProduct(PRODUCT);
    return { competition, scheduled };
  };

  it('is paused in slots with 0, whichever way the clock goes', () => {
    const { competition, scheduled } = open(at('05:59:59.999'));
    const found = (now: number): unknown => {
      scheduled.applySlots(now);
      const ranking = competition.rank(REQUEST);
      return ranking.next()?.campaignId ?? ranking.losers;
    };
    assert.deepEqual(found(at('05:59:59.999')), { paused: 1 });
    assert.equal(found(at('06:00:00')), 'high');
    assert.deepEqual(found(at('03:00:00')), { paused: 1 });
    assert.equal(found(at('23:59:59')), 'high');
    assert.deepEqual(found(at('23:59:59') + 1000), { paused: 1 });
  });

  it('leaves its products to an active campaign with the same name and a lower bid', () => {
    const { competition, scheduled } = open(at('01:00:00'));
    scheduled.set({ ...CAMPAIGN, campaignId: 'low', bid: 100, hourlySchedule: null }, 'UTC', at('01:00:00'));
    assert.equal(competition.rank(REQUEST).next()?.campaignId, 'low');
    scheduled.applySlots(at('09:00:00'));
    assert.equal(competition.rank(REQUEST).next()?.campaignId, 'high');
  });

  it('is no longer followed without its schedule, after its end or without its merchant', () => {
    const { competition, scheduled } = open(at('01:00:00'));
    scheduled.set({ ...CAMPAIGN, hourlySchedule: null }, 'UTC', at('01:00:00'));
    assert.equal(competition.rank(REQUEST).next()?.campaignId, 'high');
    scheduled.set({ ...CAMPAIGN, hourlySchedule: NIGHT }, 'UTC', at('01:00:00'));
    scheduled.remove(1, 'high');
    scheduled.applySlots(at('09:00:00'));
    assert.equal(competition.rank(REQUEST).next(), undefined);
    scheduled.set({ ...CAMPAIGN, hourlySchedule: NIGHT }, 'UTC', at('09:00:00'));
    for (const _ of scheduled.removal(1));
    scheduled.applySlots(at('01:00:00'));
    assert.equal(competition.size, 0);
  });
});
