import type { Random } from '../../src/demo/random.ts';
import { Competition } from '../../src/placements/competition/competition.ts';
import { hashOf, mix } from '../../src/placements/competition/turns.ts';
import { decide, type Judge } from '../../src/placements/decide/decide.ts';
import type { Candidate } from '../../src/placements/decide/ranking.ts';
import { SellRates, type Tries, UNTRIED } from '../../src/placements/follow/sell-rates.ts';
import { DayProfile } from '../../src/placements/pacing/day-profile.ts';
import { paceLimit } from '../../src/placements/pacing/pace-limit.ts';
import type { RequestHistory } from '../../src/placements/pacing/request-history.ts';
import { HOUR_MS, historyOf, trafficOf } from './pacing-simulation.ts';

const CATEGORIES = 3;
const MERCHANTS = 60;
const CAMPAIGNS = 2;
const PRODUCTS = 6;
/** Times the usual traffic. */
const SCALE = 2;
const MINOR = 100;
/** The part of a sale that a place is worth to a merchant. */
const MARGIN = 0.2;
const WEIGHT = 20;
/** Requests for a category in an hour from which its leader must get a place. */
const MIN_REQUESTS = 10;

/** A product and its demand, which nobody in the marketplace knows. */
interface ProductDemand {
  merchantId: number;
  campaign: string;
  productId: number;
  category: string;
  /** The part of its placements that sell. */
  rate: number;
  /** What a sale brings, in units (`amounts.ts`). */
  value: number;
}

interface AdCampaign {
  merchantId: number;
  name: string;
  category: string;
  /** In units. */
  bid: number;
  dailyBudget: number;
  /** Whether it outbids all others of its category, so that only pacing keeps it from places. */
  isLeader: boolean;
}

/** Merchants who bid about what a place is worth to them, on average of a campaign. */
export interface TestMarket {
  products: readonly ProductDemand[];
  campaigns: readonly AdCampaign[];
}

export function newMarket(random: Random): TestMarket {
  const products: ProductDemand[] = [];
  const campaigns: AdCampaign[] = [];
  const add = (merchantId: number, number: number, category: string, leader?: { bid: number }): void => {
    const name = `Campaign ${number}`;
    const own = Array.from({ length: PRODUCTS }, (_, index): ProductDemand => {
      const rate = leader === undefined ? 0.02 * 15 ** random.next() : 0.3;
      const value = (leader === undefined ? random.whole(10, 60) : 35) * 10_000;
      return { merchantId, campaign: name, productId: number * PRODUCTS + index + 1, category, rate, value };
    });
    products.push(...own);
    const worth = own.reduce((sum, { rate, value }) => sum + rate * value * MARGIN, 0) / PRODUCTS;
    const bid = leader?.bid ?? Math.max(1, Math.round((worth * (0.6 + 0.8 * random.next())) / MINOR)) * MINOR;
    const places = leader === undefined ? random.whole(50, 400) : 800;
    const isLeader = leader !== undefined;
    campaigns.push({ merchantId, name, category, bid, dailyBudget: places * bid, isLeader });
  };
  for (let merchantId = 1; merchantId <= MERCHANTS; merchantId++)
    for (let number = 0; number < CAMPAIGNS; number++)
      add(merchantId, number, `Category ${random.whole(1, CATEGORIES)}`);
  const most = Math.max(...campaigns.map(({ bid }) => bid));
  for (let number = 1; number <= CATEGORIES; number++)
    add(MERCHANTS + number, 0, `Category ${number}`, { bid: 3 * most });
  return { products, campaigns };
}

export interface BackTestResult {
  requests: number;
  placements: number;
  /** What merchants paid for places, in units. */
  spend: number;
  /** How many of the places sold, and for how much, in units. */
  orders: number;
  sales: number;
  /** Placements whose price was above the bid, or below the floor. */
  mispriced: number;
  /** Hours with traffic in which a leader got no place. */
  silentHours: string[];
}

interface Run {
  start: number;
  days: number;
  /** These only teach the qualities. */
  warmUp: number;
  random: Random;
  hasQuality: boolean;
}

/** Plays days of traffic. The same random numbers give the same requests, and the same visitors buy. */
export function playDays(
  market: TestMarket,
  { start, days, warmUp, random, hasQuality }: Run,
): BackTestResult {
  const result: BackTestResult = {
    ...{ requests: 0, placements: 0, spend: 0, orders: 0, sales: 0, mispriced: 0 },
    silentHours: [],
  };
  const history = historyOf(random, start, 14);
  const shop = new Shop(market, history, hasQuality);
  for (let day = 0; day < days; day++) {
    const begin = start + day * 24 * HOUR_MS;
    shop.begin(begin);
    const isMeasured = day >= warmUp;
    const byHour = Map.groupBy(trafficOf(random, begin, 24, SCALE), (time) => Math.floor(time / HOUR_MS));
    for (const [hour, times] of byHour) {
      const asked = new Map<string, number>();
      const delivered = new Set<string>();
      for (const [index, time] of times.entries()) {
        const key = `request ${index} of hour ${hour}`;
        const category = `Category ${random.whole(1, CATEGORIES)}`;
        asked.set(category, (asked.get(category) ?? 0) + 1);
        for (const { candidate, price, sale } of shop.request({ key, category, time })) {
          delivered.add(candidate.campaignId);
          if (!isMeasured) continue;
          result.placements++;
          result.spend += price;
          result.sales += sale;
          if (sale > 0) result.orders++;
          if (price > candidate.bid || price < MINOR) result.mispriced++;
        }
        if (isMeasured) result.requests++;
      }
      for (const { category, isLeader, ...campaign } of market.campaigns)
        if (isLeader && (asked.get(category) ?? 0) >= MIN_REQUESTS && !delivered.has(idOf(campaign)))
          result.silentHours.push(`${category}, day ${day}, hour ${hour % 24}`);
      shop.learn();
    }
  }
  return result;
}

