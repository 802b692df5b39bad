import { withTimeout } from '../shared/timeout.ts';

const MINUTE_MS = 60_000;
/** A share is the limit divided by this number, so that few requests wait for the database. */
const SHARES_PER_LIMIT = 50;
/** How long a request waits for a share. Many waiting requests would use up the capacity that others need. */
const SHARE_WAIT_MS = 200;
/** More subjects than this suggest address rotation; reset all counters. */
const MAX_SUBJECTS = 100_000;

/** Adds to a subject's shared count in a window, and resolves to the total. Window 0 began in 1970 (UTC). */
export type AddToCount<Subject> = (subject: Subject, window: number, count: number) => Promise<number>;

/** The requests of one subject that this process may still allow in one window. */
interface Share {
  window: number;
  /** Negative if requests were allowed before a share covered them. */
  remaining: number;
  /** The part of the share, used or not, that is not in the shared count yet. */
  unreported: number;
  /** The shared count that was last read, at most the limit. */
  sharedCount: number;
  renewal: Promise<void> | undefined;
}

interface LimitOptions<Subject> {
  /** Its name in the `RateLimit` and `RateLimit-Policy` headers. */
  name: string;
  /** Per window; null for unlimited. */
  limit: number | null;
  /** In milliseconds; default: a minute. */
  windowMs?: number;
  add: AddToCount<Subject>;
  now: () => number;
  /** Called when the shared count is unavailable; this process then counts alone. */
  onError: (error: unknown) => void;
}

/**
 * Limits each subject's requests per window, across all processes on one database. Each process takes shares,
 * fractions of the limit, from a shared count. It reports its first share only with its second one, so a
 * subject far below its limit costs the database nothing. The price: each further process may allow one share
 * too many. `subjectId` identifies the subject in this process, and `subject` is passed to `add`.
 * `own` is the limit of a subject that has another one.
 */
export class SharedLimit<Subject = string> {
  readonly #name: string;
  readonly #limit: number | null;
  readonly #add: AddToCount<Subject>;
  readonly #now: () => number;
  readonly #onError: (error: unknown) => void;
  readonly #windowMs: number;
  readonly #shares = new Map<string, Share>();
  #window = 0;

  constructor({ name, limit, windowMs = MINUTE_MS, add, now, onError }: LimitOptions<Subject>) {
    this.#name = name;
    this.#limit = limit;
    this.#add = add;
    this.#now = now;
    this.#onError = onError;
    this.#windowMs = windowMs;
  }

  /** Counts a request if a share covers it, otherwise returns false. Does not use the database. */
  takeNow(subjectId: string, own: number | null = null): boolean {
    const limit = own ?? this.#limit;
    if (limit === null) return true;
    const share = this.#shareOf(subjectId, limit);
    if (share.remaining <= 0) return false;
    share.remaining -= 1;
    return true;
  }

