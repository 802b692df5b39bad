import { randomUUID } from 'node:crypto';
import type { Connection, Database } from '../database/database.ts';
import { PollingLoop } from '../shared/polling-loop.ts';
import { deleteMail, type LeasedMail, type MailRow, type MailStatements, mailStatements } from './queries.ts';
import type { RenderedMail } from './render-mail.ts';
import { mailRetryDelay } from './retry-delays.ts';
import type { SendMail, SendResult } from './smtp-client.ts';

const POLL_MS = 500;
const MIN_PAUSE_MS = 50;
const AT_ONCE = 5;
/** After the server failed, this process waits this long before it tries again, with one mail. */
const FAILING_PAUSE_MS = 5_000;
const MAX_ATTEMPT_MS = 60_000;
/** A dead process keeps a mail for this long. */
const LEASE_MS = MAX_ATTEMPT_MS + 30_000;
/** How long a stop waits for attempts in progress. */
const STOP_MS = 3_000;
const MEASURE_MS = 5_000;
const SWEEP_MS = 60 * 60 * 1000;
/** Older mails waited while no mail server was set. They are deleted. */
const MAX_AGE_MS = 3 * 24 * 60 * 60 * 1000;

/** For metrics. `dropped`: there was no one to send the mail to. */
type MailOutcome = 'sent' | 'retried' | 'failed' | 'dropped';

/**
 * Runs in the transaction before each attempt, and writes what the mail needs, such as a link's token.
 * Undefined if the mail should no longer be sent.
 */
export type ComposeMail = (connection: Connection, mail: MailRow) => Promise<RenderedMail | undefined>;

interface MailDeliveriesOptions {
  database: Database;
  send: SendMail;
  compose: ComposeMail;
  onOutcome(outcome: MailOutcome): void;
  onFailure(failure: { reason: string; mail?: Pick<MailRow, 'id' | 'kind'> }): void;
  onError(error: unknown): void;
}

/**
 * Sends the mails of the queue. Every process runs one, and holds the lease of each mail that it sends. A
 * mail is sent once, unless a process or connection dies between the server's acceptance and its record.
 */
export class MailDeliveries {
  readonly #options: MailDeliveriesOptions;
  readonly #statements: MailStatements;
  readonly #holder = randomUUID();
  readonly #loop: PollingLoop;
  readonly #stopping = new AbortController();
  /** Undefined if the last attempt reached the server. */
  #triesAgainAt: number | undefined;
  #afterMerchant = 0;
  #sweptAt = Number.NEGATIVE_INFINITY;
  #measuredAt = Number.NEGATIVE_INFINITY;
  #queue = { waiting: 0, oldestSeconds: 0 };

  constructor(options: MailDeliveriesOptions) {
    const { database, onError } = options;
    this.#options = options;
    this.#statements = mailStatements(database.dialect);
    const step = async (): Promise<boolean> => {
      await this.#sweepIfDue();
      await this.#measureIfDue();
      return await this.#sendDue();
    };
    this.#loop = new PollingLoop({ step, pollMs: POLL_MS, minPauseMs: () => MIN_PAUSE_MS, onError });
  }

  /** The queue of all processes a few seconds ago. */
  get queue(): { waiting: number; oldestSeconds: number } {
    return this.#queue;
  }

  start(): void {
    this.#loop.start();
  }

  /** Ends after the attempts in progress. Other processes continue at once. */
  async close(): Promise<void> {
    const abort = setTimeout(() => this.#stopping.abort(), STOP_MS);
    await this.#loop.close();
    clearTimeout(abort);
  }

  async #sweepIfDue(): Promise<void> {
    if (performance.now() - this.#sweptAt < SWEEP_MS) return;
    const { deleteOld } = this.#statements;
    await this.#options.database.transaction((connection) =>
      connection.run(deleteOld, { age: MAX_AGE_MS * 1000 }),
    );
    this.#sweptAt = performance.now();
  }

