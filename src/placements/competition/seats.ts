import { type Group, type Merchant, orderOf, standingOfGroup } from './groups.ts';
import { NONE } from './ordered-trees.ts';
import { COMPETES, STANDINGS, type Standing, standingFor } from './standings.ts';
import type { Bucket, Tables } from './tables.ts';

/** The key of whatever cannot win. All others have at least 0. */
export const OUT = -1;

const NO_BID = standingFor('no_bid');

/** Puts products into runs, runs into stalls and stalls into buckets, and keeps their scores and counts. */
export class Seats {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  /** Puts a product, which has no seat, into a run. Its columns other than `run` are set. */
  seat(product: number, run: number): void {
    const { products, runs } = this.#tables;
    products.run[product] = run;
    const { key, standing } = this.#judge(product, this.#tables.groupOf(run));
    products.standing[product] = standing;
    runs.products[run] = products.trees.insert(runs.products[run] ?? NONE, product, key);
    if (standing === COMPETES) runs.competing[run] = (runs.competing[run] ?? 0) + 1;
    this.#count(run, standing, 1);
    this.refreshRun(run);
  }

  /** Takes a product out of its run. Runs, stalls and buckets that become empty are removed at once. */
  unseat(product: number): void {
    const { products, runs } = this.#tables;
    const run = products.run[product] ?? NONE;
    const standing = products.standing[product] ?? COMPETES;
    this.#count(run, standing, -1);
    if (standing === COMPETES) runs.competing[run] = (runs.competing[run] ?? 0) - 1;
    runs.products[run] = products.trees.remove(runs.products[run] ?? NONE, product);
    if (runs.products[run] === NONE) this.#removeRun(run);
    else this.refreshRun(run);
  }

  /** Returns the run of a group in a bucket, which is added if there is none. */
  runOf(group: Group, bucket: Bucket): number {
    const { runs, stalls } = this.#tables;
    const stall = this.#stallOf(group.merchant, bucket);
    const found = runs.lookup.find(group.number, stall);
    if (found !== NONE) return found;
    const run = runs.rows.take();
    runs.group[run] = group.number;
    runs.stall[run] = stall;
    runs.lookup.add(run);
    runs.products[run] = NONE;
    runs.competing[run] = 0;
    runs.next[run] = group.firstRun;
    group.firstRun = run;
    stalls.runs[stall] = runs.trees.insert(stalls.runs[stall] ?? NONE, run, OUT);
    return run;
  }

  *runsOf(group: Group): Generator<number> {
    const { runs } = this.#tables;
    for (let run = group.firstRun; run !== NONE; run = runs.next[run] ?? NONE) yield run;
  }

  *stallsOf(merchant: Merchant): Generator<number> {
    const { stalls } = this.#tables;
    for (let stall = merchant.firstStall; stall !== NONE; stall = stalls.next[stall] ?? NONE) yield stall;
  }

  /** Gives a group another standing: all at once, not product by product. */
  changeStanding(group: Group, change: () => void): void {
    const before = standingOfGroup(group);
    change();
    const after = standingOfGroup(group);
    for (const run of this.runsOf(group)) {
      const competing = this.#tables.runs.competing[run] ?? 0;
      this.#add(this.#tables.stallOf(run), before, -competing);
      this.#add(this.#tables.stallOf(run), after, competing);
      this.refreshRun(run);
    }
  }

  /** Takes a merchant out of the competition, or back into it. */
  setActive(merchant: Merchant, isActive: boolean): void {
    if (merchant.isActive === isActive) return;
    const { stalls } = this.#tables;
    merchant.isActive = isActive;
    for (const stall of this.stallsOf(merchant)) {
      const { counts } = this.#tables.bucketOf(stall);
      for (let standing = 0; standing < STANDINGS; standing++) {
        const count = stalls.counts[stall * STANDINGS + standing] ?? 0;
        counts[standing] = (counts[standing] ?? 0) + (isActive ? count : -count);
      }
      this.#refreshStall(stall);
    }
  }

