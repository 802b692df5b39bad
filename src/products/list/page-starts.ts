/** Where a page starts: the sort key and the id of its first product, at one order of the listing (`orderOf`). */
export interface Start {
  order: number;
  position: number;
  key: string | number;
  internal_id: number;
}

interface Starts {
  order: number;
  /** In order of their positions. */
  list: Start[];
}

const MAX_PER_LISTING = 2_000;
const MAX_TOTAL = 200_000;

/**
 * Remembers where pages of listings start, so that the next page is found without counting from the first product.
 * The starts of a listing are valid as long as no product moves within it. Users have to check this: a start may be older.
 */
export class PageStarts {
  readonly #byListing = new Map<string, Starts>();
  #count = 0;

  /** Returns the last known start at or before a position. */
  nearest(listing: string, position: number): Start | undefined {
    const starts = this.#byListing.get(listing);
    if (starts === undefined) return undefined;
    return starts.list[indexAfter(starts.list, position) - 1];
  }

  /** Forgets the starts of a listing that are of an earlier order. */
  forgetBefore(listing: string, order: number): void {
    const starts = this.#byListing.get(listing);
    if (starts === undefined || starts.order >= order) return;
    this.#byListing.delete(listing);
    this.#count -= starts.list.length;
  }

  remember(listing: string, start: Start): void {
    const { order } = start;
    this.forgetBefore(listing, order);
    const starts = this.#byListing.get(listing) ?? { order, list: [] };
    if (starts.order > order) return;
    // Listings used most recently are at the end.
    this.#byListing.delete(listing);
    this.#byListing.set(listing, starts);
    const index = indexAfter(starts.list, start.position);
    if (starts.list[index - 1]?.position === start.position) return;
    starts.list.splice(index, 0, start);
    this.#count += 1;
    this.#thinOut(starts, start);
    this.#evict();
  }

  /** Removes every other start of a full listing, except the newest one, from which a crawl continues. */
  #thinOut(starts: Starts, newest: Start): void {
    if (starts.list.length <= MAX_PER_LISTING) return;
    const before = starts.list.length;
    starts.list = starts.list.filter((start, index) => index % 2 === 0 || start === newest);
    this.#count -= before - starts.list.length;
  }

  #evict(): void {
    for (const [listing, { list }] of this.#byListing) {
      if (this.#count <= MAX_TOTAL) break;
      this.#byListing.delete(listing);
      this.#count -= list.length;
    }
  }
}

/** Returns the index of the first start after a position. */
function indexAfter(list: readonly Start[], position: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((list[middle]?.position ?? 0) <= position) low = middle + 1;
    else high = middle;
  }
  return low;
}
