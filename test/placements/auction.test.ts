import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Competition } from '../../src/placements/competition/competition.ts';
import type { CompetitionRequest } from '../../src/placements/competition/entrants.ts';
import { type Decision, decide, type Judge } from '../../src/placements/decide/decide.ts';
import { type LossReason, lossReasons } from '../../src/placements/decide/loss-reasons.ts';
import { RankedList } from '../../src/placements/decide/ranked-list.ts';
import type { Candidate, Ranking } from '../../src/placements/decide/ranking.ts';
import { MAX_REFUSALS } from '../../src/placements/decide/rivals.ts';
import { RecordedRanking } from '../../src/placements/decide/shortlist.ts';
import type { ProductStatus } from '../../src/products/record/product.ts';
import { newRandom } from '../support/seed.ts';
import {
  ModelBudgets,
  type ModelCampaign,
  type ModelCandidate,
  type ModelDecision,
  type ModelMarket,
  type ModelRequest,
} from './auction-model.ts';
import { RandomMarket } from './random-market.ts';

const MIN_STEPS = 3_000;
const MAX_STEPS = 200_000;
/** What has to happen before the test ends. */
const WANTED = [
  ...lossReasons,
  ...['unfilled', 'several places', 'the floor', 'the bid', 'between floor and bid', 'equal scores'],
  ...[
    'a list of products',
    'an excluded merchant',
    'an excluded product',
    'a category',
    'two levels',
    'a type',
  ],
  ...[
    'two active campaigns of one name',
    'a bid of the product',
    'its own campaign is passed over',
    'first price',
  ],
];

const minorUnits = { USD: 100, JPY: 10_000 };
const everybody: Judge = { refusal: () => undefined, take: () => {} };

