import type { Losers } from '../decide/loss-reasons.ts';
import type { Candidate, Look, NotOf, Ranking } from '../decide/ranking.ts';
import { candidateOf } from './candidate-of.ts';
import { Circle } from './circle.ts';
import { Draw } from './draw.ts';
import type { Entrants } from './entrants.ts';
import { type Entry, Frontier } from './frontier.ts';
import type { Group, Merchant } from './groups.ts';
import { NONE } from './ordered-trees.ts';
import type { Seats } from './seats.ts';
import { COMPETES, losersOf, STANDINGS } from './standings.ts';
import type { Bucket, Tables } from './tables.ts';
import { mix, type Turns, turnFrom } from './turns.ts';

/** What a walk reads. */
export interface Walked {
  tables: Tables;
  seats: Seats;
  merchants: ReadonlyMap<number, Merchant>;
  entrants: Entrants;
  turns: Turns;
}

/**
 * All candidates that the filters leave, best first. It opens bucket by bucket, stall by stall and run by
 * run, and only what may hold the next candidate, so it takes as long for a million products as for a
 * thousand.
 */
export class Walk implements Ranking {
  readonly losers: Losers;
  remaining: number;
  readonly #from: Walked;
  readonly #frontier = new Frontier();
  readonly #droppedMerchants: Set<number>;
  readonly #droppedCampaigns = new Set<string>();
  /** Candidates that were removed, excluded or dropped, by merchant and by group. */
  readonly #gone = new Map<Merchant | Group, number>();

  /** By number of the merchant; -1 until it is needed. */
  readonly #lots: Float64Array;

  constructor(from: Walked) {
    this.#from = from;
    const { tables, seats, merchants, entrants } = from;
    const counts = entrants.count(seats, merchants);
    this.losers = losersOf(counts);
    this.remaining = counts[COMPETES] ?? 0;
    this.#lots = new Float64Array(tables.merchants.capacity).fill(-1);
    this.#droppedMerchants = new Set(entrants.excludedMerchants);
    for (const product of entrants.excludedProducts)
      if (entrants.hasBeforeProducts(product) && entrants.standingOf(product) === COMPETES)
        this.#leave(tables.groupOf(tables.products.run[product] ?? NONE), 1);
    for (const bucket of entrants.buckets)
      this.#addStalls(bucket, tables.stalls.trees.key(tables.stalls.trees.first(bucket.stalls)));
  }

  next(): Candidate | undefined {
    const candidate = this.#take(() => false);
    if (candidate !== undefined) this.#move(candidate, 1);
    return candidate;
  }

  find({ merchantId, campaignIds }: NotOf, look: (candidate: Candidate) => Look): Candidate | undefined {
    const held: Entry[] = [];
    const isHeld = (entry: Entry): boolean => {
      const isPassed =
        (entry.merchantId !== undefined && entry.merchantId === merchantId) ||
        (entry.campaignId !== undefined && campaignIds.has(entry.campaignId));
      if (isPassed) held.push(entry);
      return isPassed;
    };
    let wanted: Candidate | undefined;
    while (wanted === undefined) {
      const candidate = this.#take(isHeld);
      if (candidate === undefined) break;
      this.#move(candidate, 1);
      const found = look(candidate);
      if (found === 'lost') continue;
      this.#move(candidate, -1);
      held.push(entryOf(candidate, () => candidate));
      if (found === 'wanted') wanted = candidate;
    }
    for (const entry of held) this.#frontier.add(entry);
    return wanted;
  }

