import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DayProfile } from '../../src/placements/pacing/day-profile.ts';
import { paceLimit } from '../../src/placements/pacing/pace-limit.ts';
import { RequestHistory } from '../../src/placements/pacing/request-history.ts';
import { newRandom } from '../support/seed.ts';
import { HOUR_MS, historyOf, spend, trafficOf } from './pacing-simulation.ts';

const DAY = '2026-06-15';
const START = Date.parse(`${DAY}T00:00:00Z`);
const NO_HISTORY = new RequestHistory();
const anyTime = { day: DAY, timeZone: 'UTC', hourlySchedule: null };
const rounded = (share: number): number => Math.round(share * 10_000) / 10_000;

describe('the share of a day', () => {
  it('comes from the clock without history', () => {
    const profile = new DayProfile(NO_HISTORY, anyTime);
    const shares = [-1, 0, 6, 12, 18, 24, 25].map((hour) => profile.shareAt(START + hour * HOUR_MS));
    assert.deepEqual(shares, [0, 0, 0.25, 0.5, 0.75, 1, 1]);
  });

  it('comes from the same hours of earlier days, and gives a little to hours without requests', () => {
    const history = new RequestHistory(
      Array.from({ length: 14 * 24 }, (_, hour) => [
        START - (hour + 1) * HOUR_MS,
        hour % 24 === 3 ? 2400 : 0,
      ]),
    );
    const profile = new DayProfile(history, anyTime);
    const at = (hour: number): number => rounded(profile.shareAt(START + hour * HOUR_MS));
    // The mean is 100, and each hour gets 5 more: 24 · 5 + 2,400 in total.
    assert.deepEqual([at(20), at(20.5), at(21), at(24)], [0.0397, 0.5169, 0.994, 1]);
  });

  it('fills hours of which nothing is known with the average of the others', () => {
    const afternoon = Array.from({ length: 12 }, (_, hour) => [START - (hour + 1) * HOUR_MS, 50] as const);
    const profile = new DayProfile(new RequestHistory(afternoon), anyTime);
    assert.equal(rounded(profile.shareAt(START + 6 * HOUR_MS)), 0.25);
  });

  it('never uses requests of the day itself or more than 14 days old', () => {
    const hour = START + 12 * HOUR_MS;
    const history = new RequestHistory([
      [hour - 15 * 24 * HOUR_MS, 1_000_000],
      [hour, 1_000_000],
    ]);
    assert.equal(rounded(new DayProfile(history, anyTime).shareAt(START + 6 * HOUR_MS)), 0.25);
  });

  it('counts only the slots of the schedule', () => {
    const profile = new DayProfile(NO_HISTORY, { ...anyTime, hourlySchedule: '00110000' });
    const at = (hour: number): number => profile.shareAt(START + hour * HOUR_MS);
    assert.deepEqual([at(6), at(9), at(12), at(20)], [0, 0.5, 1, 1]);
    const never = new DayProfile(NO_HISTORY, { ...anyTime, hourlySchedule: '00000000' });
    assert.equal(never.shareAt(START + HOUR_MS), 1);
  });

  it('reaches 1 at the end of days of 23, 24 and 25 hours, in every time zone, and never falls', () => {
    const random = newRandom();
    for (const [day, timeZone, hours] of [
      ['2026-03-29', 'Europe/Berlin', 23],
      ['2026-10-25', 'Europe/Berlin', 25],
      ['2026-10-04', 'Australia/Lord_Howe', 23.5],
      ['2026-06-15', 'Asia/Kathmandu', 24],
      ['2026-09-06', 'America/Santiago', 23],
    ] as const) {
      const { start } = new DayProfile(NO_HISTORY, { day, timeZone, hourlySchedule: null });
      const history = historyOf(random, Math.floor(start / HOUR_MS) * HOUR_MS, random.whole(1, 15));
      const profile = new DayProfile(history, { day, timeZone, hourlySchedule: null });
      assert.equal((profile.end - profile.start) / HOUR_MS, hours, `${day} in ${timeZone}`);
      let last = 0;
      for (let time = profile.start; time <= profile.end; time += 5 * 60_000) {
        const share = profile.shareAt(time);
        assert.ok(share >= last && share <= 1, `${share} after ${last}`);
        last = share;
      }
      assert.equal(last, 1);
    }
  });
});