describe('an auction', () => {
  it('has the winners, prices, unfilled places and losers of the model, whatever has changed before', () => {
    const random = newRandom();
    const market = new RandomMarket(random);
    const seen = new Set<string>();
    let steps = 0;
    for (; steps < MIN_STEPS || WANTED.some((outcome) => !seen.has(outcome)); steps++) {
      assert.ok(steps < MAX_STEPS, `not seen: ${WANTED.filter((outcome) => !seen.has(outcome)).join(', ')}`);
      market.change();
      if (random.chance(0.6)) continue;
      const request = market.newRequest();
      const budgets = market.newBudgets();
      const expected = market.model.decide(request, budgets.copy());
      const ranking = market.competition.rank(requestOf(request));
      const decision = decideAs(request, ranking, budgets.copy());
      assert.deepEqual(shown(decision), expected, `step ${steps}: ${JSON.stringify(request)}`);
      const again = decideFromList(market, request, budgets, random.pick([0, 1, 20]));
      assert.deepEqual(shown(again), expected, `step ${steps}: decided again from a list`);
      note(seen, request, decision, market.model);
    }
    market.empty();
    assert.equal(market.competition.size, 0);
  });

  it('never asks for more than the bid or less than the floor, and never because of the merchant’s own campaigns', () => {
    const random = newRandom();
    const market = new RandomMarket(random);
    let [prices, withOwn] = [0, 0];
    for (let steps = 0; prices < 300 || withOwn < 20; steps++) {
      assert.ok(steps < MAX_STEPS);
      market.change();
      const request: ModelRequest = {
        ...market.newRequest(),
        products: null,
        exclude: [],
        pricing: 'second',
      };
      const candidates = allOf(market.competition.rank(requestOf(request)));
      const [first] = decideAs({ ...request, count: 1 }, listOf(candidates), everybody).awards;
      if (first === undefined) continue;
      prices++;
      assert.ok(first.price <= first.candidate.bid && first.price >= request.floor);
      assert.equal(first.price % minorUnits[request.currency], 0);
      const { merchantId } = first.candidate;
      const others = candidates.filter((each) => each.merchantId !== merchantId || each === first.candidate);
      if (others.length < candidates.length) withOwn++;
      const alone = decideAs({ ...request, count: 1 }, listOf(others), everybody).awards;
      assert.deepEqual(alone, [first]);
    }
  });

  it('a campaign whose budget does not cover its bid sets no price', () => {
    const competition = new Competition();
    for (const [merchantId, bid] of [
      [1, 90],
      [2, 80],
      [3, 50],
    ] as const)
      addMerchant(competition, { merchantId, bid });
    const cannotPay: Judge = {
      refusal: ({ merchantId, bid }, price) =>
        merchantId === 2 && price >= bid ? 'daily_budget' : undefined,
      take: () => {},
    };
    const request = { ...plain, count: 2 };
    const { awards } = decideAs(request, competition.rank(requestOf(request)), cannotPay);
    assert.deepEqual(
      awards.map(({ candidate, price }) => [candidate.merchantId, price]),
      [
        [1, 5_000],
        [2, 5_000],
      ],
    );
  });

  it('quality counts as the bid does: twice the quality pays half', () => {
    const competition = new Competition();
    addMerchant(competition, { merchantId: 1, bid: 50, quality: 1 });
    addMerchant(competition, { merchantId: 2, bid: 55, quality: 0.5 });
    const [award] = decideAs(plain, competition.rank(requestOf(plain)), everybody).awards;
    assert.deepEqual([award?.candidate.merchantId, award?.price], [1, 2_800]);
  });

  it('merchants with equal scores take turns, however many products they have', () => {
    const competition = new Competition();
    for (const merchantId of [1, 2, 3, 4])
      addMerchant(competition, { merchantId, bid: 50, products: merchantId * 5 });
    const wins = new Map<number, number>();
    const products = new Set<number>();
    for (let index = 0; index < 2_000; index++) {
      const request = { ...plain, key: `request ${index}` };
      const [award] = decideAs(request, competition.rank(requestOf(request)), everybody).awards;
      const { merchantId = 0, productId = 0 } = award?.candidate ?? {};
      wins.set(merchantId, (wins.get(merchantId) ?? 0) + 1);
      if (merchantId === 4) products.add(productId);
    }
    assert.equal(wins.size, 4);
    for (const count of wins.values()) assert.ok(count > 430 && count < 570, `${count} of 2,000`);
    assert.ok(products.size > 10, `${products.size} of 20 products`);
  });

  it('the same request is decided in the same way, whatever was loaded first', () => {
    const inOrder = new Competition();
    const reversed = new Competition();
    const merchants = [1, 2, 3, 4, 5];
    for (const merchantId of merchants) addMerchant(inOrder, { merchantId, bid: 50, products: 3 });
    for (const merchantId of merchants.toReversed())
      addMerchant(reversed, { merchantId, bid: 50, products: 3 });
    for (let index = 0; index < 50; index++) {
      const request = requestOf({ ...plain, key: `request ${index}` });
      assert.deepEqual(allOf(inOrder.rank(request)), allOf(reversed.rank(request)));
    }
  });

  it('starts anew with a merchant that changes its currency', () => {
    const competition = new Competition();
    addMerchant(competition, { merchantId: 1, bid: 50 });
    competition.setMerchant({ merchantId: 1, currency: 'EUR', isActive: true });
    assert.equal(competition.size, 0);
  });

  it('a merchant competes no more as soon as its removal begins, whenever it ends', () => {
    const competition = new Competition();
    addMerchant(competition, { merchantId: 1, bid: 50, products: 30 });
    addMerchant(competition, { merchantId: 2, bid: 40, products: 2 });
    const ranking = () => competition.rank(requestOf(plain));
    const others = allOf(ranking()).filter(({ merchantId }) => merchantId === 2);
    let steps = 0;
    for (const _ of competition.removal(1)) {
      steps += 1;
      assert.deepEqual(allOf(ranking()), others);
      assert.equal(ranking().remaining, 2);
    }
    assert.equal(steps, 30);
    assert.equal(competition.size, 2);
    addMerchant(competition, { merchantId: 1, bid: 30 });
    assert.deepEqual(
      allOf(ranking()).map(({ merchantId }) => merchantId),
      [2, 2, 1],
    );
  });

  it('a tie among thousands of products of one campaign is decided at once', () => {
    const competition = new Competition();
    const request = { ...plain, count: 50 };
    addMerchant(competition, { merchantId: 1, bid: 50, products: 20_000 });
    addMerchant(competition, { merchantId: 2, bid: 50, products: 20_000 });
    const ranking = competition.rank(requestOf(request));
    const { awards, losers, considered } = decideAs(request, ranking, everybody);
    assert.equal(awards.length, 50);
    assert.deepEqual(losers, { outbid: 40_000 - 50 });
    assert.ok(considered.length < 200, `${considered.length} candidates were considered`);
  });

  it('thousands of campaigns that sit out, or cannot pay their bids, are asked about a few times each', () => {
    const [able, others] = [30, 3_000];
    const competition = new Competition();
    for (let merchantId = 1; merchantId <= others; merchantId++)
      addMerchant(competition, { merchantId, bid: merchantId <= able ? 50 : 100 + (merchantId % 7) });
    for (const [reason, least] of [
      ['paced', 0],
      ['daily_budget', 2_000],
    ] as const) {
      let asked = 0;
      const judge: Judge = {
        take: () => {},
        refusal: ({ merchantId }, price) => {
          asked++;
          return merchantId > able && price > least ? reason : undefined;
        },
      };
      const request = { ...plain, count: 20 };
      const recorded = new RecordedRanking(competition.rank(requestOf(request)));
      const { awards, losers } = decideAs(request, recorded, judge);
      assert.deepEqual([awards.length, losers], [20, { [reason]: others - able, outbid: able - 20 }]);
      assert.ok(asked < 5 * others, `${asked} questions`);
      const list = new RankedList(recorded.shortlist(20));
      assert.deepEqual(shown(decideAs(request, list, judge)), shown({ ...emptyDecision, awards, losers }));
      assert.equal(list.endsEarly, false);
    }
  });

  it('a merchant is out of the request after many refusals, and sets no price after as many of its own bid', () => {
    const competition = new Competition();
    addMerchant(competition, { merchantId: 1, bid: 100, products: 5_000 });
    for (const merchantId of [2, 3]) addMerchant(competition, { merchantId, bid: 50 - merchantId });
    for (const [least, winners, losers] of [
      [0, [2], { daily_budget_per_product: 5_000, outbid: 1 }],
      [60, [1], { outbid: 5_001 }],
    ] as const) {
      const asked = new Set<Candidate>();
      const judge: Judge = {
        take: () => {},
        refusal: (candidate, price) => {
          asked.add(candidate);
          const isRefused = candidate.merchantId === 1 && price > least * 100;
          return isRefused ? 'daily_budget_per_product' : undefined;
        },
      };
      const recorded = new RecordedRanking(competition.rank(requestOf(plain)));
      const decision = decideAs(plain, recorded, judge);
      assert.deepEqual(
        decision.awards.map(({ candidate, price }) => [candidate.merchantId, price]),
        winners.map((winner) => [winner, winner === 1 ? 4_800 : 4_700]),
      );
      assert.deepEqual(decision.losers, losers);
      assert.ok(asked.size < 2 * MAX_REFUSALS, `${asked.size} candidates were asked about`);
      const list = new RankedList(recorded.shortlist(0));
      assert.deepEqual(shown(decideAs(plain, list, judge)), shown(decision));
      assert.equal(list.endsEarly, false);
    }
  });

  it('test sides never compete, and changes of an unknown merchant are a mistake', () => {
    const competition = new Competition();
    addMerchant(competition, { merchantId: -1, bid: 50 });
    assert.equal(competition.size, 0);
    assert.throws(() => competition.removeProduct(9, 1), /merchant 9 has not been set/);
    addMerchant(competition, { merchantId: 1, bid: 50 });
    assert.throws(() => addMerchant(competition, { merchantId: 1, bid: 50, quality: 0 }), /quality/);
  });
});

