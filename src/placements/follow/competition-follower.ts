import type { Database } from '../../database/database.ts';
import type { Metrics } from '../../observability/metrics.ts';
import { PollingLoop } from '../../shared/polling-loop.ts';
import { Competition } from '../competition/competition.ts';
import { FollowedMarket } from './followed-market.ts';
import { findReserved } from './queries.ts';
import { Rests } from './rests.ts';

/** With the time until an event gets its number, changes count within two seconds. */
const POLL_MS = 700;
/** A process that has not followed changes for so long may not choose anybody. */
const STALE_MS = 5_000;
const REFRESH_MS = 10 * 60_000;
/** The part of a refresh that runs between two polls. */
const REFRESH_SLICE_MS = 50;

export interface CompetitionFollowerOptions {
  database: Database;
  /** See `SellRates`; null if products compete with their bids alone. */
  qualityWeight: number | null;
  /** Milliseconds since 1970. */
  now: () => number;
  onError: (error: unknown) => void;
  metrics?: Metrics;
  /** In milliseconds, like `performance.now`. */
  clock?: () => number;
  /** How often the qualities of all products are read again. */
  refreshMs?: number;
  /** The pause between two polls. */
  pollMs?: number | undefined;
}

/** Keeps who competes in memory, from `start` on: each process for itself, until `close`. */
export class CompetitionFollower {
  readonly competition = new Competition();
  readonly rests: Rests;
  readonly #database: Database;
  readonly #clock: () => number;
  readonly #refreshMs: number;
  readonly #market: FollowedMarket;
  readonly #loop: PollingLoop;
  readonly #onError: (error: unknown) => void;
  #starting: Promise<void> | undefined;
  #isLoaded = false;
  /** Whether every merchant has been loaded once. Later, the others compete while one is loaded again. */
  #isWhole = false;
  /** When the last poll that has followed all changes began. */
  #followedAt = Number.NEGATIVE_INFINITY;
  /** The database's when it was last read. */
  #version: number | undefined;
  #refresh: AsyncGenerator<void> | undefined;
  /** Called after the next poll. */
  #waiting: (() => void)[] = [];
  #refreshedAt: number;

  constructor(options: CompetitionFollowerOptions) {
    const { database, qualityWeight, onError, clock = () => performance.now(), pollMs = POLL_MS } = options;
    this.#database = database;
    this.#onError = onError;
    this.#clock = clock;
    this.#refreshMs = options.refreshMs ?? REFRESH_MS;
    this.#refreshedAt = clock();
    const { competition } = this;
    this.rests = new Rests(competition, clock);
    this.#market = new FollowedMarket({
      database,
      competition,
      rests: this.rests,
      qualityWeight,
      now: options.now,
      isStopping: () => this.#loop.isStopping,
      onError,
      onLoaded: () => this.#loop.wake(),
    });
    this.#loop = new PollingLoop({
      step: () => this.#poll(),
      pollMs,
      minPauseMs: () => 0,
      onError,
    });
    this.#addGauges(options.metrics);
  }

  /**
   * Whether all changes up to a few seconds ago are followed. Otherwise the process is loading, or the
   * database is away, and nobody may be chosen.
   */
  isComplete(): boolean {
    return this.#clock() - this.#followedAt <= STALE_MS;
  }

  /**
   * Polls once more. Resolves to whether all changes before the call are followed now. If a node of a cluster
   * is away, its merchants have then left the competition.
   */
  async catchUp(): Promise<boolean> {
    const calledAt = this.#clock();
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
      this.#loop.wake();
    });
    return this.#followedAt >= calledAt;
  }

  /** Of active merchants. A request without a currency is possible if there is only one. */
  get currencies(): ReadonlySet<string> {
    return this.#market.currencies;
  }

  /** Begins to load who competes, unless it has begun. Returns at once. */
  start(): void {
    this.#loop.start();
  }

  /** Starts if a placement is reserved: the operator will ask for more. Resolves when this is known. */
  startIfUsed(): Promise<void> {
    this.#starting ??= this.#startIfUsed().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  async #startIfUsed(): Promise<void> {
    try {
      if ((await this.#database.first(findReserved)) !== undefined) this.start();
    } catch (error) {
      // The first request for placements starts it.
      this.#onError(error);
    }
  }

  async close(): Promise<void> {
    await this.#starting;
    await this.#loop.close();
    for (const resolve of this.#waiting) resolve();
    await this.#market.close();
  }

  async #poll(): Promise<boolean> {
    const waiting = this.#waiting;
    this.#waiting = [];
    try {
      return await this.#step();
    } finally {
      for (const resolve of waiting) resolve();
    }
  }

  #addGauges(metrics: Metrics | undefined): void {
    metrics?.gauge(
      'competing_products',
      'Products that the process keeps to choose from when placements are requested; 0 before the first request.',
      () => this.competition.size,
    );
    metrics?.gauge(
      'competition_complete',
      'Processes that can decide who gets placements: they have followed all changes.',
      () => Number(this.isComplete()),
    );
  }

  /** Resolves to whether there is more to do. */
  async #step(): Promise<boolean> {
    const startedAt = this.#clock();
    this.rests.endDue();
    this.#market.applySlots();
    if (!this.#isLoaded) {
      this.#refresh = undefined;
      this.#isWhole = false;
      await this.#market.load();
      this.#isLoaded = true;
      return true;
    }
    const version = this.#database.version();
    if (version === undefined || version !== this.#version || this.#market.isLoading) {
      this.#isLoaded = await this.#market.catchUp();
      if (!this.#isLoaded) {
        this.#followedAt = Number.NEGATIVE_INFINITY;
        return true;
      }
      this.#version = version;
    }
    this.#isWhole ||= !this.#market.isLoading;
    if (!this.#isWhole) return false;
    this.#followedAt = startedAt;
    await this.#refreshSome();
    return false;
  }

  async #refreshSome(): Promise<void> {
    const startedAt = this.#clock();
    if (startedAt - this.#refreshedAt < this.#refreshMs) return;
    const refresh = this.#refresh ?? this.#market.refreshQualities();
    // Begins again after an error.
    this.#refresh = undefined;
    while (this.#clock() - startedAt < REFRESH_SLICE_MS && !this.#loop.isStopping) {
      const { done } = await refresh.next();
      if (done !== true) continue;
      this.#refreshedAt = this.#clock();
      return;
    }
    this.#refresh = refresh;
  }
}