describe('a paced campaign', () => {
  const pace = { campaignId: 'c', dailyBudget: 1_000_000, share: 0, bid: 1_000 };
  const keys = Array.from({ length: 2_000 }, (_, number) => `request ${number}`);
  const satOut = (used: number): number => keys.filter((key) => used > paceLimit(pace, key)).length;

  it('can begin, and sits out more requests the further ahead it is', () => {
    const counts = [0, 1_000, 2_500, 5_000, 7_500, 9_999, 10_000].map(satOut);
    assert.equal(counts[0], 0);
    assert.equal(counts.at(-1), keys.length);
    for (const [at, count] of counts.entries()) assert.ok(count >= (counts[at - 1] ?? 0), `${counts}`);
    assert.ok(Math.abs((counts[3] ?? 0) / keys.length - 0.5) < 0.1, `${counts}`);
  });

  it('sits out the same requests when they are decided again, and others than other campaigns', () => {
    const of = (campaignId: string): string[] =>
      keys.filter((key) => paceLimit({ ...pace, campaignId }, key) < 5_000);
    assert.deepEqual(of('one'), of('one'));
    const both = of('one').filter((key) => of('two').includes(key)).length;
    assert.ok(Math.abs(both / keys.length - 0.25) < 0.1, `${both} of ${keys.length}`);
  });
});

describe('a day of generated traffic', () => {
  const random = newRandom();
  const settings = { dailyBudget: 5_000_000, bid: 3_000, timeZone: 'UTC', day: DAY };

  for (const [name, demand] of [
    ['a little more than the budget', 1.1],
    ['twice the budget', 2],
    ['20 times the budget', 20],
  ] as const) {
    it(`with a demand of ${name} delivers in every hour, and spends what fast spends`, () => {
      const history = historyOf(random, START, 14);
      const times = trafficOf(random, START, 24, demand);
      const priceAt = (): number => Math.round((settings.dailyBudget * demand) / times.length);
      const common = { ...settings, history, priceAt };
      const fast = spend(times, { ...common, pacing: 'fast' });
      const even = spend(times, { ...common, pacing: 'even' });
      assert.ok(even.spent <= settings.dailyBudget);
      assert.ok(even.spent >= 0.95 * fast.spent, `${even.spent} of ${fast.spent}`);
      assert.equal(even.byHour.filter((spent) => spent > 0).length, 24, `${even.byHour}`);
    });
  }

  it('costs nothing that the budget could pay if the demand is below it', () => {
    const history = historyOf(random, START, 14);
    const times = trafficOf(random, START, 24);
    const common = { ...settings, history, priceAt: () => 100 };
    const [even, fast] = [
      spend(times, { ...common, pacing: 'even' }),
      spend(times, { ...common, pacing: 'fast' }),
    ];
    assert.ok(even.spent >= 0.95 * fast.spent, `${even.spent} of ${fast.spent}`);
  });

  it('is spread over the hours of the clock without history, and over a schedule', () => {
    const times = trafficOf(random, START, 24, 10);
    const common = { ...settings, history: NO_HISTORY, priceAt: () => 1_000, pacing: 'even' } as const;
    assert.equal(spend(times, common).byHour.filter((spent) => spent > 0).length, 24);
    const hourlySchedule = '00001111';
    const afternoon = times.filter((time) => time >= START + 12 * HOUR_MS);
    const { byHour, spent } = spend(afternoon, { ...common, hourlySchedule });
    assert.equal(byHour.filter((each) => each > 0).length, 12);
    assert.ok(spent >= 0.95 * settings.dailyBudget);
  });

  it('is spent by midnight on days of 23 and 25 hours', () => {
    for (const [day, hours] of [
      ['2026-03-29', 23],
      ['2026-10-25', 25],
    ] as const) {
      const timeZone = 'Europe/Berlin';
      const { start } = new DayProfile(NO_HISTORY, { day, timeZone, hourlySchedule: null });
      const history = historyOf(random, start, 14);
      const times = trafficOf(random, start, hours, 3);
      const common = { ...settings, day, timeZone, history, priceAt: () => 3_000, pacing: 'even' } as const;
      const { byHour, spent } = spend(times, common);
      assert.equal(byHour.filter((each) => each > 0).length, hours);
      assert.ok(spent >= 0.95 * settings.dailyBudget && spent <= settings.dailyBudget, `${spent}`);
    }
  });
});
