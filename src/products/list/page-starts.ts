/** Where a page begins: the sort key and the id of its first product, at one revision of the catalog. */
export interface Start {
  revision: number;
  position: number;
  key: string | number;
  internal_id: number;
}

interface Starts {
  revision: number;
  /** By ascending position. */
  list: Start[];
}

const MOST_PER_LISTING = 2_000;
const MOST_IN_ALL = 200_000;

/**
 * Remembers where pages of listings begin, so that the next page, and any other near one that was
 * asked for, is found without counting from the first product. What it knows of a listing is good for
 * one revision of the catalog and forgotten with it.
 */
export class PageStarts {
  readonly #byListing = new Map<string, Starts>();
  #count = 0;

  /** The last known start at or before a position. */
  nearest(listing: string, revision: number, position: number): Start | undefined {
    const starts = this.#byListing.get(listing);
    if (starts === undefined || starts.revision !== revision) return undefined;
    return starts.list[indexAfter(starts.list, position) - 1];
  }

  remember(listing: string, start: Start): void {
    const { revision } = start;
    let starts = this.#byListing.get(listing);
    if (starts !== undefined && starts.revision > revision) return;
    this.#byListing.delete(listing);
    if (starts === undefined || starts.revision !== revision) {
      this.#count -= starts?.list.length ?? 0;
      starts = { revision, list: [] };
    }
    this.#byListing.set(listing, starts);
    const index = indexAfter(starts.list, start.position);
    if (starts.list[index - 1]?.position === start.position) return;
    starts.list.splice(index, 0, start);
    this.#count += 1;
    this.#thinOut(starts, start);
    this.#evict();
  }

  /** Keeps every other start of a full listing, and the newest: a crawl goes on from there. */
  #thinOut(starts: Starts, newest: Start): void {
    if (starts.list.length <= MOST_PER_LISTING) return;
    const before = starts.list.length;
    starts.list = starts.list.filter((start, index) => index % 2 === 0 || start === newest);
    this.#count -= before - starts.list.length;
  }

  #evict(): void {
    for (const [listing, { list }] of this.#byListing) {
      if (this.#count <= MOST_IN_ALL) break;
      this.#byListing.delete(listing);
      this.#count -= list.length;
    }
  }
}

/** The index of the first start beyond a position. */
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
