import assert from 'node:assert/strict';
import { it } from 'node:test';
import { SERVICE } from '../../src/audit/record-audit.ts';
import { createCampaign } from '../../src/campaigns/create-campaign.ts';
import type { Database } from '../../src/database/database.ts';
import { runVerb } from '../../src/database/write-context.ts';
import type { Random } from '../../src/demo/random.ts';
import { createMerchant } from '../../src/merchants/create-merchant.ts';
import { hashOf } from '../../src/placements/competition/turns.ts';
import { DiagnosisRecorder } from '../../src/placements/diagnosis/diagnosis-recorder.ts';
import { CompetitionFollower } from '../../src/placements/follow/competition-follower.ts';
import { reportOutcomes } from '../../src/placements/outcomes/report-outcomes.ts';
import { Pacing } from '../../src/placements/pacing/pacing.ts';
import { Auction, type SentRequest } from '../../src/placements/reserve/auction.ts';
import { draft, importDrafts, UNSET_AMOUNTS } from '../support/catalog.ts';
import { copyTo, newCopyDatabase, openCopyDatabase } from '../support/copies.ts';
import { postgres, sqlite } from '../support/engines.ts';
import { newRandom } from '../support/seed.ts';
import { until } from '../support/until.ts';

const START = Date.UTC(2026, 5, 15);
const ZONES = ['Pacific/Auckland', 'America/New_York', 'Asia/Tokyo', 'UTC'] as const;
const CATEGORIES = ['Home', 'Garden', 'Toys'] as const;
const PRODUCTS = 8;
const CAMPAIGNS = ['Spring', 'Summer'] as const;
/** After each, outcomes are reported, and what was known in memory is read again. */
const PERIODS = 4;
const CALLS = 20;
const PERIOD_MS = (24 * 60 * 60 * 1000) / PERIODS;
const DAY_S = 86_400;

interface PlayedCampaign {
  merchantId: number;
  campaignId: string;
  bid: number;
}

/** Merchants in several time zones, with budgets that are spent during the day. */
async function fill(database: Database, random: Random): Promise<PlayedCampaign[]> {
  const services = { database, now: () => START };
  const campaigns: PlayedCampaign[] = [];
  for (const timeZone of ZONES) {
    const { id } = await createMerchant(services, { name: `In ${timeZone}`, email: null, timeZone });
    for (const name of CAMPAIGNS) {
      const bid_amount = random.whole(2, 9) / 100;
      const json = {
        ...{ ...UNSET_AMOUNTS, name, type: 'AuctionCampaign', bid_amount },
        daily_budget: random.whole(20, 120) / 100,
        daily_budget_per_product: random.whole(10, 60) / 100,
      };
      const caller = { merchantId: id, who: SERVICE, budget: null };
      const { internal_id } = await runVerb(services, caller, createCampaign, json);
      campaigns.push({ merchantId: id, campaignId: internal_id, bid: bid_amount * 10_000 });
    }
    const drafts = Array.from({ length: PRODUCTS }, (_, index) =>
      draft(`P-${index}`, {
        campaign_name: random.pick(CAMPAIGNS),
        category: random.pick(CATEGORIES),
        available_quantity: 9,
        max_daily_schedules: random.chance(0.5) ? random.whole(1, 5) : null,
      }),
    );
    await importDrafts(services, { id }, [drafts]);
  }
  return campaigns;
}

function newCalls(random: Random): SentRequest[][][] {
  let number = 0;
  const request = (): SentRequest => {
    number += 1;
    return {
      ...{ key: `request ${number}`, count: random.pick([1, 1, 2, 4]), hold: DAY_S, currency: 'USD' },
      ...(random.chance(0.7) && { category: [random.pick(CATEGORIES)] }),
      ...(random.chance(0.3) && { max_per_merchant: 1 }),
    };
  };
  return Array.from({ length: PERIODS }, () =>
    Array.from({ length: CALLS }, () => Array.from({ length: random.whole(1, 5) }, request)),
  );
}

interface Played {
  key: string;
  placements: unknown[][];
  unfilled: number;
  losers: string[];
}

/** Sends the requests of a day, and reports what became of the placements. */
async function play(
  database: Database,
  campaigns: readonly PlayedCampaign[],
  calls: readonly SentRequest[][][],
): Promise<Played[]> {
  let time = START;
  const now = (): number => time;
  const onError = (error: unknown): void => assert.fail(String(error));
  const recorder = new DiagnosisRecorder(database, onError);
  const played: Played[] = [];
  for (const ofPeriod of calls) {
    const follower = new CompetitionFollower({ database, qualityWeight: 20, now, onError });
    const pacing = new Pacing({ database, pacing: 'even', now, onError, pollMs: 20 });
    follower.start();
    const request = { key: '', currency: 'USD' };
    const isKnown = (campaign: PlayedCampaign): boolean => pacing.paceOf(campaign, request) !== null;
    // Each is asked about before pacing begins to read.
    assert.deepEqual(campaigns.filter(isKnown), []);
    pacing.start();
    await until(() => campaigns.every(isKnown));
    await until(() => follower.isComplete());
    // From here on, pacing learns only of its own reservations: what it reads at any time may be older.
    await pacing.close();
    const auction = new Auction({
      database,
      now,
      follower,
      pacing,
      recorder,
      hourly: { count: () => {} },
      pricing: 'second',
      floor: 0.01,
    });
    const outcomes = new Map<number, Parameters<typeof reportOutcomes>[1]['outcomes'][number][]>();
    for (const call of ofPeriod) {
      time += PERIOD_MS / CALLS;
      for (const { key, placements, unfilled, losers } of await auction.place(call)) {
        played.push({
          ...{ key, unfilled, losers: Object.keys(losers).sort() },
          placements: placements.map(({ placement_id: _, ...rest }) => Object.values(rest)),
        });
        for (const [index, { placement_id, merchant }] of placements.entries()) {
          const lot = hashOf(`${key} ${index}`) % 3;
          if (lot === 0) continue;
          const outcome = { placement_id, outcome: lot === 1 ? 'delivered' : 'released', at: time } as const;
          const id = Number(merchant);
          outcomes.set(id, [...(outcomes.get(id) ?? []), outcome]);
        }
      }
    }
    for (const [merchantId, some] of outcomes)
      await runVerb({ database, now }, { merchantId, who: SERVICE, lowBudget: 80 }, reportOutcomes, {
        outcomes: some,
      });
    await follower.close();
    await pacing.close();
  }
  await recorder.flush();
  return played;
}

it('a day of requests gives the same winners and prices on a copy of the data, in another engine', async (t) => {
  const random = newRandom();
  const sides = { from: await newCopyDatabase(t, sqlite), to: await newCopyDatabase(t, postgres) };
  const database = await openCopyDatabase(t, sides.from);
  const campaigns = await fill(database, random);
  await copyTo(sides.from.environment, sides.to.environment);
  const calls = newCalls(random);
  const first = await play(database, campaigns, calls);
  const again = await play(await openCopyDatabase(t, sides.to), campaigns, calls);
  for (const [index, result] of first.entries())
    assert.deepEqual(again[index], result, `request ${index} of ${first.length}`);
  assert.equal(again.length, first.length);
  const placed = first.flatMap(({ placements }) => placements);
  const reasons = new Set(first.flatMap(({ losers }) => losers));
  t.diagnostic(`${placed.length} placements, losers: ${[...reasons].sort().join(', ')}`);
  assert.ok(placed.length > PERIODS, `only ${placed.length} placements`);
  for (const reason of ['paced', 'outbid', 'daily_budget']) assert.ok(reasons.has(reason), `never ${reason}`);
});
