import { OPERATOR } from '../../audit/record-audit.ts';
import { DatabaseUnavailable } from '../../database/database.ts';
import { OPERATOR_ID } from '../../database/sides.ts';
import { runVerb, type VerbServices } from '../../database/write-context.ts';
import { orDomainError } from '../../errors/domain-error.ts';
import { errors } from '../../errors/errors.ts';
import { GroupedCalls } from '../../requests/grouped-calls.ts';
import { minorUnitOf, unitsOf } from '../../shared/amounts.ts';
import { TimeSlices } from '../../shared/time-slices.ts';
import type { CompetitionRequest } from '../competition/entrants.ts';
import { type Decision, decide, type Judge, type PlaceRules, type Pricing } from '../decide/decide.ts';
import { RecordedRanking } from '../decide/shortlist.ts';
import type { DiagnosisRecorder } from '../diagnosis/diagnosis-recorder.ts';
import type { CompetitionFollower } from '../follow/competition-follower.ts';
import type { HourlyPlacements } from '../hourly/hourly-placements.ts';
import { CallPaces } from '../pacing/paces.ts';
import type { Pacing } from '../pacing/pacing.ts';
import { Book } from './book.ts';
import { BookJudge } from './book-judge.ts';
import { fromListed } from './listed-decision.ts';
import { type FoundReferences, MerchantIds, type SentReference } from './merchant-ids.ts';
import {
  type GroupedResult,
  type RequestResult,
  type ReservedPlacement,
  reserveGroup,
  type ShortlistedRequest,
  type Spent,
} from './reserve-group.ts';

/** A request for placements, as it is sent. Amounts are in the major unit. */
export interface SentRequest {
  key: string;
  count?: number | undefined;
  currency?: string | undefined;
  type?: string | undefined;
  category?: readonly string[] | undefined;
  products?: readonly SentReference[] | undefined;
  exclude?: readonly SentReference[] | undefined;
  max_per_merchant?: number | undefined;
  max_per_campaign?: number | undefined;
  floor?: number | undefined;
  /** In seconds. */
  hold?: number | undefined;
}

/** A placement in a response, in wire order. Amounts are in the major unit. */
export interface PlacedRecord extends Omit<ReservedPlacement, 'merchant_id'> {
  /** The external ID. */
  merchant: string;
}

/** What a request got, in wire order. */
export interface RequestRecord extends Omit<RequestResult, 'placements'> {
  placements: PlacedRecord[];
}

interface AuctionServices extends VerbServices {
  follower: CompetitionFollower;
  pacing: Pacing;
  recorder: DiagnosisRecorder;
  hourly: Pick<HourlyPlacements, 'count'>;
  pricing: Pricing['pricing'];
  /** The least price where a request states none, in the major unit. */
  floor: number;
}

/**
 * How many candidates a shortlist has beyond those that the decision in memory has asked about. Each further
 * attempt doubles it, up to `MAX_DOUBLINGS` times.
 */
const MORE = 4;
const MAX_DOUBLINGS = 4;
const BOOK_MS = 1_000;
export const DEFAULT_HOLD_S = 900;
/** The last one takes the best of its shortlist, even if better candidates may be beyond it. */
const MAX_ATTEMPTS = 8;

interface Prepared {
  competing: CompetitionRequest;
  rules: PlaceRules;
  pricing: Pricing;
  holdMs: number;
}

/** What an attempt to list the requests of a call knows. */
interface Attempt {
  judge: BookJudge;
  callPaces: CallPaces;
  attempt: number;
}

/**
 * Gives places: lists in memory who may get them, and decides in the database who does. Calls that wait share
 * a transaction, because one campaign may win many of them, and its budget is one row.
 */
export class Auction {
  readonly #services: AuctionServices;
  readonly #calls: GroupedCalls<readonly ShortlistedRequest[]>;
  readonly #merchants: MerchantIds;
  readonly #minorUnits = new Map<string, number>();
  /** What transactions of the last second have read, so that candidates that they refused are passed over. */
  #book = new Book();
  #bookSince = Number.NEGATIVE_INFINITY;