  async #measureIfDue(): Promise<void> {
    if (performance.now() - this.#measuredAt < MEASURE_MS) return;
    this.#measuredAt = performance.now();
    const row = await this.#options.database.first(this.#statements.measure);
    this.#queue = { waiting: row?.waiting ?? 0, oldestSeconds: Math.max(0, row?.oldest ?? 0) / 1_000_000 };
  }

  /** Resolves to whether there may be more. */
  async #sendDue(): Promise<boolean> {
    const { database, onFailure } = this.#options;
    const wasFailing = this.#triesAgainAt !== undefined;
    if (this.#triesAgainAt !== undefined && performance.now() < this.#triesAgainAt) return false;
    const limit = wasFailing ? 1 : AT_ONCE;
    const afterMerchant = this.#afterMerchant;
    const due = await database.all(this.#statements.listDue, { afterMerchant, limit });
    this.#afterMerchant = due.findLast(({ turn }) => turn === 1)?.merchant_id ?? afterMerchant;
    const results = await Promise.allSettled(due.map(({ id }) => this.#deliver(id)));
    const attempts = results.map((result) => (result.status === 'fulfilled' ? result.value : undefined));
    const serverFailure = attempts.find((result) => result?.outcome === 'failed' && result.ofServer);
    if (serverFailure?.outcome === 'failed') {
      // While the server is away, one report is enough.
      if (!wasFailing) onFailure({ reason: serverFailure.reason });
      this.#triesAgainAt = performance.now() + FAILING_PAUSE_MS;
    } else if (attempts.some((result) => result !== undefined)) this.#triesAgainAt = undefined;
    for (const result of results) if (result.status === 'rejected') throw result.reason;
    return serverFailure === undefined && due.length === limit;
  }

  /** Undefined if another process sends the mail, or a stop interrupted it. */
  async #deliver(id: string): Promise<SendResult | undefined> {
    const { send, onFailure, onOutcome } = this.#options;
    const prepared = await this.#prepare(id);
    if (prepared === undefined) return undefined;
    const { mail, rendered } = prepared;
    if (rendered === undefined) {
      onOutcome('dropped');
      return undefined;
    }
    const outgoing = { id, address: mail.address, ...rendered };
    const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(MAX_ATTEMPT_MS)]);
    const result = await send(outgoing, signal);
    const outcome = await this.#record(mail, result);
    if (outcome === undefined) return undefined;
    onOutcome(outcome);
    if (
      result.outcome === 'refused' ||
      (result.outcome === 'failed' && (outcome === 'failed' || !result.ofServer))
    )
      onFailure({ reason: result.reason, mail });
    return result;
  }

  /** Takes the lease. Deletes the mail if it should no longer be sent. */
  async #prepare(id: string): Promise<{ mail: LeasedMail; rendered: RenderedMail | undefined } | undefined> {
    const { database, compose } = this.#options;
    const name = { id, holder: this.#holder };
    return await database.transaction(async (connection) => {
      const mail = await connection.first(this.#statements.take, { ...name, duration: LEASE_MS * 1000 });
      if (mail === undefined) return undefined;
      const rendered = await compose(connection, mail);
      if (rendered === undefined) await connection.run(deleteMail, name);
      return { mail, rendered };
    });
  }

  /** Deletes a mail unless it is tried again. Undefined if a stop interrupted it. */
  async #record({ id, failures }: LeasedMail, result: SendResult): Promise<MailOutcome | undefined> {
    const { database } = this.#options;
    const name = { id, holder: this.#holder };
    const wasInterrupted = result.outcome === 'failed' && this.#stopping.signal.aborted;
    const delay = result.outcome === 'failed' ? mailRetryDelay(failures + 1, Math.random()) : undefined;
    await database.transaction(async (connection) => {
      const { postpone } = this.#statements;
      if (wasInterrupted) await connection.run(postpone, { ...name, failures, delay: 0 });
      else if (delay === undefined) await connection.run(deleteMail, name);
      else await connection.run(postpone, { ...name, failures: failures + 1, delay: delay * 1000 });
    });
    if (wasInterrupted) return undefined;
    if (result.outcome === 'sent') return 'sent';
    return delay === undefined ? 'failed' : 'retried';
  }
}