const emptyDecision: Decision = {
  ...{ awards: [], unfilled: 0, losers: {}, refused: [], full: [], considered: [] },
};

const plain: ModelRequest = {
  key: 'a request',
  count: 1,
  currency: 'USD',
  type: null,
  category: [],
  products: null,
  exclude: [],
  maxPerMerchant: null,
  maxPerCampaign: null,
  floor: 100,
  pricing: 'second',
};

/** A merchant with one campaign, whose bid is in cents. */
function addMerchant(
  competition: Competition,
  {
    merchantId,
    bid,
    quality = 1,
    products = 1,
  }: { merchantId: number; bid: number; quality?: number; products?: number },
): void {
  competition.setMerchant({ merchantId, currency: 'USD', isActive: true });
  const campaign = {
    merchantId,
    campaignId: `campaign of ${merchantId}`,
    name: 'Sale',
    type: 'AuctionCampaign',
  };
  competition.setCampaign({ ...campaign, status: 'Active', bid: bid * 100, createdAt: 1 });
  const status: ProductStatus = 'in_stock';
  for (let productId = 1; productId <= products; productId++)
    competition.setProduct({
      ...{ merchantId, productId, campaignName: 'Sale', status, category: ['Home', 'Vases'], quality },
      ...{ schedulingFeeBid: null, maxDailySchedules: null },
    });
}

function requestOf({ key, currency, type, category, products, exclude }: ModelRequest): CompetitionRequest {
  return {
    key,
    currency,
    type,
    category,
    products: products?.map(({ merchant, id }) => ({ merchantId: merchant, productId: id })) ?? null,
    exclude: exclude.map(({ merchant, id }) => ({ merchantId: merchant, productId: id })),
  };
}

function decideAs(request: ModelRequest, ranking: Ranking, of: ModelBudgets | Judge): Decision {
  const judge: Judge = of instanceof ModelBudgets ? judgeOf(of) : of;
  const { pricing, currency, ...places } = request;
  return decide(places, ranking, judge, { pricing, minorUnit: minorUnits[currency] });
}

