import type { Database } from '../database/database.ts';
import { Competition } from '../placements/competition/competition.ts';
import { decide, type Judge } from '../placements/decide/decide.ts';
import { RankedList } from '../placements/decide/ranked-list.ts';
import type { Candidate } from '../placements/decide/ranking.ts';
import { DiagnosisRecorder } from '../placements/diagnosis/diagnosis-recorder.ts';
import { FollowedMarket } from '../placements/follow/followed-market.ts';
import { Rests } from '../placements/follow/rests.ts';
import { minorUnitOf } from '../shared/amounts.ts';
import { departments } from './assortment.ts';
import { Random } from './random.ts';

const HOUR_MS = 60 * 60 * 1000;
const HOURS = 24;
const SEED = 301;
const CURRENCY = 'USD';
const QUALITY_WEIGHT = 50;
const REQUESTS_PER_HOUR = 20;
/** What an even share of a campaign's daily budget pays for in an hour. */
const PLACES_PER_HOUR = 2;

const categories = Object.values(departments).flatMap((ofShop) =>
  ofShop.map(({ category }) => category.split(' | ').slice(0, 2)),
);

/**
 * Counts what became of requests of the last 24 hours, for which the campaigns of all shops competed. The
 * requests are decided as real ones are, but reserve nothing.
 */
export async function fillDiagnosis(services: { database: Database; now: () => number }): Promise<void> {
  const { database, now } = services;
  const competition = await readCompetition(services);
  const recorder = new DiagnosisRecorder(database, (error) => {
    throw error;
  });
  const random = new Random(SEED);
  const minorUnit = minorUnitOf(CURRENCY);
  const first = Math.floor(now() / HOUR_MS) - HOURS + 1;
  for (let hour = first; hour < first + HOURS; hour++) {
    const judge = judgeOfHour();
    for (let request = 0; request < REQUESTS_PER_HOUR; request++) {
      const at = Math.min(now(), (hour + request / REQUESTS_PER_HOUR) * HOUR_MS);
      const category = random.chance(0.5) ? [] : (categories[random.whole(0, categories.length - 1)] ?? []);
      const sent = { currency: CURRENCY, type: null, category };
      const rules = { count: 1, floor: random.whole(1, 40) * minorUnit, maxPerMerchant: null };
      const candidates = bestOfCampaigns(competition, { ...sent, key: `${hour} ${request}` }, random);
      const ranking = new RankedList({ candidates, losers: {}, others: [], rest: 0, end: null });
      const decision = decide({ ...rules, maxPerCampaign: null }, ranking, judge, {
        pricing: 'second',
        minorUnit,
      });
      recorder.record({ ...sent, floor: rules.floor, isListed: false }, decision, at);
    }
  }
  await recorder.flush();
}

async function readCompetition(services: { database: Database; now: () => number }): Promise<Competition> {
  const competition = new Competition();
  const rests = new Rests(competition, services.now);
  const failures: unknown[] = [];
  const market = new FollowedMarket({
    ...services,
    ...{ competition, rests, qualityWeight: QUALITY_WEIGHT, isStopping: () => false, onLoaded: () => {} },
    onError: (error) => failures.push(error),
  });
  await market.load();
  await market.catchUp();
  if (failures.length > 0) throw failures[0];
  return competition;
}

/** Returns the best product of each campaign, each more or less suited to the request. */
function bestOfCampaigns(
  competition: Competition,
  { key, currency, type, category }: { key: string; currency: string; type: null; category: string[] },
  random: Random,
): Candidate[] {
  const ranking = competition.rank({ key, currency, type, category, products: null, exclude: [] });
  const best: Candidate[] = [];
  for (let next = ranking.next(); next !== undefined; next = ranking.next()) {
    const suited = 0.2 + 2 * random.next() ** 2;
    best.push({ ...next, quality: next.quality * suited, score: next.score * suited });
    ranking.dropCampaign(next.merchantId, next.campaignId);
  }
  return best;
}

/** Paces each campaign in one hour. */
function judgeOfHour(): Judge {
  const places = new Map<string, number>();
  return {
    refusal: ({ campaignId }) => ((places.get(campaignId) ?? 0) >= PLACES_PER_HOUR ? 'paced' : undefined),
    take: ({ campaignId }) => places.set(campaignId, (places.get(campaignId) ?? 0) + 1),
  };
}
