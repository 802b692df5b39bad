const WRITES_AT_ONCE = 20;

/** Writes what is kept in memory some time later, so that frequent changes share a transaction. */
export class DelayedWrites {
  readonly #takeAll: () => Promise<(() => Promise<void>)[]>;
  #timer: NodeJS.Timeout | undefined;
  #writing = Promise.resolve();

  /**
   * `takeAll` resolves to functions that write what is in memory now. Neither may reject. There is a function
   * for each merchant: merchants may be on different nodes, and a node may be away.
   */
  constructor(takeAll: () => Promise<(() => Promise<void>)[]>) {
    this.#takeAll = takeAll;
  }

  /** Writes after this many milliseconds, or earlier if that is planned already. */
  planIn(milliseconds: number): void {
    this.#timer ??= setTimeout(() => void this.flush(), milliseconds).unref();
  }

  /** Writes now. Two flushes at once would write for the same merchant in two transactions. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#writeAll());
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    const writes = await this.#takeAll();
    for (let start = 0; start < writes.length; start += WRITES_AT_ONCE)
      await Promise.all(writes.slice(start, start + WRITES_AT_ONCE).map((write) => write()));
  }
}