interface Place {
  candidate: Candidate;
  price: number;
  /** What it sold, in units. */
  sale: number;
}

/** Decides with the service’s own rules, and lets products sell by their demand. */
class Shop {
  readonly #competition = new Competition();
  readonly #products: ReadonlyMap<string, ProductDemand>;
  readonly #campaigns: ReadonlyMap<string, AdCampaign>;
  readonly #history: RequestHistory;
  readonly #hasQuality: boolean;
  readonly #used = new Map<string, number>();
  /** By product and by category. */
  readonly #tries = new Map<string, Tries>();
  #profile: DayProfile | undefined;

  constructor({ products, campaigns }: TestMarket, history: RequestHistory, hasQuality: boolean) {
    this.#history = history;
    this.#hasQuality = hasQuality;
    this.#products = new Map(products.map((product) => [nameOf(product), product]));
    this.#campaigns = new Map(campaigns.map((campaign) => [idOf(campaign), campaign]));
    for (const { merchantId } of campaigns)
      this.#competition.setMerchant({ merchantId, currency: 'USD', isActive: true });
    for (const campaign of campaigns)
      this.#competition.setCampaign({
        ...{ merchantId: campaign.merchantId, campaignId: idOf(campaign), name: campaign.name },
        ...{ type: 'AuctionCampaign', status: 'Active', bid: campaign.bid, createdAt: 0 },
      });
    for (const product of products) this.#set(product, 1);
  }

  begin(start: number): void {
    const day = new Date(start).toISOString().slice(0, 10);
    this.#profile = new DayProfile(this.#history, { day, timeZone: 'UTC', hourlySchedule: null });
    this.#used.clear();
  }

  request({ key, category, time }: { key: string; category: string; time: number }): Place[] {
    const filters = { currency: 'USD', type: null, category: [category], products: null, exclude: [] };
    const ranking = this.#competition.rank({ key, ...filters });
    const rules = { count: 1, floor: MINOR, maxPerMerchant: null, maxPerCampaign: null };
    const pricing = { pricing: 'second', minorUnit: MINOR } as const;
    const { awards } = decide(rules, ranking, this.#judgeOf(key, time), pricing);
    return awards.map(({ candidate, price }) => ({ candidate, price, sale: this.#sell(candidate, key) }));
  }

  /** Reads what was sold into the qualities, as the service does after some time. */
  learn(): void {
    if (!this.#hasQuality) return;
    const rates = new SellRates(WEIGHT);
    const categories = new Set([...this.#products.values()].map(({ category }) => category));
    for (const category of categories) rates.add([category, ''], this.#tries.get(category) ?? UNTRIED);
    for (const [name, product] of this.#products) {
      const tries = { schedules: UNTRIED, placements: this.#tries.get(name) ?? UNTRIED };
      this.#set(product, rates.qualityOf([product.category, ''], tries));
    }
  }

  #judgeOf(key: string, time: number): Judge {
    const share = this.#profile?.shareAt(time) ?? 0;
    return {
      refusal: ({ campaignId, bid }, price) => {
        const dailyBudget = this.#campaigns.get(campaignId)?.dailyBudget ?? 0;
        const used = this.#used.get(campaignId) ?? 0;
        if (used + price > dailyBudget) return 'daily_budget';
        return used > paceLimit({ campaignId, dailyBudget, share, bid }, key) ? 'paced' : undefined;
      },
      take: ({ campaignId }, price) => {
        this.#used.set(campaignId, (this.#used.get(campaignId) ?? 0) + price);
      },
    };
  }

  #sell(candidate: Candidate, key: string): number {
    const name = nameOf(candidate);
    const product = this.#products.get(name);
    if (product === undefined) throw new Error(`there is no product ${name}`);
    const sells = mix(hashOf(key) ^ mix(hashOf(name))) / 2 ** 32 < product.rate;
    for (const counted of [name, product.category]) {
      const { tries, sold } = this.#tries.get(counted) ?? UNTRIED;
      this.#tries.set(counted, { tries: tries + 1, sold: sold + Number(sells) });
    }
    return sells ? product.value : 0;
  }

  #set({ merchantId, productId, campaign, category }: ProductDemand, quality: number): void {
    this.#competition.setProduct({
      ...{ merchantId, productId, campaignName: campaign, status: 'in_stock', category: [category, ''] },
      ...{ schedulingFeeBid: null, maxDailySchedules: null, quality },
    });
  }
}

function nameOf({ merchantId, productId }: Pick<ProductDemand, 'merchantId' | 'productId'>): string {
  return `${merchantId} ${productId}`;
}

function idOf({ merchantId, name }: Pick<AdCampaign, 'merchantId' | 'name'>): string {
  return `${merchantId} ${name}`;
}
