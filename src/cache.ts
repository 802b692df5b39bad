/** Keeps what was used last, up to a number of bytes in all. */
export class Cache<Value> {
  readonly #capacity: number;
  readonly #entries = new Map<string, { value: Value; bytes: number }>();
  #bytes = 0;

  /** `capacity` in bytes. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    // A Map goes in the order of insertion: to insert again makes it the last to go.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** Keeps a value that takes so many bytes; the ones unused for longest make room. */
  set(key: string, value: Value, bytes: number): void {
    this.delete(key);
    this.#entries.set(key, { value, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#capacity) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }
}