  /** Follows a change of a run's best product, or of its campaign's bid or standing. */
  refreshRun(run: number): void {
    const { products, runs, stalls } = this.#tables;
    const group = this.#tables.groupOf(run);
    const best = products.trees.key(products.trees.first(runs.products[run] ?? NONE));
    const isIn = best >= 0 && standingOfGroup(group) === COMPETES;
    const key = isIn ? best * (group.chosen?.bid ?? 1) : OUT;
    if (runs.trees.key(run) === key) return;
    const stall = this.#tables.stallOf(run);
    const others = runs.trees.remove(stalls.runs[stall] ?? NONE, run);
    stalls.runs[stall] = runs.trees.insert(others, run, key);
    this.#refreshStall(stall);
  }

  #refreshStall(stall: number): void {
    const { runs, stalls } = this.#tables;
    const isIn = this.#tables.merchantOf(stall).isActive;
    const key = isIn ? runs.trees.key(runs.trees.first(stalls.runs[stall] ?? NONE)) : OUT;
    if (stalls.trees.key(stall) === key) return;
    const bucket = this.#tables.bucketOf(stall);
    bucket.stalls = stalls.trees.insert(stalls.trees.remove(bucket.stalls, stall), stall, key);
  }

  #judge(product: number, { chosen }: Group): { key: number; standing: Standing } {
    const { products } = this.#tables;
    const ownBid = (products.bid[product] ?? 0) - 1;
    const quality = products.quality[product] ?? 0;
    const order = orderOf(chosen);
    const hasBid = order !== 'own score' || ownBid >= 0;
    const standing = products.status[product] || (hasBid ? products.rest[product] : NO_BID) || COMPETES;
    if (standing !== COMPETES) return { standing, key: OUT };
    const keys = { quality, 'own score': ownBid * quality, nothing: 0 };
    return { standing, key: keys[order] };
  }

  #stallOf(merchant: Merchant, bucket: Bucket): number {
    const { stalls } = this.#tables;
    const found = stalls.lookup.find(merchant.number, bucket.number);
    if (found !== NONE) return found;
    const stall = stalls.rows.take();
    stalls.merchant[stall] = merchant.number;
    stalls.bucket[stall] = bucket.number;
    stalls.runs[stall] = NONE;
    stalls.counts.fill(0, stall * STANDINGS, (stall + 1) * STANDINGS);
    stalls.next[stall] = merchant.firstStall;
    merchant.firstStall = stall;
    stalls.lookup.add(stall);
    bucket.stalls = stalls.trees.insert(bucket.stalls, stall, OUT);
    return stall;
  }

  #removeRun(run: number): void {
    const { runs, stalls } = this.#tables;
    const group = this.#tables.groupOf(run);
    const stall = this.#tables.stallOf(run);
    stalls.runs[stall] = runs.trees.remove(stalls.runs[stall] ?? NONE, run);
    runs.lookup.remove(run);
    group.firstRun = without(group.firstRun, run, runs.next);
    runs.rows.release(run);
    if (stalls.runs[stall] === NONE) this.#removeStall(stall);
    else this.#refreshStall(stall);
  }

  #removeStall(stall: number): void {
    const { stalls } = this.#tables;
    const merchant = this.#tables.merchantOf(stall);
    const bucket = this.#tables.bucketOf(stall);
    bucket.stalls = stalls.trees.remove(bucket.stalls, stall);
    stalls.lookup.remove(stall);
    merchant.firstStall = without(merchant.firstStall, stall, stalls.next);
    stalls.rows.release(stall);
    if (bucket.stalls === NONE) this.#tables.removeBucket(bucket);
  }

  /** Counts a product of a run, which has the standing unless its campaign has another. */
  #count(run: number, standing: Standing, change: number): void {
    const own = standing === COMPETES ? standingOfGroup(this.#tables.groupOf(run)) : standing;
    this.#add(this.#tables.stallOf(run), own, change);
  }

  #add(stall: number, standing: Standing, change: number): void {
    const { stalls } = this.#tables;
    const at = stall * STANDINGS + standing;
    stalls.counts[at] = (stalls.counts[at] ?? 0) + change;
    if (!this.#tables.merchantOf(stall).isActive) return;
    const { counts } = this.#tables.bucketOf(stall);
    counts[standing] = (counts[standing] ?? 0) + change;
  }
}

/** Returns the first of a linked list without a row. */
function without(first: number, row: number, next: Int32Array): number {
  const after = next[row] ?? NONE;
  if (first === row) return after;
  let before = first;
  while (next[before] !== row) before = next[before] ?? NONE;
  next[before] = after;
  return first;
}
