import type { Connection } from '../../database/database.ts';
import type { WriteContext } from '../../database/write-context.ts';
import { errors } from '../../errors/errors.ts';
import type { CallResult } from '../../requests/grouped-calls.ts';
import { amountOf } from '../../shared/amounts.ts';
import { partsOf } from '../../shared/parts-of.ts';
import { formatTime } from '../../shared/timestamps.ts';
import { type Decision, decide, type PlaceRules, type Pricing } from '../decide/decide.ts';
import type { Losers, LossReason } from '../decide/loss-reasons.ts';
import { RankedList } from '../decide/ranked-list.ts';
import type { Candidate } from '../decide/ranking.ts';
import type { Shortlist } from '../decide/shortlist.ts';
import type { Paces } from '../pacing/paces.ts';
import type { Placement } from '../record/placement.ts';
import { newPlacementId } from '../record/placement-id.ts';
import { addToFigures, insertPlacement } from '../record/queries.ts';
import type { Book, BookData } from './book.ts';
import { BookJudge, type UsedToday, withPacing } from './book-judge.ts';
import { type ListedDecision, toListed } from './listed-decision.ts';
import { findRequests, insertRequests, KEYS_AT_ONCE } from './queries.ts';
import { BookReader } from './read-book.ts';

/** A request for placements, with the candidates that may get them. Plain data. */
export interface ShortlistedRequest {
  key: string;
  rules: PlaceRules;
  pricing: Pricing;
  /** Milliseconds until an unreported placement is released. */
  holdMs: number;
  shortlist: Shortlist;
  paces: Paces;
  /** Set if the request takes what the shortlist has, although better candidates may be beyond it. */
  isFinal: boolean;
}

/** A placement as the response has it, with amounts in the major unit. */
export interface ReservedPlacement {
  placement_id: string;
  merchant_id: number;
  product_identifier: string;
  campaign_id: string;
  bid: number;
  price: number;
  expires_at: string;
}

/** What a request got, as it is stored under its key. */
export interface RequestResult {
  key: string;
  placements: ReservedPlacement[];
  unfilled: number;
  losers: Losers;
}

/** A candidate that cannot pay even one minor unit, or has been placed as often as it may be today. */
export interface Spent extends Pick<Candidate, 'merchantId' | 'campaignId' | 'productId'> {
  reason: LossReason;
}

/** What a call got. Plain data. */
export interface GroupedResult {
  /** Null for a request whose shortlist was too short. */
  results: (RequestResult | null)[];
  /** What was read of the candidates, if some were refused. */
  read: BookData | null;
  spent: Spent[];
  used: UsedToday[];
  /** Null for a request that was decided before, or whose shortlist was too short. */
  decisions: (ListedDecision | null)[];
}

/** Of all calls in a transaction. One call may have as many. */
const MAX_REQUESTS = 100;

/**
 * Reserves the places of several calls, one after the other, in one transaction. The database judges:
 * whatever was known when candidates were listed, no budget is exceeded (contract for campaigns, “Never
 * over”). A request with the key of an earlier one gets the same placements. Resolves to a `GroupedResult`
 * for as many calls as were run.
 * @throws {DomainError} `idempotency_key_in_progress` if another process has reserved for a key meanwhile
 */
export async function reserveGroup(
  context: WriteContext,
  calls: readonly (readonly ShortlistedRequest[])[],
): Promise<CallResult[]> {
  const run = firstCalls(calls);
  const requests = run.flat();
  const stored = await findStored(
    context.connection,
    requests.map(({ key }) => key),
  );
  const open = firstOfEachKey(requests).filter(({ key }) => !stored.has(key));
  const { decided, book, hasRefused, spent, used, decisions } = await reserveAll(context, open);
  const resultOf = ({ key }: ShortlistedRequest): RequestResult | null =>
    decided.get(key) ?? stored.get(key) ?? null;
  return run.map((call, index) => {
    const results = call.map(resultOf);
    const isFirst = index === 0;
    const result: GroupedResult = {
      results,
      // Once is enough.
      read: isFirst && hasRefused ? book.data : null,
      spent: isFirst ? spent : [],
      used: isFirst ? used : [],
      decisions: call.map((request) => decisions.get(request) ?? null),
    };
    return { json: JSON.stringify(result) };
  });
}

function firstCalls<Call extends readonly unknown[]>(calls: readonly Call[]): readonly Call[] {
  let requests = 0;
  const end = calls.findIndex((call, index) => {
    requests += call.length;
    return index > 0 && requests > MAX_REQUESTS;
  });
  return end < 0 ? calls : calls.slice(0, end);
}

function firstOfEachKey(requests: readonly ShortlistedRequest[]): ShortlistedRequest[] {
  const keys = new Set<string>();
  return requests.filter(({ key }) => {
    const isFirst = !keys.has(key);
    keys.add(key);
    return isFirst;
  });
}

async function findStored(
  connection: Connection,
  keys: readonly string[],
): Promise<Map<string, RequestResult>> {
  const found = [...partsOf(keys, KEYS_AT_ONCE)].map((part) => connection.all(findRequests, { keys: part }));
  const rows = (await Promise.all(found)).flat();
  return new Map(rows.map(({ key, result }) => [key, JSON.parse(result) as RequestResult]));
}

