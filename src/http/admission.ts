import type { Concurrency } from '../database/database.ts';
import { Lines } from '../shared/lines.ts';
import { Tally } from '../shared/tally.ts';
import { errors } from './errors.ts';
import { HeavyWork } from './heavy-work.ts';
import { Pace } from './pace.ts';

/** Work that took longer than this must have waited for the database or the event loop, so the room shrinks. */
const SLOW_MS = 500;
/** The room shrinks by this factor at most once per SLOW_MS, and grows by so much with each request that was fast. */
const SHRINK = 0.7;
const GROWTH = 0.1;
/** New work begins in one turn of the event loop for so long; what is left waits for the next turn. */
const TURN_MS = 5;
/** As many requests may wait as recently started within this time, and never fewer than LEAST_WAITING. */
const PATIENCE_MS = 400;
const LEAST_WAITING = 32;
/** Whoever has waited for so long is turned away. */
const MOST_WAIT_MS = 800;
const SWEEP_MS = 50;
/** The pace is forgotten when nobody has waited for so many sweeps. */
const SWEEPS_TO_FORGET = 20;

/** Made once: an error's stack costs more to take than all else that is done to turn a request away. */
export const OVERLOADED = errors.overloaded();

interface Waiting {
  since: number;
  begin: () => void;
  refuse: (error: unknown) => void;
  isGone: () => boolean;
}

/** Whose request it is, and whether its caller still waits for it. */
export interface Admitted {
  /** A merchant or a network: lines take turns, so that no one of them can take what others need. */
  line: string;
  isGone: () => boolean;
}

/**
 * Lets requests in as fast as they can be served and no faster. Where more come, a few wait: as many as are likely to
 * start soon at the recent start rate. All others are turned away at once. So what is let in is answered in time, what
 * is not costs next to nothing, and the event loop is never away from its sockets for long.
 *
 * Requests wait in lines that take turns. A line gets at most half of the room that the others leave, and when too many
 * wait, the longest line is refused first: a merchant that asks for little is served whatever others ask for. A line
 * that keeps the event loop for long again and again (`HeavyWork`) waits while others are served.
 */
export class Admission {
  readonly #onShed: () => void;
  readonly #clock: () => number;
  readonly #lines = new Lines<Waiting>();
  /** Requests under way of each line. */
  readonly #running = new Tally<string>();
  readonly #heavy: HeavyWork;
  #wakeUp: NodeJS.Timeout | undefined;
  readonly #concurrency: Concurrency;
  #room: number;
  #cutAt = 0;
  #underWay = 0;
  #turnBegan: number | undefined;
  /** Callbacks that are under way to those who wait. */
  #called = 0;
  #pace: Pace;
  #sweep: NodeJS.Timeout | undefined;
  /** Sweeps in a row that found nobody waiting. */
  #emptySweeps = 0;
  #idle: PromiseWithResolvers<void> | undefined;

  /**
   * `concurrency` bounds how many requests are worked on at once; `onShed` is called for each request that is turned
   * away; `clock` returns milliseconds, as `performance.now`.
   */
  constructor(concurrency: Concurrency, onShed: () => void, clock: () => number = () => performance.now()) {
    this.#concurrency = concurrency;
    this.#room = concurrency.first;
    this.#onShed = onShed;
    this.#clock = clock;
    this.#pace = new Pace(clock);
    this.#heavy = new HeavyWork(clock);
  }

  get underWay(): number {
    return this.#underWay;
  }

  get waiting(): number {
    return this.#lines.size;
  }

  /** Whether a request that came now would be turned away. `lineOf` names its line; it is called only if many wait. */
  isFull(lineOf: () => string): boolean {
    const most = this.#mostWaiting();
    if (this.waiting < most) return false;
    // A line that has less than its share takes the place of the newest request of the longest one.
    const own = this.#lines.lengthOf(lineOf());
    const lines = this.#lines.count + (own === 0 ? 1 : 0);
    return own + 1 > Math.floor(most / lines);
  }

  #mostWaiting(): number {
    return Math.max(LEAST_WAITING, this.#pace.within(PATIENCE_MS));
  }

  /** Notes a request that was turned away without having asked to be let in. */
  noteShed(): void {
    this.#onShed();
  }

  /**
   * Runs work when its turn comes; never, where its caller has gone by then.
   * @throws {HttpError} `overloaded`
   */
  async run<T>(work: () => Promise<T>, admitted: Admitted): Promise<T> {
    const wait = this.#enter(admitted);
    if (wait !== undefined) await wait;
    const begun = this.#clock();
    try {
      const result = work();
      this.#heavy.note(admitted.line, this.#clock() - begun);
      return await result;
    } finally {
      this.#leave(admitted.line, begun);
    }
  }

