import assert from 'node:assert/strict';
import type { Random } from '../../src/demo/random.ts';
import { Competition } from '../../src/placements/competition/competition.ts';
import { type Decision, decide } from '../../src/placements/decide/decide.ts';
import type { LossReason } from '../../src/placements/decide/loss-reasons.ts';
import type { Candidate } from '../../src/placements/decide/ranking.ts';
import type { Diagnosis } from '../../src/placements/diagnosis/diagnose.ts';
import { DiagnosisRecorder } from '../../src/placements/diagnosis/diagnosis-recorder.ts';
import { draft, importDrafts } from '../support/catalog.ts';
import type { TestMerchant, TestService } from '../support/service.ts';

export const HOUR_MS = 60 * 60 * 1000;
const TYPE = 'AuctionCampaign';
const LEVELS = ['Home', 'Vases'] as const;

/** A campaign with a bid and products whose identifiers end with these internal IDs. */
export interface MarketCampaign {
  merchant: TestMerchant;
  id: string;
  /** In units. */
  bid: number;
  products: readonly number[];
}

/** What the service was told, and what really became of it. */
export interface MarketRequest {
  at: number;
  currency: string;
  type: string | null;
  category: readonly string[];
  floor: number;
  isListed: boolean;
  decision: Decision;
}

interface Sent extends Omit<MarketRequest, 'at' | 'decision' | 'isListed'> {
  count: number;
  maxPerMerchant: number | null;
  maxPerCampaign: number | null;
  products: readonly { merchantId: number; productId: number }[] | null;
  refusal: (candidate: Candidate) => LossReason | undefined;
}

export const anything: Sent = {
  currency: 'USD',
  type: null,
  category: [],
  floor: 100,
  count: 1,
  maxPerMerchant: null,
  maxPerCampaign: null,
  products: null,
  refusal: () => undefined,
};

/** Merchants of a service whose campaigns compete, decided in memory and recorded by two processes. */
export class DiagnosisMarket {
  readonly service: TestService;
  readonly recorders: readonly DiagnosisRecorder[];
  readonly campaigns: MarketCampaign[] = [];
  readonly requests: MarketRequest[] = [];
  readonly #competition = new Competition();

  constructor(service: TestService) {
    const { database } = service;
    const onError = (error: unknown): never => assert.fail(String(error));
    this.service = service;
    this.recorders = [1, 2].map(() => new DiagnosisRecorder(database, onError));
  }

