import type { Group, Merchant } from './groups.ts';
import { NONE, OrderedTrees } from './ordered-trees.ts';
import { RowLookup } from './row-lookup.ts';
import { Registry, Rows } from './rows.ts';
import { type Counts, noCounts, STANDINGS } from './standings.ts';
import { mix } from './turns.ts';

/** The products with one currency, campaign type and category of two levels. */
export interface Bucket {
  number: number;
  name: string;
  currency: string;
  /** '' for products whose campaign does not exist: they are no candidates. */
  type: string;
  category: readonly [level1: string, level2: string];
  /** Of active merchants. */
  counts: Counts;
  /** The tree of stalls. */
  stalls: number;
}

/** What one merchant has in one bucket. In the bucket's tree by the best score. */
export class Stalls {
  readonly rows = new Rows((capacity) => this.#resize(capacity));
  /** By merchant and bucket, with the numbers of both. */
  readonly lookup = new RowLookup(
    (row) => this.merchant[row] ?? NONE,
    (row) => this.bucket[row] ?? NONE,
  );
  readonly trees = new OrderedTrees(() => 0);
  merchant = new Int32Array(0);
  bucket = new Int32Array(0);
  /** The tree of runs. */
  runs = new Int32Array(0);
  /** The merchant's next stall. */
  next = new Int32Array(0);
  /** `STANDINGS` numbers for each stall. */
  counts = new Int32Array(0);

  #resize(capacity: number): void {
    this.trees.resize(capacity);
    this.merchant = new Int32Array(this.merchant.buffer.transfer(capacity * 4));
    this.bucket = new Int32Array(this.bucket.buffer.transfer(capacity * 4));
    this.runs = new Int32Array(this.runs.buffer.transfer(capacity * 4));
    this.next = new Int32Array(this.next.buffer.transfer(capacity * 4));
    this.counts = new Int32Array(this.counts.buffer.transfer(capacity * STANDINGS * 4));
  }
}

/** What one group has in one bucket. In the stall's tree by the best score. */
export class Runs {
  readonly rows = new Rows((capacity) => this.#resize(capacity));
  /** By group and stall, with the numbers of both. */
  readonly lookup = new RowLookup(
    (row) => this.group[row] ?? NONE,
    (row) => this.stall[row] ?? NONE,
  );
  readonly trees: OrderedTrees;
  group = new Int32Array(0);
  stall = new Int32Array(0);
  /** The tree of products. */
  products = new Int32Array(0);
  /** The group's next run. */
  next = new Int32Array(0);
  /** How many products would compete if the campaign does. */
  competing = new Int32Array(0);

  constructor(hashOf: (run: number) => number) {
    this.trees = new OrderedTrees(hashOf);
  }

  #resize(capacity: number): void {
    this.trees.resize(capacity);
    this.group = new Int32Array(this.group.buffer.transfer(capacity * 4));
    this.stall = new Int32Array(this.stall.buffer.transfer(capacity * 4));
    this.products = new Int32Array(this.products.buffer.transfer(capacity * 4));
    this.next = new Int32Array(this.next.buffer.transfer(capacity * 4));
    this.competing = new Int32Array(this.competing.buffer.transfer(capacity * 4));
  }
}

/** Products with a campaign name. In the run's tree by quality, or by score if each has its own bid. */
export class Products {
  readonly rows = new Rows((capacity) => this.#resize(capacity));
  readonly trees = new OrderedTrees((row) => mix(this.id[row] ?? 0));
  id = new Uint32Array(0);
  run = new Int32Array(0);
  quality = new Float32Array(0);
  /** In minor units, plus 1; 0 for none. */
  bid = new Uint32Array(0);
  /** Plus 1; 0 for none. */
  maxDaily = new Uint32Array(0);
  /** What the status says. */
  status = new Uint8Array(0);
  /** Why it sits out although its status lets it compete. */
  rest = new Uint8Array(0);
  /** What it counts as if its campaign competes. */
  standing = new Uint8Array(0);

  #resize(capacity: number): void {
    this.trees.resize(capacity);
    this.id = new Uint32Array(this.id.buffer.transfer(capacity * 4));
    this.run = new Int32Array(this.run.buffer.transfer(capacity * 4));
    this.quality = new Float32Array(this.quality.buffer.transfer(capacity * 4));
    this.bid = new Uint32Array(this.bid.buffer.transfer(capacity * 4));
    this.maxDaily = new Uint32Array(this.maxDaily.buffer.transfer(capacity * 4));
    this.status = new Uint8Array(this.status.buffer.transfer(capacity));
    this.rest = new Uint8Array(this.rest.buffer.transfer(capacity));
    this.standing = new Uint8Array(this.standing.buffer.transfer(capacity));
  }
}

/** All tables. Only `Seats` changes trees and counts. */
export class Tables {
  readonly merchants = new Registry<Merchant>();
  readonly groups = new Registry<Group>();
  readonly buckets = new Registry<Bucket>();
  /** By `namesOf`. */
  readonly #bucketsIn = new Map<string, Set<Bucket>>();
  readonly #bucketsByName = new Map<string, Bucket>();
  readonly stalls = new Stalls();
  readonly runs = new Runs((run) => this.groupOf(run).hash);
  readonly products = new Products();
  /** By merchant and product, with the number of the merchant and the ID of the product. */
  readonly productLookup = new RowLookup(
    (row) => this.stalls.merchant[this.stallOf(this.products.run[row] ?? NONE)] ?? NONE,
    (row) => this.products.id[row] ?? NONE,
  );

  groupOf(run: number): Group {
    return this.groups.get(this.runs.group[run] ?? NONE);
  }

  stallOf(run: number): number {
    return this.runs.stall[run] ?? NONE;
  }

  bucketOf(stall: number): Bucket {
    return this.buckets.get(this.stalls.bucket[stall] ?? NONE);
  }

  merchantOf(stall: number): Merchant {
    return this.merchants.get(this.stalls.merchant[stall] ?? NONE);
  }

  bucket(currency: string, type: string, category: readonly [string, string]): Bucket {
    const name = JSON.stringify([currency, type, ...category]);
    const found = this.#bucketsByName.get(name);
    if (found !== undefined) return found;
    const rest = { name, currency, type, category, counts: noCounts(), stalls: NONE };
    const bucket = this.buckets.add((number) => ({ number, ...rest }));
    this.#bucketsByName.set(name, bucket);
    for (const place of namesOf(bucket)) {
      const others = this.#bucketsIn.get(place) ?? new Set();
      this.#bucketsIn.set(place, others.add(bucket));
    }
    return bucket;
  }

  /** Returns the buckets with a currency and with up to two levels of a category. */
  bucketsIn(currency: string, category: readonly string[]): Iterable<Bucket> {
    return this.#bucketsIn.get(JSON.stringify([currency, ...category])) ?? [];
  }

  removeBucket(bucket: Bucket): void {
    this.buckets.remove(bucket.number);
    this.#bucketsByName.delete(bucket.name);
    for (const name of namesOf(bucket)) {
      const others = this.#bucketsIn.get(name);
      others?.delete(bucket);
      if (others?.size === 0) this.#bucketsIn.delete(name);
    }
  }
}

/** What requests may name of a bucket: its currency, with none, one or two levels of its category. */
function namesOf({ currency, category: [level1, level2] }: Bucket): string[] {
  return [[currency], [currency, level1], [currency, level1, level2]].map((name) => JSON.stringify(name));
}
