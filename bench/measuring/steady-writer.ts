/** Writes at a constant rate, whether or not earlier writes have ended, until `stop`. */
export class SteadyWriter {
  readonly #timer: NodeJS.Timeout;
  readonly #writing: Promise<void>[] = [];

  /** `write` gets the number of writes before it. */
  constructor(write: (number: number) => Promise<void>, perSecond: number) {
    const start = performance.now();
    this.#timer = setInterval(() => {
      const due = ((performance.now() - start) / 1000) * perSecond;
      while (this.#writing.length < due) this.#writing.push(write(this.#writing.length));
    }, 5);
  }

  /** Resolves to the number of writes. @throws if one of them failed */
  async stop(): Promise<number> {
    clearInterval(this.#timer);
    await Promise.all(this.#writing);
    return this.#writing.length;
  }
}
