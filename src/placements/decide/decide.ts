import { addLosers, type Losers, type LossReason, losesWithCampaign } from './loss-reasons.ts';
import type { Candidate, Ranking } from './ranking.ts';
import { MAX_REFUSALS, Rivals } from './rivals.ts';

/** What a decision needs of a request (contract for campaigns, “Asking for placements”). */
export interface PlaceRules {
  /** How many places there are. */
  count: number;
  /** “Least price”, in whole minor units, given in units (`amounts.ts`). */
  floor: number;
  maxPerMerchant: number | null;
  maxPerCampaign: number | null;
}

/** Knows what is left of budgets, pacing and `max_daily_schedules`. */
export interface Judge {
  /**
   * Returns why a candidate cannot be given a place at a price, or undefined if it can: “each of the four
   * budgets covers the price on top of what is reserved and delivered”. Whoever is refused at a price must
   * also be refused at a higher one, and later in the same request.
   */
  refusal(candidate: Candidate, price: number): LossReason | undefined;
  /** A candidate has been given a place: later questions are on top of it. */
  take(candidate: Candidate, price: number): void;
}

export interface Pricing {
  /** `AD_PRICING`: “`first` charges the bid”. */
  pricing: 'second' | 'first';
  /** Units in the currency's minor unit (`minorUnitOf`). */
  minorUnit: number;
}

export interface Award {
  candidate: Candidate;
  /** In units: at least the floor, at most the bid. */
  price: number;
}

export interface Refused {
  candidate: Candidate;
  reason: LossReason;
  /** Whether all products of its campaign that were left lost with it. */
  isWholeCampaign: boolean;
}

/** A merchant, or one of its campaigns. */
export interface Full {
  merchantId: number;
  campaignId: string | null;
}

export interface Decision {
  /** The best first. */
  awards: Award[];
  /** Places that nobody gets. */
  unfilled: number;
  /** “How many candidates lost for each reason”. */
  losers: Losers;
  /** Candidates that lost when it was their turn, in order. */
  refused: Refused[];
  /** Who got as many places as it may have, so that all its other candidates lost. */
  full: Full[];
  /** Every candidate that was looked at, in any order: with `RankedList`, enough to decide again. */
  considered: Candidate[];
}

/**
 * Gives places to the best candidates, one after the other. Each product gets at most one.
 *
 * - A candidate that the judge refuses loses. If the reason concerns its campaign, the whole campaign does.
 * - When a merchant or a campaign has as many places as it may have, all its other candidates lose with
 *   `over_max_per_merchant`.
 * - “Bids below the floor do not compete”: `below_floor`, with all products of the campaign if the
 *   bid is the campaign's.
 * - Candidates that are looked at because they may set a price lose as well if they are refused at the least
 *   price. So each is looked at once, however many of them sit out the request.
 * - When many candidates of one merchant were refused, all its others lose with the last one's reason.
 *   Otherwise very many campaigns with nearly spent budgets would have to be asked about in each request.
 * - When the last place is given, whoever is left has been `outbid`, and is not asked about.
 */
export function decide(places: PlaceRules, ranking: Ranking, judge: Judge, pricing: Pricing): Decision {
  const decision = new Deciding(places, ranking, judge, pricing);
  decision.run();
  return decision.result();
}

class Deciding {
  readonly #places: PlaceRules;
  readonly #ranking: Ranking;
  readonly #judge: Judge;
  readonly #pricing: Pricing;
  readonly #awards: Award[] = [];
  readonly #losers: Losers;
  readonly #refused: Refused[] = [];
  readonly #full: Full[] = [];
  readonly #considered = new Set<Candidate>();
  readonly #placesOf = new Map<string | number, number>();
  /** By merchant. */
  readonly #refusals = new Map<number, number>();
  readonly #rivals: Rivals;

