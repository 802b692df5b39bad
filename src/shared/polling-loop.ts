interface PollingLoopOptions {
  /** Does what is due. Resolves to whether there may be more. */
  step(): Promise<boolean>;
  /** The pause between two steps that found nothing to do. */
  pollMs: number;
  minPauseMs(): number;
  /** Gets the first of several errors in a row: while the database is away, one report is enough. */
  onError(error: unknown): void;
}

/** Runs a step until `close`: soon after a step with work or a call of `wake`, otherwise after a pause. */
export class PollingLoop {
  readonly #options: PollingLoopOptions;
  #running: Promise<void> | undefined;
  #isStopping = false;
  #isWoken = false;
  #wakeUp: () => void = () => {};

  constructor(options: PollingLoopOptions) {
    this.#options = options;
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  wake(): void {
    this.#isWoken = true;
    this.#wakeUp();
  }

  /** Stops after the step in progress. */
  async close(): Promise<void> {
    this.#isStopping = true;
    this.#wakeUp();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { step, pollMs, minPauseMs, onError } = this.#options;
    let hasFailed = false;
    while (!this.#isStopping) {
      let isBusy = false;
      try {
        this.#isWoken = false;
        isBusy = await step();
        hasFailed = false;
      } catch (error) {
        if (!hasFailed) onError(error);
        hasFailed = true;
      }
      const pauseMs = minPauseMs();
      await this.#pause(pauseMs, { canBeWoken: false });
      if (!isBusy && (hasFailed || !this.#isWoken))
        await this.#pause(pollMs - pauseMs, { canBeWoken: !hasFailed });
    }
  }

  async #pause(milliseconds: number, { canBeWoken }: { canBeWoken: boolean }): Promise<void> {
    if (this.#isStopping) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds).unref();
      this.#wakeUp = () => {
        if (!canBeWoken && !this.#isStopping) return;
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wakeUp = () => {};
  }
}