  /** Resolves when nobody is being served and nobody waits. */
  async idle(): Promise<void> {
    if (this.#underWay + this.waiting === 0) return;
    this.#idle ??= Promise.withResolvers();
    await this.#idle.promise;
  }

  #enter({ line, isGone }: Admitted): Promise<void> | undefined {
    if (this.waiting === 0 && this.#hasRoom(line) && this.hasTime()) {
      this.#begin(line);
      return undefined;
    }
    if (this.isFull(() => line)) {
      this.#onShed();
      throw OVERLOADED;
    }
    if (this.waiting === 0) this.#pace.begin();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#lines.push(line, { since: this.#clock(), begin: resolve, refuse: reject, isGone });
    if (this.waiting > this.#mostWaiting()) this.#refuse(this.#lines.takeNewestOfLongest(line));
    this.#sweep ??= setInterval(() => this.#look(), SWEEP_MS).unref();
    this.#call();
    return promise;
  }

  #refuse(waiting: Waiting | undefined): void {
    if (waiting === undefined) return;
    this.#onShed();
    waiting.refuse(OVERLOADED);
  }

  /** Whether another request of a line may begin: there is room, and the line has less than half of what others leave. */
  #hasRoom(line: string): boolean {
    if (this.#underWay >= this.#room) return false;
    const own = this.#running.of(line);
    if (own < this.#underWay && this.#heavy.isOver(line)) return false;
    return own < Math.max(1, (this.#room - (this.#underWay - own)) / 2);
  }

  #begin(line: string): void {
    this.#underWay += 1;
    this.#running.add(line);
  }

  #leave(line: string, begun: number): void {
    this.#underWay -= 1;
    this.#running.take(line);
    const now = this.#clock();
    if (now - begun <= SLOW_MS) {
      if (this.waiting > 0) this.#room = Math.min(this.#concurrency.most, this.#room + GROWTH);
    } else if (now - this.#cutAt > SLOW_MS) {
      this.#room = Math.max(this.#concurrency.least, this.#room * SHRINK);
      this.#cutAt = now;
    }
    this.#call();
    this.#tellIdle();
  }

  #tellIdle(): void {
    if (this.#underWay + this.waiting > 0) return;
    this.#idle?.resolve();
    this.#idle = undefined;
  }

  /**
   * Has those who wait begin after this turn, as many as there is room for: each in a callback of its own, as
   * what it does at once is done before the next one looks at the time.
   */
  #call(): void {
    const wanted = Math.min(this.waiting, this.#room - this.#underWay);
    for (; this.#called < wanted; this.#called += 1) {
      setImmediate(() => {
        this.#called -= 1;
        // Where every line that waits has all the room it gets, the next one that ends goes on from here.
        if (!this.hasTime() || this.#beginNext()) this.#call();
      });
    }
  }

  /** False if no line that waits has room. */
  #beginNext(): boolean {
    const next = this.#lines.take((line) => this.#hasRoom(line));
    if (next === undefined) {
      if (this.#heavy.isAnyOver) this.#wakeUp ??= setTimeout(() => this.#wake(), 1).unref();
      return false;
    }
    if (next.item.isGone()) {
      next.item.refuse(OVERLOADED);
      this.#tellIdle();
    } else {
      this.#begin(next.line);
      this.#pace.note();
      next.item.begin();
    }
    return true;
  }

  #wake(): void {
    this.#wakeUp = undefined;
    this.#call();
  }

  #look(): void {
    if (this.waiting > 0) {
      this.#emptySweeps = 0;
      this.#pace.look();
      this.#refuseLate();
      return;
    }
    this.#emptySweeps += 1;
    if (this.#emptySweeps < SWEEPS_TO_FORGET) return;
    clearInterval(this.#sweep);
    this.#sweep = undefined;
    this.#emptySweeps = 0;
    this.#pace = new Pace(this.#clock);
  }

  #refuseLate(): void {
    const tooLong = this.#clock() - MOST_WAIT_MS;
    for (const waiting of this.#lines.takeDue(({ since }) => since < tooLong)) this.#refuse(waiting);
    this.#tellIdle();
  }

  /** Whether more work may begin in this turn of the event loop. */
  hasTime(): boolean {
    const now = this.#clock();
    if (this.#turnBegan === undefined) {
      this.#turnBegan = now;
      setImmediate(() => {
        this.#turnBegan = undefined;
      });
    }
    return now - this.#turnBegan < TURN_MS;
  }
}