  /**
   * Counts a request, taking a share if necessary. Resolves to the seconds to wait if the limit is reached,
   * else 0. If the share takes too long, continues as `takeWithoutWaiting`.
   */
  async take(subjectId: string, subject: Subject, own: number | null = null): Promise<number> {
    const limit = own ?? this.#limit;
    while (!this.takeNow(subjectId, limit)) {
      const secondsToWait = this.secondsToWait(subjectId, limit);
      if (secondsToWait > 0) return secondsToWait;
      const renewal = this.#renew(subjectId, subject, limit ?? Number.POSITIVE_INFINITY).then(
        () => 'renewed',
      );
      if ((await withTimeout(SHARE_WAIT_MS, renewal, 'late')) === 'late')
        return this.takeWithoutWaiting(subjectId, subject, limit);
    }
    return 0;
  }

  /** Like `take`, but does not wait for a share: a few requests above the limit may be allowed. */
  takeWithoutWaiting(subjectId: string, subject: Subject, own: number | null = null): number {
    const limit = own ?? this.#limit;
    if (limit === null) return 0;
    const share = this.#shareOf(subjectId, limit);
    if (isUsedUp(share, limit)) return this.#secondsLeft(share.window);
    share.remaining -= 1;
    if (share.remaining < 0) void this.#renew(subjectId, subject, limit);
    return 0;
  }

  /** Reverses the count of a request in this window. */
  giveBack(subjectId: string): void {
    if (this.#limit !== null) this.#shareOf(subjectId, this.#limit).remaining += 1;
  }

  /** Returns the seconds to wait if the limit is known to be reached, else 0. Counts nothing. */
  secondsToWait(subjectId: string, own: number | null = null): number {
    const limit = own ?? this.#limit;
    if (limit === null) return 0;
    const share = this.#shareOf(subjectId, limit);
    return isUsedUp(share, limit) ? this.#secondsLeft(share.window) : 0;
  }

  /** The headers of draft-ietf-httpapi-ratelimit-headers-11, names and values; empty if unlimited. */
  headers(subjectId: string, own: number | null = null): string[] {
    const limit = own ?? this.#limit;
    if (limit === null) return [];
    const share = this.#shareOf(subjectId, limit);
    return this.#headers(limit, Math.max(0, remainingOf(share, limit)), this.#secondsLeft(share.window));
  }

  /** Returns the seconds to wait and the headers for a subject that has reached the limit now. */
  whenReached(own: number | null = null): { seconds: number; headers: string[] } {
    const limit = own ?? this.#limit;
    const seconds = this.#secondsLeft(Math.floor(this.#now() / this.#windowMs));
    return { seconds, headers: limit === null ? [] : this.#headers(limit, 0, seconds) };
  }

  #headers(limit: number, remaining: number, seconds: number): string[] {
    const policy = `"${this.#name}";q=${limit};w=${this.#windowMs / 1000}`;
    const state = `"${this.#name}";r=${remaining};t=${seconds}`;
    return ['ratelimit-policy', policy, 'ratelimit', state];
  }

  #secondsLeft(window: number): number {
    return Math.ceil(((window + 1) * this.#windowMs - this.#now()) / 1000);
  }

  #shareOf(subjectId: string, limit: number): Share {
    const window = Math.floor(this.#now() / this.#windowMs);
    if (window !== this.#window || this.#shares.size >= MAX_SUBJECTS) {
      this.#window = window;
      this.#shares.clear();
    }
    let share = this.#shares.get(subjectId);
    if (share === undefined) {
      const free = Math.floor(limit / SHARES_PER_LIMIT);
      share = { window, remaining: free, unreported: free, sharedCount: 0, renewal: undefined };
      this.#shares.set(subjectId, share);
    }
    return share;
  }

  #renew(subjectId: string, subject: Subject, limit: number): Promise<void> {
    const share = this.#shareOf(subjectId, limit);
    share.renewal ??= this.#requestShare(subject, share, limit).finally(() => {
      share.renewal = undefined;
    });
    return share.renewal;
  }

  async #requestShare(subject: Subject, share: Share, limit: number): Promise<void> {
    const wanted = Math.ceil(limit / SHARES_PER_LIMIT);
    const debt = Math.max(0, -share.remaining);
    const added = wanted + debt + share.unreported;
    const sharedCount = await this.#add(subject, share.window, added).catch((error) => {
      this.#onError(error);
      return share.sharedCount + added;
    });
    const over = Math.max(0, sharedCount - limit);
    share.unreported = 0;
    share.sharedCount = Math.min(sharedCount, limit);
    share.remaining += debt + Math.max(0, wanted - over);
  }
}

/** Returns how much of the limit is left for all processes, as far as this process knows. */
function remainingOf({ remaining, unreported, sharedCount }: Share, limit: number): number {
  return limit - sharedCount - unreported + remaining;
}

/** Whether the share is used up and, as far as this process knows, the limit is too. */
function isUsedUp(share: Share, limit: number): boolean {
  return share.remaining <= 0 && remainingOf(share, limit) <= 0;
}
