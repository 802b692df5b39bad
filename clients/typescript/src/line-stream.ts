export type Records = Iterable<object> | AsyncIterable<object>;

/** The length of parts, in UTF-16 code units. */
const PART_LENGTH = 64 * 1024;
/** The service waits for lines only for a while: after this time, a part with at least one line is sent. */
const PART_MS = 1_000;

/** A stream of NDJSON that reads its records as fast as they are sent. */
export class LineStream {
  readonly stream: ReadableStream<Uint8Array>;
  /** What the records threw. */
  failure: { error: unknown } | undefined;
  readonly #lines: AsyncGenerator<Uint8Array, void, undefined>;
  #isStopped = false;

  constructor(records: Records) {
    this.#lines = this.#encode(records);
    this.stream = new ReadableStream({ pull: (controller) => this.#pull(controller) });
  }

  /** Some runtimes read on after a call was aborted. */
  stop(): void {
    this.#isStopped = true;
    this.#lines.return().catch(() => {});
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    try {
      const { done, value } = await this.#lines.next();
      if (done) controller.close();
      else controller.enqueue(value);
    } catch (error) {
      this.failure = { error };
      controller.error(error);
    }
  }

  async *#encode(records: Records): AsyncGenerator<Uint8Array, void, undefined> {
    const encoder = new TextEncoder();
    let part = '';
    let sentAt = performance.now();
    for await (const record of records) {
      if (this.#isStopped) return;
      part += `${JSON.stringify(record)}\n`;
      if (part.length < PART_LENGTH && performance.now() - sentAt < PART_MS) continue;
      yield encoder.encode(part);
      part = '';
      sentAt = performance.now();
    }
    if (part !== '') yield encoder.encode(part);
  }
}