  dropMerchant(merchantId: number): number {
    const { tables, seats, merchants, entrants } = this.#from;
    const merchant = merchants.get(merchantId);
    if (merchant === undefined || this.#droppedMerchants.has(merchantId)) return 0;
    this.#droppedMerchants.add(merchantId);
    let count = -(this.#gone.get(merchant) ?? 0);
    for (const stall of seats.stallsOf(merchant))
      if (entrants.buckets.has(tables.bucketOf(stall)))
        count += tables.stalls.counts[stall * STANDINGS + COMPETES] ?? 0;
    this.remaining -= count;
    return count;
  }

  dropCampaign(merchantId: number, campaignId: string): number {
    const { tables, seats, merchants, entrants } = this.#from;
    const merchant = merchants.get(merchantId);
    const group = merchant?.campaigns.get(campaignId)?.group;
    if (group === undefined || this.#droppedMerchants.has(merchantId)) return 0;
    if (this.#droppedCampaigns.has(campaignId)) return 0;
    this.#droppedCampaigns.add(campaignId);
    let count = -(this.#gone.get(group) ?? 0);
    for (const run of seats.runsOf(group))
      if (entrants.buckets.has(tables.bucketOf(tables.stallOf(run))))
        count += tables.runs.competing[run] ?? 0;
    this.#leave(group, count);
    this.remaining -= count;
    return count;
  }

  readonly #lotOf = (stall: number): number => {
    const { tables, turns } = this.#from;
    const merchant = tables.stalls.merchant[stall] ?? NONE;
    const drawn = this.#lots[merchant] ?? -1;
    if (drawn >= 0) return drawn;
    const lot = turns.ofMerchant(tables.merchants.get(merchant).id);
    this.#lots[merchant] = lot;
    return lot;
  };

  /** Takes the best candidate from the frontier, without entries that are held or dropped. */
  #take(isHeld: (entry: Entry) => boolean): Candidate | undefined {
    for (;;) {
      const entry = this.#frontier.take();
      if (entry === undefined) return undefined;
      const { merchantId, campaignId } = entry;
      if (merchantId !== undefined && this.#droppedMerchants.has(merchantId)) continue;
      if (campaignId !== undefined && this.#droppedCampaigns.has(campaignId)) continue;
      const candidate = isHeld(entry) ? undefined : entry.open();
      if (candidate !== undefined) return candidate;
    }
  }

  /** Counts a candidate as removed (1), or as still there (-1). */
  #move({ merchantId, campaignId }: Candidate, count: 1 | -1): void {
    const group = this.#from.merchants.get(merchantId)?.campaigns.get(campaignId)?.group;
    if (group !== undefined) this.#leave(group, count);
    this.remaining -= count;
  }

  #leave(group: Group, count: number): void {
    for (const owner of [group, group.merchant]) this.#gone.set(owner, (this.#gone.get(owner) ?? 0) + count);
  }

  /** Adds the stalls of a bucket with one score. Those with lower scores follow when it is opened. */
  #addStalls(bucket: Bucket, score: number): void {
    if (score < 0) return;
    const open = (): undefined => {
      const { trees } = this.#from.tables.stalls;
      this.#addStall(new Draw(trees.withKey(bucket.stalls, score), this.#lotOf), score);
      this.#addStalls(bucket, trees.key(trees.below(bucket.stalls, score)));
    };
    const turns = { merchantTurn: -1, campaignTurn: -1, productTurn: -1 };
    this.#frontier.add({ score, ...turns, merchantId: undefined, campaignId: undefined, open });
  }

  /** Adds the stall that is drawn next. */
  #addStall(draw: Draw, score: number): void {
    const { tables, turns } = this.#from;
    const stall = draw.next();
    if (stall === undefined) return;
    const { id: merchantId } = tables.merchantOf(stall);
    const of = { merchantId, merchantTurn: this.#lotOf(stall) };
    const open = (): undefined => {
      this.#addStall(draw, score);
      if (this.#droppedMerchants.has(merchantId)) return;
      const { runs, stalls } = tables;
      const root = stalls.runs[stall] ?? NONE;
      this.#addRun(new Circle(runs.trees, root, turns.campaignStart, (run) => tables.groupOf(run).hash), of);
    };
    const position = { score, merchantTurn: of.merchantTurn, campaignTurn: -1, productTurn: -1 };
    // Its successors are of other merchants.
    this.#frontier.add({ ...position, merchantId: undefined, campaignId: undefined, open });
  }

  /** Adds the run at which a circle is. Its successor follows when it is opened. */
  #addRun(circle: Circle, of: { merchantId: number; merchantTurn: number }): void {
    const { tables, turns } = this.#from;
    const run = circle.node;
    const score = tables.runs.trees.key(run);
    if (score < 0) return;
    const group = tables.groupOf(run);
    const campaignTurn = turnFrom(turns.campaignStart, group.hash);
    const open = (): undefined => {
      circle.advance();
      this.#addRun(circle, of);
      const { products } = tables;
      const root = tables.runs.products[run] ?? NONE;
      const hashOf = (product: number): number => mix(products.id[product] ?? 0);
      const inRun = new Circle(products.trees, root, turns.productStart, hashOf);
      this.#addProduct(inRun);
    };
    this.#frontier.add({ score, ...of, campaignTurn, productTurn: -1, campaignId: undefined, open });
  }

  #addProduct(circle: Circle): void {
    const { tables, turns, entrants } = this.#from;
    const product = circle.node;
    if (product === NONE || tables.products.trees.key(product) < 0) return;
    const candidate = candidateOf(tables, product, turns);
    const open = (): Candidate | undefined => {
      circle.advance();
      this.#addProduct(circle);
      if (entrants.excludedProducts.has(product)) return undefined;
      return candidate;
    };
    this.#frontier.add(entryOf(candidate, open));
  }
}

function entryOf(candidate: Candidate, open: () => Candidate | undefined): Entry {
  const { score, merchantTurn, campaignTurn, productTurn, merchantId, campaignId } = candidate;
  return { score, merchantTurn, campaignTurn, productTurn, merchantId, campaignId, open };
}
