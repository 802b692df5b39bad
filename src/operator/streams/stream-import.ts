import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DatabaseUnavailable } from '../../database/database.ts';
import type { DatabaseSettings } from '../../database/open-database.ts';
import { KeyFileUnusable } from '../../encryption/key-file.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { errors } from '../../errors/errors.ts';
import { readerOf } from '../../http/parameters/body-reader.ts';
import { requestErrors } from '../../http/responses/request-errors.ts';
import { ImportChild } from '../../imports/import-child.ts';
import type { LineStream, StreamOutcome, StreamResult } from '../../imports/import-stream.ts';

/** Each stream is imported by a process of its own. */
const MAX_STREAMS = 4;
/** A stream fails if nothing arrives for this long. */
const MAX_IDLE_MS = 30_000;

type LineSettings = Pick<LineStream, 'lowInventory' | 'lowBudget' | 'encryptionKeyFile'>;
type StreamSettings = DatabaseSettings & LineSettings;

interface Stream extends Omit<LineStream, keyof LineSettings | 'clockOffsetMs'> {
  body: Readable;
}

/**
 * Imports each stream in its own process, because importing would block the event loop. The body is read as
 * fast as it is imported, so memory does not grow with its length.
 */
export class StreamImports {
  readonly #settings: StreamSettings;
  readonly #now: () => number;
  readonly #stopping: AbortSignal;
  #running = 0;

  /** Aborting `stopping` ends all streams. */
  constructor(settings: StreamSettings, { now, stopping }: { now: () => number; stopping: AbortSignal }) {
    this.#settings = settings;
    this.#now = now;
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
   * @throws {KeyFileUnusable}
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
    const { lowInventory, lowBudget, encryptionKeyFile } = this.#settings;
    const clockOffsetMs = this.#now() - Date.now();
    // Whichever ends first: reading may fail, and the process may end before it has read everything.
    const ended = new AbortController();
    const sent = sendBody(
      body,
      child.startStream({ ...stream, lowInventory, lowBudget, encryptionKeyFile, clockOffsetMs }),
      ended.signal,
    );
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
 * Writes a body to a process's standard input as fast as the process reads it. The body stays open.
 * @throws {DomainError} `request_timeout` after 30 s without data; `malformed_request` if the client leaves
 */
async function sendBody(body: Readable, input: Writable, signal: AbortSignal): Promise<void> {
  try {
    await pipeline(readerOf(body), failIfIdle, input, { signal });
  } catch (error) {
    // The process reports why it ended.
    if (error instanceof DomainError) throw error;
  }
}

/** Time in which the process is busy does not count. */
async function* failIfIdle(chunks: Readable): AsyncGenerator<Buffer> {
  const fail = (): void => void chunks.destroy(errors.request_timeout());
  let idle = setTimeout(fail, MAX_IDLE_MS);
  try {
    for await (const chunk of chunks) {
      clearTimeout(idle);
      yield chunk;
      idle = setTimeout(fail, MAX_IDLE_MS);
    }
  } finally {
    clearTimeout(idle);
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
    case 'keyless':
      throw new KeyFileUnusable(outcome.reason);
    case 'failed':
      throw outcome.isUnavailable ? new DatabaseUnavailable('in the process of a stream') : outcome.error;
    default:
      throw new Error('The process of a stream ended without a result.');
  }
}
