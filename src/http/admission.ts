import { errors } from './errors.ts';

/** Requests that are worked on at the same time: so many to begin with, and never fewer or more than these. */
const FIRST_ROOM = 128;
const LEAST_ROOM = 16;
const MOST_ROOM = 256;
/** Work that took longer than this had to wait for the database: there is less room then, else more. */
const SLOW_MS = 400;
/** New work begins in one turn of the event loop for so long; what is left waits for the next turn. */
const TURN_MS = 15;
/** Where whoever waits has waited for so long, no other may wait behind it. */
const PATIENCE_MS = 400;
/** Whoever has waited for so long is turned away. */
const HOPELESS_MS = 800;
const SWEEP_MS = 50;
/** Turns of the event loop that are asked for at once, for those who wait. */
const CALLS = 32;

interface Waiting {
  since: number;
  begin: () => void;
  refuse: (error: unknown) => void;
}

/**
 * Lets requests in as fast as they can be served and no faster. Where more come, a few wait; where these
 * have waited for long, others are turned away at once. So what is let in is answered in time, what is not
 * costs next to nothing, and the event loop is never away from its sockets for long.
 */
export class Admission {
  readonly #onShed: () => void;
  readonly #waiting: Waiting[] = [];
  /** The waiting ones before this index have had their turn. */
  #first = 0;
  #room = FIRST_ROOM;
  #underWay = 0;
  /** Turns asked for, for those who wait. */
  #called = 0;
  #turnBegan: number | undefined;
  #sweep: NodeJS.Timeout | undefined;

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
    const head = this.#waiting[this.#first];
    return head !== undefined && performance.now() - head.since > PATIENCE_MS;
  }

  /** Notes a request that was turned away without having asked to be let in. */
  noteShed(): void {
    this.#onShed();
  }

  /**
   * Runs work when its turn comes.
   * @throws {HttpError} `overloaded`
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const wait = this.#enter();
    if (wait !== undefined) await wait;
    const begun = performance.now();
    try {
      return await work();
    } finally {
      this.#leave(performance.now() - begun);
    }
  }

  #enter(): Promise<void> | undefined {
    if (this.waiting === 0 && this.#underWay < this.#room && this.#hasTime()) {
      this.#underWay += 1;
      return undefined;
    }
    if (this.isFull()) {
      this.#onShed();
      throw errors.overloaded();
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ since: performance.now(), begin: resolve, refuse: reject });
    this.#sweep ??= setInterval(() => this.#refuseHopeless(), SWEEP_MS).unref();
    this.#call();
    return promise;
  }

  #leave(milliseconds: number): void {
    this.#underWay -= 1;
    if (milliseconds > SLOW_MS) this.#room = Math.max(LEAST_ROOM, this.#room * 0.95);
    else if (this.waiting > 0) this.#room = Math.min(MOST_ROOM, this.#room + 1 / this.#room);
    this.#call();
  }

  /** Has those who wait begin one by one, each in a callback of its own: whatever it does at once is done then. */
  #call(): void {
    const free = Math.floor(this.#room) - this.#underWay;
    const wanted = Math.min(CALLS, this.waiting, free);
    while (this.#called < wanted) {
      this.#called += 1;
      setImmediate(() => {
        this.#called -= 1;
        if (this.#underWay < this.#room && this.#hasTime()) this.#beginNext();
        this.#call();
      });
    }
  }

  #beginNext(): void {
    const next = this.#take();
    if (next === undefined) return;
    this.#underWay += 1;
    next.begin();
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
    if (this.waiting === 0) {
      clearInterval(this.#sweep);
      this.#sweep = undefined;
    }
    return next;
  }

  #refuseHopeless(): void {
    const tooLong = performance.now() - HOPELESS_MS;
    while ((this.#waiting[this.#first]?.since ?? Number.POSITIVE_INFINITY) < tooLong) {
      this.#onShed();
      this.#take()?.refuse(errors.overloaded());
    }
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
