/** A cached value. */
interface Entry<Value> {
  value: Value;
  bytes: number;
  /** Whether it was read since eviction last passed over it. */
  used: boolean;
}

/** The memory of an entry besides its value and key. */
const OVERHEAD_BYTES = 1024;
/** The largest part of the cache that one value may take, so that a few large ones do not evict all others. */
const MAX_SHARE = 1 / 16;
/** The minimum number of keys to remember that were offered once. */
const MIN_KEYS = 512;

/**
 * A cache with a limit in bytes. It keeps a value only when its key is offered for the second time within a while, so
 * that a client that reads every page once neither evicts what others use nor fills memory with values that only a full
 * garbage collection frees.
 */
export class Cache<Value> {
  readonly #capacity: number;
  readonly #entries = new Map<string, Entry<Value>>();
  #bytes = 0;
  #offered = new Set<string>();
  #offeredBefore = new Set<string>();

  /** `capacity` is in bytes. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    entry.used = true;
    return entry.value;
  }

  /** Offers a value of `size` bytes. Values that were not used for longest are evicted to make room. */
  offer(key: string, value: Value, size: number): void {
    const bytes = size + 2 * key.length + OVERHEAD_BYTES;
    if (bytes > this.#capacity * MAX_SHARE) return;
    const known = this.#entries.get(key);
    if (known === undefined && !this.#wasOffered(key)) return;
    this.#bytes += bytes - (known?.bytes ?? 0);
    this.#entries.set(key, { value, bytes, used: true });
    // A Map is in insertion order (clock eviction): an entry that was used since its last turn gets another one.
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
    // A key that returns only after more keys than there are entries would be evicted before it is used.
    if (this.#offered.size >= Math.max(MIN_KEYS, this.#entries.size)) {
      this.#offeredBefore = this.#offered;
      this.#offered = new Set();
    }
    this.#offered.add(key);
    return false;
  }
}