interface Reserved {
  decided: ReadonlyMap<string, RequestResult>;
  book: Book;
  hasRefused: boolean;
  spent: Spent[];
  used: UsedToday[];
  decisions: ReadonlyMap<ShortlistedRequest, ListedDecision>;
}

async function reserveAll(context: WriteContext, requests: readonly ShortlistedRequest[]): Promise<Reserved> {
  const { connection, now } = context;
  const reader = new BookReader(context);
  const { decisions, judge } = await decideAll(reader, requests);
  const placements: (Placement & { merchant_id: number; revision: number })[] = [];
  const decided = new Map<string, RequestResult>();
  for (const [{ key, holdMs }, { awards, unfilled, losers }] of decisions) {
    const expiresAt = now + holdMs;
    const reserved = awards.map(({ candidate, price }): ReservedPlacement => {
      const { merchant, product } = reader.book.get(candidate);
      const placement = reservation(candidate, { price, now, expiresAt, day: merchant.today });
      placements.push({ ...placement, merchant_id: candidate.merchantId, revision: 0 });
      return {
        placement_id: placement.placement_id,
        merchant_id: candidate.merchantId,
        product_identifier: product.identifier,
        campaign_id: candidate.campaignId,
        bid: amountOf(candidate.bid),
        price: amountOf(price),
        expires_at: formatTime(expiresAt),
      };
    });
    decided.set(key, { key, placements: reserved, unfilled, losers });
  }
  await storeResults(connection, now, decided);
  if (placements.length > 0) await connection.runEach(insertPlacement, placements);
  connection.send(addToFigures, judge.taken);
  return {
    decided,
    book: reader.book,
    hasRefused: judge.refused.size > 0 || decided.size < requests.length,
    spent: spentOf(judge, requests),
    used: judge.usedToday(),
    decisions: new Map(
      [...decisions].map(([request, decision]) => [request, toListed(decision, request.shortlist)]),
    ),
  };
}

/**
 * Decides all requests, and then again with what was read, until every candidate that was asked about is
 * known, and the campaign of each winner is locked. Leaves out requests whose shortlists are too short.
 */
async function decideAll(
  reader: BookReader,
  requests: readonly ShortlistedRequest[],
): Promise<{ decisions: Map<ShortlistedRequest, Decision>; judge: BookJudge }> {
  const tooShort = new Set<ShortlistedRequest>();
  for (;;) {
    const judge = new BookJudge(reader.book);
    const short: ShortlistedRequest[] = [];
    const decisions = new Map<ShortlistedRequest, Decision>();
    for (const request of requests) {
      if (tooShort.has(request)) continue;
      const list = new RankedList(request.shortlist);
      const judgeOfRequest = withPacing(judge, request.paces);
      decisions.set(request, decide(request.rules, list, judgeOfRequest, request.pricing));
      if (list.endsEarly && !request.isFinal) short.push(request);
    }
    const winners = [...decisions.values()].flatMap(({ awards }) => awards.map(({ candidate }) => candidate));
    const unlocked = winners.filter((candidate) => !reader.isLocked(candidate));
    if (unlocked.length > 0 || judge.unknown.size > 0) {
      await reader.read(unlocked, [...judge.unknown.difference(new Set(unlocked))]);
      continue;
    }
    if (short.length === 0 && (await reader.confirm(winners))) return { decisions, judge };
    // The others are decided again, as if these had not been asked for.
    for (const request of short) tooShort.add(request);
  }
}

function spentOf(judge: BookJudge, requests: readonly ShortlistedRequest[]): Spent[] {
  // Prices are whole minor units: a budget that does not cover one is spent.
  const least = Math.min(...requests.map(({ pricing }) => pricing.minorUnit));
  return [...judge.refused].flatMap((candidate): Spent[] => {
    const reason = judge.refusal(candidate, least);
    const { merchantId, campaignId, productId } = candidate;
    return reason === undefined ? [] : [{ merchantId, campaignId, productId, reason }];
  });
}

async function storeResults(
  connection: Connection,
  reserved_at: number,
  results: ReadonlyMap<string, RequestResult>,
): Promise<void> {
  const rows = [...results].map(([key, result]) => ({ key, reserved_at, result: JSON.stringify(result) }));
  rows.sort((one, other) => (one.key < other.key ? -1 : 1));
  if ((await connection.runEach(insertRequests, rows)) < rows.length)
    throw errors.idempotency_key_in_progress();
}

function reservation(
  { merchantId, campaignId, productId, bid }: Candidate,
  { price, now, expiresAt, day }: { price: number; now: number; expiresAt: number; day: string },
): Placement {
  return {
    placement_id: newPlacementId(merchantId),
    campaign_id: campaignId,
    product_id: productId,
    day,
    state: 'reserved',
    bid,
    price,
    reserved_at: now,
    expires_at: expiresAt,
    delivered_at: null,
    released_at: null,
    late: 0,
    schedule_id: null,
    revenue: null,
  };
}
