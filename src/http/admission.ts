import { errors } from './errors.ts';
import { Pace } from './pace.ts';

/**
 * Requests that are worked on at the same time: so many to begin with, and never fewer or more than these.
 * Fewer would leave writes that share a flush to the disk with too few to share it.
 */
const FIRST_ROOM = 256;
const LEAST_ROOM = 64;
const MOST_ROOM = 512;
/** Work that took longer than this waited for the database or the event loop: there is less room then. */
const SLOW_MS = 500;
/** How much less, at most once in that time; and how much more with each that did not. */
const LESS = 0.7;
const MORE = 0.1;
/** New work begins in one turn of the event loop for so long; what is left waits for the next turn. */
const TURN_MS = 5;
/** As many may wait as had their turn in so long of late, and always these few. */
const PATIENCE_MS = 400;
const FEW = 32;
/** Whoever has waited for so long is turned away. */
const HOPELESS_MS = 800;
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

/**
 * Lets requests in as fast as they can be served and no faster. Where more come, a few wait: those who will
 * have their turn soon, as far as the pace of late tells. All others are turned away at once. So what is let
 * in is answered in time, what is not costs next to nothing, and the event loop is never away from its
 * sockets for long.
 */
export class Admission {
  readonly #onShed: () => void;
  readonly #waiting: Waiting[] = [];
  /** The waiting ones before this index have had their turn. */
  #first = 0;
  #room = FIRST_ROOM;
  #cutAt = 0;
  #underWay = 0;
  #turnBegan: number | undefined;
  /** Callbacks that are under way to those who wait. */
  #called = 0;
  #pace = new Pace();
  #sweep: NodeJS.Timeout | undefined;
  /** Sweeps in a row that found nobody waiting. */
  #emptySweeps = 0;
  #idle: PromiseWithResolvers<void> | undefined;

  /** `onShed` is told of each request that is turned away. */
  constructor(onShed: () => void) {
    this.#onShed = onShed;
  }

  get underWay(): number {
    return this.#underWay;
  }

  get waiting(): number {
    return this.#waiting.length - this.#first;
  }

  /** Whether a request that came now would be turned away. */
  isFull(): boolean {
    return this.waiting >= Math.max(FEW, this.#pace.within(PATIENCE_MS));
  }

  /** Notes a request that was turned away without having asked to be let in. */
  noteShed(): void {
    this.#onShed();
  }

  /**
   * Runs work when its turn comes; never, where its caller has gone by then.
   * @throws {HttpError} `overloaded`
   */
  async run<T>(work: () => Promise<T>, isGone: () => boolean): Promise<T> {
    const wait = this.#enter(isGone);
    if (wait !== undefined) await wait;
    const begun = performance.now();
    try {
      return await work();
    } finally {
      this.#leave(begun);
    }
  }

  /** Resolves when nobody is being served and nobody waits. */
  async idle(): Promise<void> {
    if (this.#underWay + this.waiting === 0) return;
    this.#idle ??= Promise.withResolvers();
    await this.#idle.promise;
  }

  #enter(isGone: () => boolean): Promise<void> | undefined {
    if (this.waiting === 0 && this.#underWay < this.#room && this.#hasTime()) {
      this.#underWay += 1;
      return undefined;
    }
    if (this.isFull()) {
      this.#onShed();
      throw OVERLOADED;
    }
    if (this.waiting === 0) this.#pace.begin();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ since: performance.now(), begin: resolve, refuse: reject, isGone });
    this.#sweep ??= setInterval(() => this.#look(), SWEEP_MS).unref();
    this.#call();
    return promise;
  }

  #leave(begun: number): void {
    this.#underWay -= 1;
    const now = performance.now();
    if (now - begun <= SLOW_MS) {
      if (this.waiting > 0) this.#room = Math.min(MOST_ROOM, this.#room + MORE);
    } else if (now - this.#cutAt > SLOW_MS) {
      this.#room = Math.max(LEAST_ROOM, this.#room * LESS);
      this.#cutAt = now;
    }
    this.#call();
    this.#tellIdle();
  }

  #tellIdle(): void {
    if (this.#underWay + this.waiting === 0) this.#idle?.resolve();
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
        if (this.#underWay < this.#room && this.#hasTime()) this.#beginNext();
        this.#call();
      });
    }
  }

  #beginNext(): void {
    const next = this.#take();
    if (next?.isGone()) {
      next.refuse(OVERLOADED);
      this.#tellIdle();
    } else if (next !== undefined) {
      this.#underWay += 1;
      this.#pace.note();
      next.begin();
    }
  }

  #take(): Waiting | undefined {
    const next = this.#waiting[this.#first];
    if (next === undefined) return undefined;
    this.#first += 1;
    // Shifting a long list for each of its items would cost more than the work that waits.
    if (this.#first === this.#waiting.length || this.#first > 1_000) {
      this.#waiting.splice(0, this.#first);
      this.#first = 0;
    }
    return next;
  }

  #look(): void {
    if (this.waiting > 0) {
      this.#emptySweeps = 0;
      this.#pace.look();
      this.#refuseHopeless();
      return;
    }
    this.#emptySweeps += 1;
    if (this.#emptySweeps < SWEEPS_TO_FORGET) return;
    clearInterval(this.#sweep);
    this.#sweep = undefined;
    this.#emptySweeps = 0;
    this.#pace = new Pace();
  }

  #refuseHopeless(): void {
    const tooLong = performance.now() - HOPELESS_MS;
    while ((this.#waiting[this.#first]?.since ?? Number.POSITIVE_INFINITY) < tooLong) {
      this.#onShed();
      this.#take()?.refuse(OVERLOADED);
    }
    this.#tellIdle();
  }

  #hasTime(): boolean {
    const now = performance.now();
    if (this.#turnBegan === undefined) {
      this.#turnBegan = now;
      setImmediate(() => {
        this.#turnBegan = undefined;
      });
    }
    return now - this.#turnBegan < TURN_MS;
  }
}