  /** Adds a merchant with campaigns: bids in units, and how many products each has. */
  async add(...campaigns: readonly { bid: number; products: number }[]): Promise<TestMerchant> {
    const merchant = await this.service.newMerchant();
    const { id: merchantId } = merchant;
    this.#competition.setMerchant({ merchantId, currency: 'USD', isActive: true });
    let productId = 0;
    for (const [at, { bid, products: count }] of campaigns.entries()) {
      const name = `Campaign ${at}`;
      const json = { name, type: TYPE, bid_amount: bid / 10_000 };
      const headers = { authorization: `Bearer ${merchant.token}` };
      const created = await this.service.request('POST', '/campaigns', { json, headers });
      const { internal_id: id } = created.json<{ internal_id: string }>();
      this.#competition.setCampaign({
        ...{ merchantId, campaignId: id, name, type: TYPE, status: 'Active', bid, createdAt: 0 },
      });
      const products = Array.from({ length: count }, () => ++productId);
      const fields = { campaign_name: name, category: LEVELS.join(' | ') };
      await importDrafts(this.service, merchant, [products.map((each) => draft(`P${each}`, fields))]);
      for (const each of products)
        this.#competition.setProduct({
          ...{ merchantId, productId: each, campaignName: name, status: 'enabled', category: LEVELS },
          ...{ schedulingFeeBid: null, maxDailySchedules: null, quality: 1 },
        });
      this.campaigns.push({ merchant, id, bid, products });
    }
    return merchant;
  }

  /** Decides a request and records it, as one of the processes. */
  decide(sent: Partial<Sent> = {}, at = this.service.now()): Decision {
    const request = { ...anything, ...sent };
    const { currency, type, category, floor, products, refusal } = request;
    const key = `request ${this.requests.length}`;
    const ranking = this.#competition.rank({ key, currency, type, category, products, exclude: [] });
    const judge = { refusal, take: () => {} };
    const decision = decide(request, ranking, judge, { pricing: 'second', minorUnit: 100 });
    const recorded = { currency, type, category, floor, isListed: products !== null };
    this.recorders[this.requests.length % 2]?.record(recorded, decision, at);
    this.requests.push({ ...recorded, at, decision });
    return decision;
  }

  /** A request of any kind, with refusals that a hash of the request decides. */
  decideAny(random: Random, at: number): void {
    const isLimited = random.chance(0.4);
    const refusals = random.chance(0.5) && !isLimited ? this.#randomRefusals(random) : new Map();
    const named = this.campaigns.flatMap(({ merchant, products }) =>
      products.map((productId) => ({ merchantId: merchant.id, productId })),
    );
    this.decide(
      {
        currency: random.pick(['USD', 'USD', 'USD', 'JPY']),
        type: random.pick([null, TYPE, 'BannerCampaign']),
        category: random.pick([[], ['Home'], [...LEVELS], ['Garden']]),
        floor: random.pick([100, 1500, 1600, 1900]),
        count: random.whole(1, 4),
        maxPerMerchant: isLimited && random.chance(0.5) ? 1 : null,
        maxPerCampaign: isLimited ? 1 : null,
        products: random.chance(0.2) ? named.filter(() => random.chance(0.5)) : null,
        refusal: ({ campaignId, productId, merchantId }) =>
          refusals.get(campaignId) ?? refusals.get(`${merchantId} ${productId}`),
      },
      at,
    );
  }

  async flush(): Promise<void> {
    for (const recorder of this.recorders) await recorder.flush();
  }

  async diagnose({ merchant, id }: MarketCampaign, product?: string): Promise<Diagnosis> {
    const query = { internal_id: id, ...(product !== undefined && { product_identifier: product }) };
    const response = await this.service.get('/campaigns/diagnosis', merchant, query);
    assert.equal(response.status, 200, response.text);
    return response.json<Diagnosis>();
  }

  #randomRefusals(random: Random): Map<string, LossReason> {
    const refusals = new Map<string, LossReason>();
    for (const { id, merchant, products } of this.campaigns) {
      if (random.chance(0.3)) refusals.set(id, random.pick(['daily_budget', 'lifetime_budget', 'paced']));
      for (const product of products)
        if (random.chance(0.2))
          refusals.set(
            `${merchant.id} ${product}`,
            random.pick(['max_daily_schedules', 'daily_budget_per_product']),
          );
    }
    return refusals;
  }
}

/** What a request was for a campaign, or for one of its products; undefined if it could not win it. */
export function modelOutcome(
  { currency, type, category, floor, isListed, decision }: MarketRequest,
  { merchant, id, bid }: MarketCampaign,
  product: number | null,
): { outcome: LossReason | 'won'; price: number | null } | undefined {
  const isIt = (candidate: Candidate): boolean =>
    candidate.merchantId === merchant.id &&
    candidate.campaignId === id &&
    (product === null || candidate.productId === product);
  const matches =
    currency === 'USD' && type !== 'BannerCampaign' && (category[0] === undefined || category[0] === 'Home');
  if (isListed ? !decision.considered.some(isIt) : !matches) return undefined;
  const award = decision.awards.find(({ candidate }) => isIt(candidate));
  if (award !== undefined) return { outcome: 'won', price: award.price };
  const lost = (outcome: LossReason): { outcome: LossReason; price: null } => ({ outcome, price: null });
  const refused = decision.refused.find(
    ({ candidate, isWholeCampaign }) => isIt(candidate) || (isWholeCampaign && candidate.campaignId === id),
  );
  if (refused !== undefined) return lost(refused.reason);
  if (bid < floor && !isListed) return lost('below_floor');
  const isFull = decision.full.some(
    ({ merchantId, campaignId }) => merchantId === merchant.id && (campaignId === null || campaignId === id),
  );
  return lost(isFull ? 'over_max_per_merchant' : 'outbid');
}

/** The least bid, in units, that would have won a request. */
export function modelBid(request: MarketRequest, price: number | null): number {
  const { decision, floor, isListed } = request;
  if (price !== null) return price;
  const last = decision.unfilled > 0 ? undefined : decision.awards.at(-1);
  const aboveLast = last === undefined ? 100 : last.candidate.bid + 100;
  return Math.max(aboveLast, isListed ? 0 : floor);
}