  constructor(services: AuctionServices) {
    this.#services = services;
    this.#merchants = new MerchantIds(services);
    const caller = { merchantId: OPERATOR_ID, who: OPERATOR };
    this.#calls = new GroupedCalls((_, calls) =>
      runVerb(services, caller, reserveGroup, calls, { everyNode: true }),
    );
  }

  /**
   * Resolves to what each request got, after the commit.
   * @throws {DomainError} `competition_incomplete`; `invalid_parameters` without a currency if merchants have
   *   several
   * @throws {DatabaseUnavailable} some requests may be reserved then: the caller sends the same keys again
   */
  async place(sent: readonly SentRequest[]): Promise<RequestRecord[]> {
    const { follower, pacing } = this.#services;
    follower.start();
    pacing.start();
    if (!follower.isComplete()) throw errors.competition_incomplete();
    const named = sent.flatMap(({ products = [], exclude = [] }) => [...products, ...exclude]);
    const found = await this.#merchants.find(named);
    const requests = sent.map((request, index) => this.#prepare(request, index, found));
    const results = new Map<Prepared, RequestResult>();
    const book = this.#recentBook();
    const slices = new TimeSlices();
    for (let attempt = 1; results.size < requests.length; attempt++) {
      const open = requests.filter((request) => !results.has(request));
      // Requests are listed on top of what those before them would get.
      const shared: Attempt = { judge: new BookJudge(book), callPaces: new CallPaces(pacing), attempt };
      const listed: ShortlistedRequest[] = [];
      for (const request of open) {
        listed.push(this.#list(request, shared));
        if (slices.isOver) await slices.pause();
      }
      const reserved = await this.#reserveIfReachable(listed, { isFirst: attempt === 1 });
      if (reserved === undefined) continue;
      const { results: got, read, spent, used, decisions } = reserved;
      for (const [index, request] of open.entries()) {
        const result = got[index];
        if (result != null) results.set(request, result);
        const [shortlisted, decision] = [listed[index], decisions[index]];
        if (decision != null && shortlisted !== undefined)
          this.#count(request, fromListed(decision, shortlisted.shortlist));
      }
      if (read !== null) book.add(read);
      this.#rest(spent);
      for (const { day, used: amount, ...campaign } of used)
        this.#services.pacing.learn(campaign, { day, used: amount });
    }
    return await this.#records(requests.flatMap((request) => results.get(request) ?? []));
  }

  #recentBook(): Book {
    const now = this.#services.now();
    if (Math.abs(now - this.#bookSince) > BOOK_MS) {
      this.#book = new Book();
      this.#bookSince = now;
    }
    return this.#book;
  }

  async #records(results: readonly RequestResult[]): Promise<RequestRecord[]> {
    const placements = results.flatMap((result) => result.placements);
    const merchants = await this.#merchants.externalIds(placements.map(({ merchant_id }) => merchant_id));
    return results.map(({ key, placements, unfilled, losers }) => ({
      key,
      placements: placements.map(({ placement_id, merchant_id, ...rest }) => ({
        placement_id,
        merchant: merchants.get(merchant_id) ?? '',
        ...rest,
      })),
      unfilled,
      losers,
    }));
  }

  #prepare(sent: SentRequest, index: number, found: FoundReferences): Prepared {
    const { key, count = 1, category = [], type = null } = sent;
    const currency = sent.currency ?? this.#onlyCurrency(index);
    const minorUnit = this.#minorUnitOf(currency);
    const products = sent.products === undefined ? null : found.products(sent.products);
    const exclude = found.of(sent.exclude ?? []);
    const floor = unitsOf(sent.floor ?? this.#services.floor);
    return {
      competing: { key, currency, type, category, products, exclude },
      rules: {
        count,
        floor: Math.max(Math.ceil(floor / minorUnit), 1) * minorUnit,
        maxPerMerchant: sent.max_per_merchant ?? null,
        maxPerCampaign: sent.max_per_campaign ?? null,
      },
      pricing: { pricing: this.#services.pricing, minorUnit },
      holdMs: 1_000 * (sent.hold ?? DEFAULT_HOLD_S),
    };
  }

  /** @throws {DomainError} `invalid_parameters` */
  #onlyCurrency(index: number): string {
    const [currency = 'USD', another] = [...this.#services.follower.currencies].sort();
    if (another === undefined) return currency;
    const reason = `missing, expected the currency of the campaigns, such as ${currency} or ${another}`;
    throw errors.invalid_parameters([{ field: `requests[${index}][currency]`, reason }]);
  }

  /** Decides in memory, with what is known of budgets, who may get the places. */
  #list(
    { competing, rules, pricing, holdMs }: Prepared,
    { judge: bookJudge, callPaces, attempt }: Attempt,
  ): ShortlistedRequest {
    const { follower } = this.#services;
    const { key, currency } = competing;
    const ranking = new RecordedRanking(follower.competition.rank(competing));
    const paces = callPaces.of({ key, currency });
    const judge: Judge = {
      refusal: (candidate, price) =>
        paces.isPaced(candidate) ? 'paced' : bookJudge.refusal(candidate, price),
      take: (candidate, price) => {
        paces.take(candidate, price);
        bookJudge.take(candidate, price);
      },
    };
    decide(rules, ranking, judge, pricing);
    const shortlist = ranking.shortlist(MORE * 2 ** Math.min(attempt - 1, MAX_DOUBLINGS));
    const isFinal = attempt >= MAX_ATTEMPTS;
    return { key, rules, pricing, holdMs, shortlist, paces: paces.ofAll(shortlist.candidates), isFinal };
  }

  #count({ competing: { currency, type, category, products }, rules }: Prepared, decision: Decision): void {
    const { pacing, recorder, hourly, now } = this.#services;
    pacing.count(currency);
    const request = { currency, type, category, floor: rules.floor, isListed: products !== null };
    recorder.record(request, decision, now());
    hourly.count(request, decision, now());
  }

  /**
   * Resolves to undefined if the database could not be reached, and responds now. If a node of a cluster is
   * away, its merchants have left the competition, and the requests can be listed again without them.
   */
  async #reserveIfReachable(
    requests: readonly ShortlistedRequest[],
    { isFirst }: { isFirst: boolean },
  ): Promise<GroupedResult | undefined> {
    try {
      return await this.#reserve(requests);
    } catch (error) {
      const mayReach = isFirst && error instanceof DatabaseUnavailable;
      if (!mayReach || !(await this.#services.follower.catchUp())) throw error;
      return undefined;
    }
  }

  async #reserve(requests: readonly ShortlistedRequest[]): Promise<GroupedResult> {
    const run = async (): Promise<GroupedResult> =>
      JSON.parse(await this.#calls.run(OPERATOR_ID, requests)) as GroupedResult;
    const first = await orDomainError(run);
    // Another process has just reserved for one of the keys: now its placements can be read.
    return 'results' in first ? first : await run();
  }

  /** Lets campaigns and products with spent budgets sit out, so that they are not asked about each time. */
  #rest(spent: readonly Spent[]): void {
    const { rests } = this.#services.follower;
    for (const { merchantId, campaignId, productId, reason } of spent) {
      switch (reason) {
        case 'daily_budget':
        case 'lifetime_budget':
          rests.restCampaign(merchantId, campaignId, reason);
          break;
        case 'max_daily_schedules':
        case 'daily_budget_per_product':
        case 'lifetime_budget_per_product':
          rests.restProduct(merchantId, productId, reason);
      }
    }
  }

  #minorUnitOf(currency: string): number {
    const minorUnit = this.#minorUnits.get(currency) ?? minorUnitOf(currency);
    this.#minorUnits.set(currency, minorUnit);
    return minorUnit;
  }
}
