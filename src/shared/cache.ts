interface Entry<Value> {
  value: Value;
  bytes: number;
  /** Whether it was asked for since it was last passed over for eviction. */
  used: boolean;
}

/** What an entry takes beside its value and its key. */
const OVERHEAD_BYTES = 1024;
/** One value may take this part of the cache, so that a few large ones do not push out all others. */
const LARGEST_SHARE = 1 / 16;
/** At least so many names that came once are remembered. */
const NAMES = 512;

/**
 * Keeps what is asked for again and again, up to a number of bytes in all. A value is taken only the
 * second time within a while that it is offered: a crawl from page to page neither throws out what
 * others use nor fills memory with what only a full garbage collection can free.
 */
export class Cache<Value> {
  readonly #capacity: number;
  readonly #entries = new Map<string, Entry<Value>>();
  #bytes = 0;
  #offeredLately = new Set<string>();
  #offeredBefore = new Set<string>();

  /** `capacity` in bytes. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    entry.used = true;
    return entry.value;
  }

  /** Offers a value that takes so many bytes; the ones unused for longest make room for it. */
  offer(key: string, value: Value, ownBytes: number): void {
    const bytes = ownBytes + 2 * key.length + OVERHEAD_BYTES;
    if (bytes > this.#capacity * LARGEST_SHARE) return;
    const known = this.#entries.get(key);
    if (known === undefined && !this.#cameBefore(key)) return;
    this.#bytes += bytes - (known?.bytes ?? 0);
    this.#entries.set(key, { value, bytes, used: true });
    // A Map goes in the order of insertion: what was used since its last turn is given another.
    for (const [oldest, entry] of this.#entries) {
      if (this.#bytes <= this.#capacity) break;
      this.#entries.delete(oldest);
      if (entry.used && oldest !== key) {
        this.#entries.set(oldest, { ...entry, used: false });
      } else {
        this.#bytes -= entry.bytes;
      }
    }
  }

  #cameBefore(key: string): boolean {
    if (this.#offeredLately.has(key) || this.#offeredBefore.has(key)) return true;
    // What comes back only after more others than there is room for would be gone again before its turn.
    if (this.#offeredLately.size >= Math.max(NAMES, this.#entries.size)) {
      this.#offeredBefore = this.#offeredLately;
      this.#offeredLately = new Set();
    }
    this.#offeredLately.add(key);
    return false;
  }
}
