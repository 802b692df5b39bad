interface Entry<Value> {
  value: Value;
  bytes: number;
  /** Stored or read since eviction last passed over it. */
  used: boolean;
}

/** An entry's memory in addition to its value and key. */
const OVERHEAD_BYTES = 1024;
/** One value takes at most this part of the cache, so that a few large ones do not evict all others. */
const MAX_SHARE = 1 / 16;
/** At least this many of the keys that were offered once are remembered. */
const MIN_KEYS = 512;

/**
 * Keeps a value only when its key is offered again while the first offer is remembered. So a client that
 * reads every page once neither evicts what others use nor fills memory with values that only a full garbage
 * collection frees.
 */
export class Cache<Value> {
  readonly #capacity: number;
  readonly #entries = new Map<string, Entry<Value>>();
  #bytes = 0;
  #offered = new Set<string>();
  #offeredBefore = new Set<string>();

  /** In bytes. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    entry.used = true;
    return entry.value;
  }

  /** `size` is in bytes. Evicts about the least recently used values to make room. */
  offer(key: string, value: Value, size: number): void {
    const bytes = size + 2 * key.length + OVERHEAD_BYTES;
    if (bytes > this.#capacity * MAX_SHARE) return;
    const former = this.#entries.get(key);
    if (former === undefined && !this.#wasOffered(key)) return;
    this.#bytes += bytes - (former?.bytes ?? 0);
    this.#entries.set(key, { value, bytes, used: true });
    // Clock eviction in insertion order: an entry that was used since its last turn moves to the end.
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

  #wasOffered(key: string): boolean {
    if (this.#offered.has(key) || this.#offeredBefore.has(key)) return true;
    // As many keys are remembered as there are entries: a later repetition is not worth caching.
    if (this.#offered.size >= Math.max(MIN_KEYS, this.#entries.size)) {
      this.#offeredBefore = this.#offered;
      this.#offered = new Set();
    }
    this.#offered.add(key);
    return false;
  }
}
