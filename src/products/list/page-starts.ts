/** The first product of a page, at one order of the listing (`orderOf`). */
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
 * Remembers where pages start, so that the next page is found without counting from the first product. Starts
 * are valid while no product moves within the listing. Callers have to check the order.
 */
export class PageStarts {
  readonly #byListing = new Map<string, Starts>();
  #count = 0;

  nearest(listing: string, position: number): Start | undefined {
    const starts = this.#byListing.get(listing);
    if (starts === undefined) return undefined;
    return starts.list[indexAfter(starts.list, position) - 1];
  }

  /** Forgets a listing's starts of an earlier order. */
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
    // The most recently used listings are at the end.
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
