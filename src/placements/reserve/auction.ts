import { OPERATOR } from '../../audit/record-audit.ts';
import { OPERATOR_ID } from '../../database/sides.ts';
import { runVerb, type VerbServices } from '../../database/write-context.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { GroupedCalls } from '../../requests/grouped-calls.ts';
import { minorUnitOf } from '../../shared/amounts.ts';
import type { Competition } from '../competition/competition.ts';
import type { CompetitionRequest } from '../competition/entrants.ts';
import { decide, type PlaceRules, type Pricing } from '../decide/decide.ts';
import { RecordedRanking } from '../decide/shortlist.ts';
import { Book } from './book.ts';
import { BookJudge } from './book-judge.ts';
import {
  type GroupedResult,
  type RequestResult,
  reserveGroup,
  type ShortlistedRequest,
} from './reserve-group.ts';

/** A request for placements. Amounts are in units (`amounts.ts`). */
export interface PlacementRequest extends CompetitionRequest, PlaceRules {
  holdMs: number;
}

interface AuctionServices extends VerbServices {
  competition: Competition;
  pricing: Pricing['pricing'];
}

/** How many candidates a shortlist has next to those that a decision in memory has asked about. */
const MORE = 20;
/** After that, a request takes what its shortlist has. */
const MAX_ATTEMPTS = 8;

/**
 * Gives places: who may get them is decided in memory, and who does in the database. Calls that wait share a
 * transaction, because many of them may be won by one campaign, whose budget is one row.
 */
export class Auction {
  readonly #services: AuctionServices;
  readonly #calls: GroupedCalls<readonly ShortlistedRequest[]>;

  constructor(services: AuctionServices) {
    this.#services = services;
    const caller = { merchantId: OPERATOR_ID, who: OPERATOR };
    this.#calls = new GroupedCalls((_, calls) =>
      runVerb(services, caller, reserveGroup, calls, { everyNode: true }),
    );
  }

  /** Resolves to what each request got, after the commit. */
  async place(requests: readonly PlacementRequest[]): Promise<RequestResult[]> {
    const results = new Map<PlacementRequest, RequestResult>();
    const book = new Book();
    for (let attempt = 1; results.size < requests.length; attempt++) {
      const open = requests.filter((request) => !results.has(request));
      const listed = open.map((request) => this.#list(request, book, attempt >= MAX_ATTEMPTS));
      const { results: got, known } = await this.#reserve(listed);
      for (const [index, request] of open.entries()) {
        const result = got[index];
        if (result != null) results.set(request, result);
      }
      if (known !== null) book.add(known);
    }
    return requests.flatMap((request) => results.get(request) ?? []);
  }

  /** Decides in memory, with what is known of budgets, who may get the places. */
  #list(request: PlacementRequest, book: Book, isFinal: boolean): ShortlistedRequest {
    const { competition, pricing } = this.#services;
    const { key, currency, count, floor, maxPerMerchant, maxPerCampaign, holdMs } = request;
    const ranking = new RecordedRanking(competition.rank(request));
    const rules = { count, floor, maxPerMerchant, maxPerCampaign };
    const price = { pricing, minorUnit: minorUnitOf(currency) };
    decide(rules, ranking, new BookJudge(book), price);
    const shortlist = ranking.shortlist(MORE);
    const merchants: Record<number, string> = {};
    for (const { merchantId } of shortlist.candidates)
      merchants[merchantId] ??= competition.externalIdOf(merchantId) ?? '';
    return { key, rules, pricing: price, holdMs, shortlist, merchants, isFinal };
  }

  async #reserve(requests: readonly ShortlistedRequest[]): Promise<GroupedResult> {
    const run = async (): Promise<GroupedResult> =>
      JSON.parse(await this.#calls.run(OPERATOR_ID, requests)) as GroupedResult;
    try {
      return await run();
    } catch (error) {
      // Another process has just reserved for one of the keys: now its placements can be read.
      if (error instanceof DomainError && error.code === 'idempotency_key_in_progress') return await run();
      throw error;
    }
  }
}
