import type { Readable, Writable } from 'node:stream';
import { DatabaseUnavailable } from '../../database/database.ts';
import type { DatabaseSettings } from '../../database/open-database.ts';
import { errors } from '../../errors/errors.ts';
import { requestErrors } from '../../http/responses/request-errors.ts';
import { ImportChild } from '../../imports/import-child.ts';
import type { LineStream, StreamOutcome, StreamResult } from '../../imports/import-stream.ts';

/** Each stream is imported by a process of its own. */
const MAX_STREAMS = 4;
/** A stream fails if nothing arrives for this long. */
const MAX_IDLE_MS = 30_000;

interface Stream extends Omit<LineStream, 'lowInventory'> {
  body: Readable;
}

/**
 * Imports each stream in its own process, because importing would block the event loop. The body is read as
 * fast as it is imported, so memory does not grow with its length.
 */
export class StreamImports {
  readonly #settings: DatabaseSettings & { lowInventory: number };
  readonly #stopping: AbortSignal;
  #running = 0;

  /** Aborting `stopping` ends all streams. */
  constructor(settings: DatabaseSettings & { lowInventory: number }, stopping: AbortSignal) {
    this.#settings = settings;
    this.#stopping = stopping;
  }

  get running(): number {
    return this.#running;
  }

  /**
   * After a failure, transactions before it remain, and the same lines can be sent again.
   * @throws {DomainError} `too_many_streams`, `request_timeout`, `merchant_suspended`, `unreadable_body`,
   *   `malformed_request` if the client has disconnected, `unavailable` if the service stops
   * @throws {DatabaseUnavailable}
   */
  async run(stream: Stream): Promise<StreamResult> {
    if (this.#stopping.aborted) throw requestErrors.unavailable();
    // A body that has closed has no further events to wait for.
    if (stream.body.closed) throw requestErrors.malformed_request();
    if (this.#running >= MAX_STREAMS) throw errors.too_many_streams();
    this.#running += 1;
    const outcome = Promise.withResolvers<StreamOutcome | undefined>();
    const child = new ImportChild(this.#settings, {
      onReport: (report) => report.kind === 'streamed' && outcome.resolve(report.outcome),
      onExit: () => outcome.resolve(undefined),
    });
    const stop = (): void => {
      outcome.resolve(undefined);
      void child.kill();
    };
    this.#stopping.addEventListener('abort', stop);
    try {
      return await this.#importWith(child, stream, outcome.promise);
    } finally {
      this.#stopping.removeEventListener('abort', stop);
      this.#running -= 1;
      stop();
    }
  }

  async #importWith(
    child: ImportChild,
    { body, ...stream }: Stream,
    outcome: Promise<StreamOutcome | undefined>,
  ): Promise<StreamResult> {
    const { lowInventory } = this.#settings;
    // Whichever ends first: reading may fail, and the process may end before it has read everything.
    const ended = new AbortController();
    const sent = sendBody(body, child.startStream({ ...stream, lowInventory }), ended.signal);
    try {
      await Promise.race([sent, outcome]);
      return resultOf(await outcome, this.#stopping);
    } finally {
      ended.abort();
      await sent.catch(() => {});
    }
  }
}

/**
 * Writes a body to a process's standard input, and ends it. The body stays open.
 * @throws {DomainError} `request_timeout` after 30 s without data; `malformed_request` if the client leaves
 */
async function sendBody(body: Readable, input: Writable, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // Time in which the process is busy does not count.
  let isBusy = false;
  const idle = setTimeout(() => isBusy || reject(errors.request_timeout()), MAX_IDLE_MS);
  const onData = (chunk: Buffer): void => {
    isBusy = !input.write(chunk);
    if (isBusy) body.pause();
    else idle.refresh();
  };
  const onDrain = (): void => {
    isBusy = false;
    idle.refresh();
    body.resume();
  };
  const onEnd = (): void => {
    clearTimeout(idle);
    input.end(() => resolve());
  };
  const onClose = (): void => {
    if (!body.readableEnded) reject(requestErrors.malformed_request());
  };
  // The process reports why it ended.
  input.on('error', () => {});
  input.on('drain', onDrain);
  body.on('data', onData).once('end', onEnd).once('error', onClose).once('close', onClose);
  signal.addEventListener('abort', () => resolve(), { once: true });
  try {
    await promise;
  } finally {
    clearTimeout(idle);
    input.off('drain', onDrain);
    body.off('data', onData).off('end', onEnd).off('error', onClose).off('close', onClose);
  }
}

function resultOf(outcome: StreamOutcome | undefined, stopping: AbortSignal): StreamResult {
  if (stopping.aborted) throw requestErrors.unavailable();
  switch (outcome?.kind) {
    case 'done':
      return outcome;
    case 'suspended':
      throw errors.merchant_suspended();
    case 'unusable':
      throw requestErrors.unreadable_body(outcome.reason);
    case 'failed':
      throw outcome.isUnavailable ? new DatabaseUnavailable('in the process of a stream') : outcome.error;
    default:
      throw new Error('The process of a stream ended without a result.');
  }
}
