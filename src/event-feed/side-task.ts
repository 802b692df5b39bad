/** Work next to a loop, which does not wait for it. */
export class SideTask {
  readonly #work: () => Promise<void>;
  readonly #onError: (error: unknown) => void;
  #running: Promise<void> | undefined;
  #hasFailed = false;

  /** `onError` gets the first of several errors in a row: while a node is away, one report is enough. */
  constructor(work: () => Promise<void>, onError: (error: unknown) => void) {
    this.#work = work;
    this.#onError = onError;
  }

  /** Does nothing while the work is in progress. */
  begin(): void {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  /** Resolves when the work in progress has ended. */
  async end(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    try {
      await this.#work();
      this.#hasFailed = false;
    } catch (error) {
      if (!this.#hasFailed) this.#onError(error);
      this.#hasFailed = true;
    }
  }
}
