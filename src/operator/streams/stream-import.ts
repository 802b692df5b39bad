import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { DatabaseUnavailable } from '../../database/database.ts';
import type { DatabaseSettings } from '../../database/open-database.ts';
import { errors } from '../../errors/errors.ts';
import { requestErrors } from '../../http/responses/request-errors.ts';
import { STREAM_PROCESS, startProcess } from '../../shared/start-module.ts';
import type { StreamCommand, StreamKind, StreamReport, StreamResult } from './stream-messages.ts';

/** Each stream is imported by a process of its own. */
const MAX_STREAMS = 4;
/** A stream fails if nothing arrives for this long. */
const MAX_IDLE_MS = 30_000;
/** If an import needs more memory, its process ends instead of exhausting the machine's. */
const MAX_HEAP_MB = 768;

interface Stream {
  merchantId: number;
  kind: StreamKind;
  /** NDJSON. */
  body: Readable;
  isCompressed: boolean;
}

/**
 * Imports each stream in its own process, because importing would block the event loop. The body is read as
 * fast as it is imported, so memory does not grow with its length.
 */
export class StreamImports {
  readonly #settings: DatabaseSettings;
  readonly #lowInventory: number;
  readonly #stopping: AbortSignal;
  #running = 0;

  /** Aborting `stopping` ends all streams. */
  constructor(settings: DatabaseSettings & { lowInventory: number }, stopping: AbortSignal) {
    const { dataDirectory, postgres, databaseWaitMs, lowInventory } = settings;
    this.#settings = { dataDirectory, postgres, databaseWaitMs };
    this.#lowInventory = lowInventory;
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
    const child = startProcess(STREAM_PROCESS, import.meta.url, {
      execArgv: [`--max-old-space-size=${MAX_HEAP_MB}`],
      serialization: 'advanced',
      stdio: ['pipe', 'inherit', 'inherit', 'ipc'],
    });
    const kill = (): void => void child.kill('SIGKILL');
    this.#stopping.addEventListener('abort', kill);
    try {
      return await this.#importWith(child, stream);
    } finally {
      this.#stopping.removeEventListener('abort', kill);
      this.#running -= 1;
      kill();
    }
  }

  async #importWith(child: ChildProcess, stream: Stream): Promise<StreamResult> {
    const { merchantId, kind, body, isCompressed } = stream;
    const command: StreamCommand = {
      settings: this.#settings,
      lowInventory: this.#lowInventory,
      merchantId,
      kind,
      isCompressed,
    };
    const report = reportOf(child);
    child.send(command, () => {});
    // Whichever ends first: reading may fail, and the process may end before it has read everything.
    const reported = new AbortController();
    const sent = sendBody(body, child.stdin as Writable, reported.signal);
    try {
      await Promise.race([sent, report]);
      return resultOf(await report, this.#stopping);
    } finally {
      reported.abort();
      await sent.catch(() => {});
    }
  }
}

/** Resolves to the last message of a process; undefined if it ends without one. */
async function reportOf(child: ChildProcess): Promise<StreamReport | undefined> {
  const { promise, resolve } = Promise.withResolvers<StreamReport | undefined>();
  child.once('message', (report: StreamReport) => resolve(report));
  // The last message may arrive after `exit`, but before `disconnect`.
  child.once('exit', () => {
    if (child.connected) child.once('disconnect', () => resolve(undefined));
    else resolve(undefined);
  });
  child.once('error', () => resolve(undefined));
  return await promise;
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

function resultOf(report: StreamReport | undefined, stopping: AbortSignal): StreamResult {
  if (stopping.aborted) throw requestErrors.unavailable();
  switch (report?.kind) {
    case 'done':
      return report;
    case 'suspended':
      throw errors.merchant_suspended();
    case 'unusable':
      throw requestErrors.unreadable_body(report.reason);
    case 'failed':
      throw report.isUnavailable ? new DatabaseUnavailable('in the process of a stream') : report.error;
    default:
      throw new Error('The process of a stream ended without a result.');
  }
}