/** Decides from a shortlist, as when budgets are known only once they were asked for. */
function decideFromList(
  market: RandomMarket,
  request: ModelRequest,
  budgets: ModelBudgets,
  more: number,
): Decision {
  const known = new Set<string>();
  for (let attempts = 1; ; attempts++) {
    const recorded = new RecordedRanking(market.competition.rank(requestOf(request)));
    const inMemory = judgeOf(budgets.copy());
    const guess: Judge = {
      take: inMemory.take,
      refusal: (candidate, price) =>
        known.has(nameOf(candidate)) ? inMemory.refusal(candidate, price) : undefined,
    };
    decideAs(request, recorded, guess);
    const list = new RankedList(structuredClone(recorded.shortlist(more)));
    const judge = judgeOf(budgets.copy());
    const asking: Judge = {
      take: judge.take,
      refusal: (candidate, price) => {
        known.add(nameOf(candidate));
        return judge.refusal(candidate, price);
      },
    };
    const decision = decideAs(request, list, asking);
    if (!list.endsEarly) return decision;
    assert.ok(attempts < 100);
  }
}

function nameOf({ merchantId, productId }: Candidate): string {
  return `${merchantId} ${productId}`;
}

function listOf(candidates: Candidate[]): RankedList {
  return new RankedList({ candidates, losers: {}, others: [], rest: 0, end: null });
}

function judgeOf(budgets: ModelBudgets): Judge {
  return {
    refusal: (candidate, price) => {
      const refusal = budgets.refusal(modelOf(candidate), price);
      return lossReasons.find((reason): reason is LossReason => reason === refusal);
    },
    take: (candidate, price) => budgets.take(modelOf(candidate), price),
  };
}

function modelOf(candidate: Candidate): ModelCandidate {
  const { merchantId, campaignId, productId, bid, isCampaignBid, quality, score, maxDailySchedules } =
    candidate;
  const ids = { merchant: merchantId, campaign: campaignId, product: productId };
  return { ...ids, bid, isShared: isCampaignBid, quality, score, max: maxDailySchedules };
}

function shown({ awards, unfilled, losers }: Decision): ModelDecision {
  return {
    awards: awards.map(({ candidate, price }) => {
      const { merchant, campaign, product, bid } = modelOf(candidate);
      return { merchant, campaign, product, bid, price };
    }),
    unfilled,
    losers,
  };
}

function allOf(ranking: Ranking): Candidate[] {
  const candidates: Candidate[] = [];
  for (let next = ranking.next(); next !== undefined; next = ranking.next()) candidates.push(next);
  assert.equal(ranking.remaining, 0);
  return candidates;
}

/** Notes which of `WANTED` have occurred. */
function note(seen: Set<string>, request: ModelRequest, decision: Decision, model: ModelMarket): void {
  const { awards, considered, losers, unfilled } = decision;
  const isWon = awards.length > 0;
  const names = new Set(
    model.campaigns
      .filter(({ status }) => status === 'Active')
      .map(({ merchant, name }) => `${merchant} ${name}`),
  );
  const isShared = (campaigns: readonly ModelCampaign[]): boolean =>
    campaigns.filter(({ status }) => status === 'Active').length > names.size;
  const scores = considered.map(({ score }) => score);
  const occurred: [string, boolean][] = [
    ...Object.keys(losers).map((reason): [string, boolean] => [reason, true]),
    ['unfilled', isWon && unfilled > 0],
    ['several places', awards.length > 1],
    ['the floor', awards.some(({ candidate, price }) => price === request.floor && price < candidate.bid)],
    ['the bid', awards.some(({ candidate, price }) => price === candidate.bid && price > request.floor)],
    [
      'between floor and bid',
      awards.some(({ candidate, price }) => price > request.floor && price < candidate.bid),
    ],
    ['equal scores', new Set(scores).size < scores.length],
    ['a list of products', isWon && request.products !== null],
    ['an excluded merchant', isWon && request.exclude.some(({ id }) => id === null)],
    ['an excluded product', isWon && request.exclude.some(({ id }) => id !== null)],
    ['a category', isWon && request.category.length === 1],
    ['two levels', isWon && request.category.length === 2],
    ['a type', isWon && request.type !== null],
    ['two active campaigns of one name', isWon && isShared(model.campaigns)],
    ['a bid of the product', awards.some(({ candidate }) => !candidate.isCampaignBid)],
    [
      'its own campaign is passed over',
      awards.some(({ candidate, price }) =>
        considered.some(
          (other) =>
            other.merchantId === candidate.merchantId &&
            other.campaignId !== candidate.campaignId &&
            other.score < candidate.score &&
            other.bid > price,
        ),
      ),
    ],
    ['first price', isWon && request.pricing === 'first'],
  ];
  for (const [outcome, hasOccurred] of occurred) if (hasOccurred) seen.add(outcome);
}