  constructor(places: PlaceRules, ranking: Ranking, judge: Judge, pricing: Pricing) {
    this.#places = places;
    this.#ranking = ranking;
    this.#judge = judge;
    this.#pricing = pricing;
    this.#losers = { ...ranking.losers };
    this.#rivals = new Rivals(ranking, {
      hasLost: (candidate) => this.#hasLost(candidate),
      refusal: (candidate, price) => judge.refusal(candidate, price),
    });
  }

  result(): Decision {
    const awards = this.#awards;
    const unfilled = this.#places.count - awards.length;
    const [losers, refused, full] = [this.#losers, this.#refused, this.#full];
    return { awards, unfilled, losers, refused, full, considered: [...this.#considered] };
  }

  run(): void {
    while (this.#awards.length < this.#places.count) {
      const candidate = this.#ranking.next();
      if (candidate === undefined) return;
      this.#rivals.forget((rival) => rival === candidate);
      if (this.#hasLost(candidate)) continue;
      const price = this.#pricing.pricing === 'first' ? candidate.bid : this.#secondPrice(candidate);
      const refusal = this.#judge.refusal(candidate, price);
      if (refusal === undefined) this.#award(candidate, price);
      else this.#lose(candidate, refusal);
    }
    addLosers(this.#losers, 'outbid', this.#ranking.remaining);
  }

  #award(candidate: Candidate, price: number): void {
    const { merchantId, campaignId } = candidate;
    const { maxPerMerchant, maxPerCampaign } = this.#places;
    this.#judge.take(candidate, price);
    this.#awards.push({ candidate, price });
    let dropped = 0;
    if (this.#count(merchantId) === maxPerMerchant) {
      this.#full.push({ merchantId, campaignId: null });
      dropped += this.#ranking.dropMerchant(merchantId);
    }
    if (this.#count(campaignId) === maxPerCampaign) {
      this.#full.push({ merchantId, campaignId });
      dropped += this.#ranking.dropCampaign(merchantId, campaignId);
    }
    addLosers(this.#losers, 'over_max_per_merchant', dropped);
    if (dropped > 0) this.#rivals.forget((rival) => rival.merchantId === merchantId);
  }

  /** Returns the places of a merchant or a campaign with one more. */
  #count(owner: string | number): number {
    const places = (this.#placesOf.get(owner) ?? 0) + 1;
    this.#placesOf.set(owner, places);
    return places;
  }

  #lose(candidate: Candidate, reason: LossReason): void {
    const { merchantId, campaignId } = candidate;
    const isWholeCampaign = losesWithCampaign(candidate, reason);
    this.#refused.push({ candidate, reason, isWholeCampaign });
    const others = isWholeCampaign ? this.#ranking.dropCampaign(merchantId, campaignId) : 0;
    const refusals = (this.#refusals.get(merchantId) ?? 0) + 1;
    this.#refusals.set(merchantId, refusals);
    const ofMerchant = refusals === MAX_REFUSALS ? this.#ranking.dropMerchant(merchantId) : 0;
    addLosers(this.#losers, reason, 1 + others + ofMerchant);
    if (others > 0) this.#rivals.forget((rival) => rival.campaignId === campaignId);
    if (ofMerchant > 0) this.#rivals.forget((rival) => rival.merchantId === merchantId);
  }

  /** Lets a candidate lose that cannot have a place even at the least price. Returns whether it cannot. */
  #hasLost(candidate: Candidate): boolean {
    const { floor } = this.#places;
    this.#considered.add(candidate);
    const reason = candidate.bid < floor ? 'below_floor' : this.#judge.refusal(candidate, floor);
    if (reason !== undefined) this.#lose(candidate, reason);
    return reason !== undefined;
  }

  /**
   * “The least bid that still wins: the score of the next candidate below it that belongs to another merchant
   * and could have taken the place, ÷ own quality, rounded up to the minor unit; at least the floor, at most
   * the bid.”
   */
  #secondPrice({ merchantId, quality }: Candidate): number {
    const { floor } = this.#places;
    const rival = this.#rivals.of(merchantId);
    if (rival === undefined) return floor;
    return Math.max(floor, leastBid(rival.score, quality) * this.#pricing.minorUnit);
  }
}

/** Returns the least whole number whose product with the quality is at least the score. */
export function leastBid(score: number, quality: number): number {
  let bid = Math.ceil(score / quality);
  while (bid > 0 && (bid - 1) * quality >= score) bid--;
  while (bid * quality < score) bid++;
  return bid;
}
